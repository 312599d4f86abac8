import { assert, describe, it, vi } from "vitest"
import { isEmpty, sumOf } from "../web/ui/charts/ChartData.ts"
import type { ChartData } from "../web/ui/charts/ChartData.ts"
import { plotOptions } from "../web/ui/charts/plotOptions.ts"
import { ensureSafeLanguage } from "../web/ui/charts/safeLanguage.ts"
import { summaryOf } from "../web/ui/charts/summaryOf.ts"
import { counted, money } from "../web/ui/charts/units.ts"
import type { Unit } from "../web/ui/charts/units.ts"

const days = (values: ReadonlyArray<number | null>): ChartData => ({
  per: "day",
  times: values.map((_, at) => Date.UTC(2026, 0, 1 + at)),
  series: [{ id: "spent", label: "Spent", values }]
})

describe("charts (CONSOLE-36)", () => {
  it("describe bars by their sum and the highest one, with the currency and in UTC", () => {
    const text = summaryOf(days([0.1, 0.2, 0]), "bars", money())
    assert.include(text, "UTC. Spent: 0.30 USDT in all, at most 0.20 USDT (")
    assert.include(summaryOf(days([0, 0]), "bars", money()), "Spent: 0.00 USDT.")
  })

  it("describe lines by their latest, lowest and highest value", () => {
    assert.include(
      summaryOf(days([3, 1, null, 2]), "lines", counted("job", "jobs")),
      "now 2 jobs, from 1 job to 3 jobs."
    )
    assert.include(summaryOf(days([null]), "lines", money()), "Spent: not measured.")
  })

  it("add amounts exactly", () => {
    assert.strictEqual(sumOf([0.1, 0.2, null, 0.000001]), 0.300001)
  })

  it("label an axis of counts with whole numbers only, and an axis of amounts also with parts", () => {
    vi.stubGlobal("getComputedStyle", () => ({ color: "black", fontFamily: "sans-serif" }))
    const stepsOf = (unit: Unit) => {
      const element = { style: { color: "" }, clientWidth: 300 } as unknown as Parameters<typeof plotOptions>[0]
      const request = { data: days([1]), kind: "bars", unit, onPoint: () => undefined } as const
      return plotOptions(element, () => request).axes?.[1]?.incrs as ReadonlyArray<number> | undefined
    }
    const steps = stepsOf(counted("job", "jobs")) ?? []
    assert.deepStrictEqual(steps.slice(0, 5), [1, 2, 5, 10, 20])
    assert.isTrue(steps.every(Number.isSafeInteger))
    assert.isUndefined(stepsOf(money()))
    vi.unstubAllGlobals()
  })

  it("are empty without values, and bars also with zeros only", () => {
    assert.isTrue(isEmpty(days([]), false))
    assert.isTrue(isEmpty(days([null, null]), false))
    assert.isTrue(isEmpty(days([0, 0]), true))
    assert.isFalse(isEmpty(days([0, 0]), false))
    assert.isFalse(isEmpty(days([0, 1]), true))
  })

  it("are drawn in a browser whose language is not a locale", () => {
    const languageOf = (language: string): string => {
      const navigator = Object.create({ language }) as { readonly language: string }
      ensureSafeLanguage(navigator)
      return navigator.language
    }
    for (const [given, safe] of [
      ["de-CH", "de-CH"],
      ["en-US@posix", "en-US"],
      ["C.UTF-8", "en"],
      ["", "en"]
    ] as const) {
      assert.strictEqual(languageOf(given), safe)
      assert.strictEqual(new Intl.NumberFormat(languageOf(given)).format(1), "1")
    }
  })
})
