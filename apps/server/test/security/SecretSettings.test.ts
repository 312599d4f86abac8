import { readConfiguration } from "@agent-marketplace/settings/Configuration"
import { Result } from "effect"
import { existsSync, readFileSync } from "node:fs"
import { inspect } from "node:util"
import { assert, describe, it } from "vitest"
import { publicSettings, secretSettings } from "./secretSettings.ts"

const chains = ["simulated", "tron"]

/** An environment that reports the names of the variables that are read. */
const watched = (seen: Set<string>, values: Readonly<Record<string, string>>) =>
  new Proxy(values, {
    get: (target, name) => {
      seen.add(String(name))
      return Reflect.get(target, name) as unknown
    }
  })

describe("the secrets of the settings (CONFIG-1)", () => {
  it("every variable that is read is listed as secret or as public", () => {
    const seen = new Set<string>()
    for (const CHAIN of chains) readConfiguration(watched(seen, { CHAIN }), "server")
    assert.deepStrictEqual([...seen].sort(), [...publicSettings, ...Object.keys(secretSettings)].sort())
  })

  it("no secret is in the message about a wrong value, nor in the configuration as a log shows it", () => {
    const env = { NODE_ENV: "production", STORAGE: "memory", ...secretSettings, METRICS_TOKEN: "metrics-word-0123" }
    for (const CHAIN of chains)
      for (const reader of ["server", "worker", "operator"] as const)
        for (const given of [env, { ...env, DATABASE_URL: `postgres://u:${env.DATABASE_URL}@127.0.0.1:1/m` }]) {
          const result = readConfiguration({ ...given, CHAIN }, reader)
          const said = `${inspect(result, { depth: 9 })} ${JSON.stringify(result)}`
          for (const [name, value] of Object.entries(secretSettings))
            if (value !== "") assert.notInclude(said, value, name)
        }
    const valid = readConfiguration({ STORAGE: "memory", ADMIN_TOKEN: secretSettings.ADMIN_TOKEN })
    assert.isTrue(Result.isSuccess(valid))
    assert.notInclude(inspect(valid, { depth: 9 }), secretSettings.ADMIN_TOKEN)
  })
})

describe("docs/security.md", () => {
  const page = new URL("../../../../docs/security.md", import.meta.url)
  const text = readFileSync(page, "utf8")

  it("names only files that exist, and a test for each threat", () => {
    const links = [...text.matchAll(/\]\(([^)#:]+)[^)]*\)/g)].map(([, path = ""]) => path)
    assert.isAbove(links.length, 40)
    assert.deepStrictEqual(
      links.filter((path) => !existsSync(new URL(path, page))),
      []
    )
    const threats = (text.split("\n## Threats\n")[1]?.split("\n## ")[0] ?? "").split("\n")
    const rows = threats.filter((line) => line.startsWith("| ")).slice(2)
    assert.isAbove(rows.length, 25)
    assert.deepStrictEqual(
      rows.filter((row) => !/\.test\.ts\)[^|]*\|$/.test(row)),
      []
    )
  })

  it("says what happens if a secret of the settings is stolen or lost", () => {
    const named = Object.keys(secretSettings).filter((name) => !/TRON_(?:HOT_WALLET|(?:SECOND_)?SIGNER)_KEY/.test(name))
    const guarded = text.split("\n## What the operator must guard\n")[1] ?? ""
    assert.deepStrictEqual(
      named.filter((name) => !guarded.includes(`\`${name}\``)),
      []
    )
  })
})
