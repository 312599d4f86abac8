import { readdirSync, readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { describe, expect, it } from "vitest"

/** `docs/scale.md` explains the rules, and why each exception remains. */
const source = fileURLToPath(new URL("../../src/", import.meta.url))

const files = readdirSync(source, { recursive: true, encoding: "utf8" })
  .map((file) => file.replaceAll("\\", "/"))
  .filter((file) => file.endsWith(".ts") && !file.startsWith("migrations/"))
  .toSorted()

const textOf = (file: string): string => readFileSync(source + file, "utf8")

/** Folders whose statements read or write the tables of money. */
const ofMoney = files.filter((file) => /^(approvals|licenses|purchases|settlement|wallets)\//.test(file))

const matching = (some: ReadonlyArray<string>, pattern: RegExp): ReadonlyArray<string> =>
  some.flatMap((file) =>
    [...textOf(file).matchAll(pattern)].map(([found]) => `${file}: ${found.replaceAll(/\s+/g, " ")}`)
  )

describe("SQL that could be distributed by the payer", () => {
  it("finds purchases of approvals, renewals and entitlements by their payer, too", () => {
    const joins = matching(
      files,
      /JOIN purchases ON purchases\.id = (?:approvals|entitlements|renewals)\.\w+(?: AND [\w.]+ = [\w.]+)?/g
    )
    expect(joins.length).toBeGreaterThan(5)
    expect(joins.filter((join) => !/ AND purchases\.buyer_id = \w+\.(?:account_id|buyer_id)$/.test(join))).toEqual([])
  })

  it("finds purchases by their id alone only where the payer is not known", () => {
    const lookups = matching(
      files,
      /(?:FROM|JOIN|UPDATE) purchases (?:ON|WHERE) (?:purchases\.)?(?:id|\$\{column\}) = [^`]{0,100}/g
    )
    const byIdAlone = lookups.filter((lookup) => !lookup.includes("buyer_id"))
    expect(byIdAlone.map((lookup) => lookup.replace(/: .*/, ""))).toEqual([
      "activity/PostgresActivityStore.ts",
      "licenses/PostgresActivationStore.ts",
      "purchases/PostgresPurchaseStore.ts",
      "settlement/Popularity.ts"
    ])
  })

  it("takes the time as a parameter in statements that write money", () => {
    const times = matching(
      ofMoney,
      /[^\n]*\b(?:market_now\(\)|clock_timestamp\(\)|(?<!\.)now\(\)|current_timestamp)[^\n]*/gi
    )
    expect(times.map((line) => line.replace(/: .*/, ""))).toEqual([
      "purchases/liveLicense.ts",
      "settlement/Popularity.ts",
      "settlement/PostgresSettlementStore.ts",
      "settlement/loadState.ts",
      "wallets/PostgresForeignAssetStore.ts",
      "wallets/PostgresSweepStore.ts",
      "wallets/PostgresTreasuryStore.ts"
    ])
    const reads = times.filter((line) => line.startsWith("settlement/"))
    expect(reads.filter((line) => !/SELECT market_now\(\) AS now/.test(line))).toEqual([])
  })

  it("has no subquery inside an INSERT's coalesce", () => {
    expect(matching(files, /INSERT INTO[^`]*?coalesce\(\s*\(\s*SELECT[^`]*/gi)).toEqual([])
  })
})
