import { isWithinOne } from "@agent-marketplace/core/names/NameFindings"
import { nameKeys } from "@agent-marketplace/core/names/Skeleton"
import { assert, describe, it } from "@effect/vitest"

const alike = (one: string, other: string): boolean =>
  nameKeys(one, null).keys.some((key) => nameKeys(other, null).keys.includes(key))

describe("near names", () => {
  for (const [one, other] of [
    ["PayPal", "РауРаl"],
    ["PayPal", "PayPaI"],
    ["PayPal", "paypa1"],
    ["Outlook", "0utl00k"],
    ["INVOICE bot", "Invoice Bot"],
    ["CSV Cleaner", "csv-cleaner"],
    ["CSV Cleaner", "CSVCleaner"],
    ["CSV Cleaner", "CSV\u00a0Cleaner"],
    ["CSV Cleaner", "CSV‐Cleaner"],
    ["Modern Mail", "Modem Mail"],
    ["Café Bot", "Cafe Bot"],
    ["Scope", "ѕсоре"],
    ["Fullwidth", "Ｆｕｌｌｗｉｄｔｈ"]
  ] as const) {
    it(`finds that ${one} and ${other} look alike (NAME-1)`, () => assert.isTrue(alike(one, other)))
  }

  for (const [one, other] of [
    ["CSV Cleaner", "CSV Cleaner 2"],
    ["C++ Helper", "C Helper"],
    ["C# Helper", "C Helper"],
    ["数据 CSV", "CSV"],
    ["Mail Bot", "Mall Bot"],
    ["Mail Bot", "Nail Bot"],
    ["数据清洗", "数据分析"],
    ["Agent 1", "Agent 2"]
  ] as const) {
    it(`finds that ${one} and ${other} differ (NAME-1)`, () => assert.isFalse(alike(one, other)))
  }

  it("leaves out the number that makes a slug unique, and compares a slug that belongs to an earlier name (NAME-1)", () => {
    assert.deepStrictEqual(nameKeys("CSV Cleaner", "csv-cleaner-2").keys, ["csvcleaner"])
    assert.deepStrictEqual(nameKeys("Tidy", "csv-cleaner").keys, ["tidy", "csvcleaner"])
    assert.deepStrictEqual(nameKeys("C++ Helper", "c-helper").keys, ["c++helper"])
  })

  it("measures distance in characters, in which m counts as one (NAME-3)", () => {
    const within = (one: string, other: string) =>
      isWithinOne(nameKeys(one, null).skeleton, nameKeys(other, null).skeleton)
    for (const other of ["mail", "Mail", "mai", "maill", "nail", "xmail", "ma-il"]) assert.isTrue(within("mail", other))
    for (const other of ["m", "tall", "mailxx", "lima", ""]) assert.isFalse(within("mail", other), other)
  })
})
