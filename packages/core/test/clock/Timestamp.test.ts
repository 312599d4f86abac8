import { Result } from "effect"
import * as fc from "fast-check"
import { assert, describe, it } from "vitest"
import { Timestamp } from "../../src/clock/Timestamp.ts"

const first = Date.parse("0000-01-01T00:00:00.000Z")
const last = Date.parse("9999-12-31T23:59:59.999Z")

describe("Timestamp (WIRE-16)", () => {
  it("parses every time of the years 0 to 9999 that it formatted", () => {
    fc.assert(
      fc.property(fc.integer({ min: first, max: last }), (ts) => {
        assert.deepStrictEqual(Timestamp.parse(Timestamp.toIso(ts)), Result.succeed(ts))
      })
    )
  })

  it("formats in UTC with milliseconds", () => {
    assert.strictEqual(Timestamp.toIso(0), "1970-01-01T00:00:00.000Z")
    assert.strictEqual(
      Timestamp.toIso(Timestamp.day + Timestamp.hour + Timestamp.minute + Timestamp.second),
      "1970-01-02T01:01:01.000Z"
    )
  })

  it.each([
    ["2024-02-29T12:00Z", "2024-02-29T12:00:00.000Z"],
    ["2024-02-29T12:00:30.5Z", "2024-02-29T12:00:30.500Z"],
    ["2024-02-29T12:00:30.123456789Z", "2024-02-29T12:00:30.123Z"],
    ["2024-02-29T01:00:00+02:00", "2024-02-28T23:00:00.000Z"],
    ["2024-02-29T01:00:00-0530", "2024-02-29T06:30:00.000Z"]
  ])("parses %s as %s", (iso, utc) => {
    assert.deepStrictEqual(Result.map(Timestamp.parse(iso), Timestamp.toIso), Result.succeed(utc))
  })

  it.each([
    "",
    "2024-01-01",
    "2024-01-01T00:00:00",
    "2024-01-01 00:00:00Z",
    "2024-01-01T24:00:00Z",
    "2024-01-01T00:60:00Z",
    "2024-01-01T00:00:60Z",
    "2024-1-1T00:00:00Z",
    "20240101T000000Z",
    "+012024-01-01T00:00:00Z",
    "1700000000000",
    "2023-02-29T00:00:00Z",
    "1900-02-29T00:00:00Z",
    "2024-04-31T00:00:00Z",
    "2024-13-01T00:00:00Z",
    "2024-00-01T00:00:00Z",
    "2024-01-00T00:00:00Z",
    "2024-01-01T00:00:00+24:00",
    " 2024-01-01T00:00:00Z",
    "2024-01-01T00:00:00Z\n",
    "tomorrow"
  ])("refuses %o", (iso) => {
    assert.isTrue(Result.isFailure(Timestamp.parse(iso)))
  })
})
