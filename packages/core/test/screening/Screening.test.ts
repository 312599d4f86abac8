import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber, References } from "effect"
import { TestClock } from "effect/testing"
import * as fc from "fast-check"
import { Usdt } from "../../src/money/Usdt.ts"
import { combinedScreening } from "../../src/screening/combinedScreening.ts"
import { parseDenyList, wrongLines } from "../../src/screening/DenyList.ts"
import type { ScreenedTransfer } from "../../src/screening/Screening.ts"
import { Screening, ScreeningUnavailable } from "../../src/screening/Screening.ts"
import { boundedEvidence } from "../../src/screening/ScreeningEvidence.ts"
import { screenTransfers } from "../../src/screening/screenTransfers.ts"
import { screeningBackoff } from "../../src/screening/UnscreenedDeposits.ts"

const transfer = (address: string): ScreenedTransfer => ({
  kind: "deposit",
  address,
  amount: Usdt.of(5n),
  chain: "TRON",
  reference: null
})

const down = new ScreeningUnavailable({ reason: "down" })

/** Flags `F…`, fails for `U…`, dies for `D…`, never answers for `N…` and clears the rest. */
const scripted: Screening["Service"] = {
  screen: ({ address }) => {
    switch (address.charAt(0)) {
      case "F":
        return Effect.succeed({ source: "a list", reference: address })
      case "U":
        return Effect.fail(down)
      case "D":
        return Effect.die(new Error("a defect"))
      case "N":
        return Effect.never
      default:
        return Effect.succeed(null)
    }
  }
}

const screened = (addresses: ReadonlyArray<string>, screening = scripted) =>
  Effect.flatMap(screenTransfers, (screen) => screen(addresses.map(transfer))).pipe(
    Effect.provideService(Screening, screening),
    Effect.provideService(References.MinimumLogLevel, "None")
  )

const tags = (addresses: ReadonlyArray<string>) =>
  Effect.map(screened(addresses), (results) => results.map(({ _tag }) => _tag))

describe("screening", () => {
  it.effect(
    "a failure or a defect leaves a transfer undecided, and after the first one no further transfer is screened",
    () =>
      Effect.gen(function* () {
        assert.deepStrictEqual(yield* tags(["C1", "F1", "C2"]), ["Clear", "Flagged", "Clear"])
        assert.deepStrictEqual(yield* tags(["D1"]), ["Unavailable"])
        const many = ["U1", ...Array.from({ length: 30 }, (_, i) => `C${i}`)]
        const results = yield* tags(many)
        assert.strictEqual(results[0], "Unavailable")
        assert.strictEqual(results.at(-1), "Skipped")
      })
  )

  it.effect("a transfer that is not answered is undecided after six seconds (SCREENING-4)", () =>
    Effect.gen(function* () {
      const fiber = yield* Effect.forkChild(tags(["N1", "F1"]))
      yield* TestClock.adjust("7 seconds")
      assert.deepStrictEqual(yield* Fiber.join(fiber), ["Unavailable", "Flagged"])
    })
  )

  it.effect(
    "an address is flagged if one of several screenings flags it, and cleared only after all have answered (SCREENING-1, SCREENING-4)",
    () =>
      Effect.gen(function* () {
        const fixed = (answer: "clear" | "flag" | "fail"): Screening["Service"] => ({
          screen: () =>
            answer === "fail"
              ? Effect.fail(down)
              : Effect.succeed(answer === "flag" ? { source: "one", reference: "1" } : null)
        })
        for (const [answers, expected] of [
          [["clear", "clear"], "Clear"],
          [["clear", "flag"], "Flagged"],
          [["fail", "flag"], "Flagged"],
          [["flag", "fail"], "Flagged"],
          [["clear", "fail"], "Unavailable"],
          [["fail", "clear"], "Unavailable"],
          [[], "Clear"]
        ] as const) {
          const [result] = yield* screened(["C1"], combinedScreening(answers.map(fixed)))
          assert.strictEqual(result?._tag, expected, answers.join())
        }
      })
  )

  it("evidence is one line of at most 200 printable characters (SCREENING-5)", () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 0x10ffff }), { maxLength: 300 }), (points) => {
        const text = String.fromCodePoint(...points)
        const { reference } = boundedEvidence({ source: "list", reference: text })
        assert.isAtMost([...reference].length, 200)
        assert.notMatch(reference, /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u)
      })
    )
    const { reference } = boundedEvidence({ source: "s", reference: ` a\r\n\tb\0 ${"x".repeat(300)}` })
    assert.match(reference, /^a b x+…$/)
  })

  it("a deposit waits for a second, then twice as long each time, at most 30 seconds (SCREENING-4)", () => {
    assert.deepStrictEqual([1, 2, 3, 5, 6, 100].map(screeningBackoff), [1000, 2000, 4000, 16_000, 30_000, 30_000])
  })
})

describe("deny lists (SCREENING-2)", () => {
  const isAddress = (text: string) => /^T[a-z]{5}$/.test(text)
  const address = fc.stringMatching(/^T[a-z]{5}$/)
  const filler = fc.constantFrom("", "  ", "# a comment", "\t# T")

  it("every address counts with its first line, whatever comments, spaces and line ends surround it", () => {
    const line = fc.oneof(
      filler,
      fc.tuple(address, fc.constantFrom("", " ", "\t", " # why", "#")).map(([one, end]) => ` ${one}${end}`)
    )
    fc.assert(
      fc.property(
        fc.array(line, { maxLength: 40 }),
        fc.constantFrom("\n", "\r\n", "\r"),
        fc.boolean(),
        (lines, end, mark) => {
          const { addresses, wrong } = parseDenyList(`${mark ? "\uFEFF" : ""}${lines.join(end)}`, isAddress)
          assert.deepStrictEqual(wrong, [])
          const entries = lines.map((one) => one.replace(/#.*/, "").trim())
          const expected = new Set(entries.filter((one) => one !== ""))
          assert.deepStrictEqual(new Set(addresses.keys()), expected)
          for (const [one, at] of addresses) assert.strictEqual(at, entries.indexOf(one) + 1)
        }
      )
    )
  })

  it("every wrong line is named by its number, and its text is not repeated", () => {
    const text = ["Tabcde", "a secret", "# fine", "Tabcde Tabcdf", "tabcde"].join("\n")
    const { addresses, wrong } = parseDenyList(text, isAddress)
    assert.deepStrictEqual([...addresses.keys()], ["Tabcde"])
    assert.deepStrictEqual(
      wrong.map(({ line }) => line),
      [2, 4, 5]
    )
    assert.strictEqual(wrongLines(wrong.slice(0, 2)), "line 2 must be a TRON address; line 4 must be a TRON address")
    const many = parseDenyList("x\n".repeat(50), isAddress).wrong
    assert.match(wrongLines(many), /line 10 must be a TRON address; and 40 more$/)
  })
})
