import { execFile } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { expect, test } from "vitest"
import { rulesetVersion } from "../src/ruleset.ts"

const root = fileURLToPath(new URL("../../..", import.meta.url))
const main = join(root, "packages/trust/src/main.ts")

/** The commands of a section, each with the output that the page shows; … matches any text, a line of it any lines. */
const steps = (page: string, heading: string) => {
  const [, section = ""] = new RegExp(`^## ${heading}\\n([\\s\\S]*?)^## `, "m").exec(page) ?? []
  return [...section.matchAll(/^```sh\n([\s\S]*?)^```\n\n```text\n([\s\S]*?)^```\n/gm)].map(
    ([, commands = "", prints = ""]) => ({
      commands: commands.replaceAll("npx @agent-marketplace/trust", `'${process.execPath}' '${main}'`),
      prints
    })
  )
}

const matches = (pattern: string): RegExp => {
  const parts = pattern.split("…").map((part) => part.replaceAll(/[\\^$.*+?()[\]{}|]/g, "\\$&"))
  return new RegExp(`^${parts.join("[\\s\\S]*")}$`)
}

test.each([
  ["docs/trust.md", "Scan it yourself", 2],
  ["README.md", "Trust", 1]
] as const)("the commands of %s, %s, print what the page shows (SCAN-15)", async (page, heading, count) => {
  const folder = mkdtempSync(join(tmpdir(), "trust-page-"))
  const found = steps(readFileSync(join(root, page), "utf8"), heading)
  expect(found).toHaveLength(count)
  for (const { commands, prints } of found) {
    // A scan with findings ends with 1, as the page says.
    const { stdout } = await promisify(execFile)("bash", ["-c", `${commands}\ntrue`], { cwd: folder })
    expect(stdout).toMatch(matches(prints))
  }
  rmSync(folder, { recursive: true })
})

type Rates = Readonly<Record<string, { readonly cases: number; readonly blocked: number; readonly warned: number }>>

const percent = (part: number, cases: number): string => `${Math.round((100 * part) / cases)} %`

test("the rates on the page are the recorded ones, as long as its ruleset is the present one (SCAN-17)", () => {
  const page = readFileSync(join(root, "docs/trust.md"), "utf8").replaceAll(/\s+/g, " ")
  const [, ruleset] = /ruleset (\S+) stops/.exec(page) ?? []
  expect(ruleset).toMatch(/^\d{4}\.\d+\.\d+$/)
  if (ruleset !== rulesetVersion) return
  const rates = JSON.parse(readFileSync(join(root, "packages/trust/corpus/recorded.json"), "utf8")) as Rates
  const stopped = (name: string): string => percent(rates[name]!.warned, rates[name]!.cases)
  const honest = rates["independent honest"]!
  expect(page).toContain(`stops ${stopped("independent malicious")} of the malicious ones`)
  expect(page).toContain(`${stopped("independent malicious execution")} of those about execution`)
  expect(page).toContain(
    `${stopped("independent malicious injection")} of the injections and ${stopped("independent malicious souls")} of the SOULs`
  )
  expect(page).toContain(
    `blocks ${percent(honest.blocked, honest.cases)} of the honest ones and stops ${stopped("independent honest")} at`
  )
})
