import { MarketplaceError } from "@agent-marketplace/client/MarketplaceError"
import { assert, describe, it } from "vitest"
import { CommandFailure } from "../../src/errors/CommandFailure.ts"
import { explain, showFailure } from "../../src/errors/explain.ts"
import { assertHarmless } from "../running/assertHarmless.ts"

const failed = (statusCode: number, code: string, details: Readonly<Record<string, unknown>> = {}) =>
  explain(new MarketplaceError({ message: "It failed", statusCode, code, details }))

const page = { isTerminal: true, width: 80, canColor: false }

describe("a failure of the market", () => {
  it("states when to try again after too many requests", () => {
    const { hint } = failed(429, "RATE_LIMIT_EXCEEDED", { resetAt: "2025-01-15T11:00:00Z", limit: 100, window: "1h" })
    assert.strictEqual(hint, "Try again after 2025-01-15T11:00:00Z.")
  })

  it("names the missing permission: seller account, owner, seller, license or a scope", () => {
    assert.include(failed(403, "INSUFFICIENT_PERMISSIONS", { required: ["seller account"] }).hint, "--seller")
    assert.include(failed(403, "INSUFFICIENT_PERMISSIONS", { required: ["owner"] }).hint, "owner")
    const hintFor = (...required: ReadonlyArray<string>) => failed(403, "INSUFFICIENT_PERMISSIONS", { required }).hint
    assert.strictEqual(hintFor("license"), "Buy it first: `agent-marketplace buy`.")
    assert.strictEqual(hintFor("seller"), "Only the item's seller may do that.")
    const created = "`agent-marketplace keys create`."
    assert.strictEqual(hintFor("FULL", "BUYER"), `Use a key with the scope FULL or BUYER: ${created}`)
    assert.strictEqual(hintFor("SELLER", "a later word"), `Use a key with the scope SELLER: ${created}`)
    for (const required of ["admin", "same origin", "a later word"]) assert.isUndefined(hintFor(required))
    assert.isUndefined(hintFor())
  })

  it("lists every field that is wrong", () => {
    const issues = [
      { path: "name", message: "is required" },
      { path: "price", message: "must be positive" }
    ]
    assert.strictEqual(failed(400, "VALIDATION_ERROR", { issues }).message, "name is required; price must be positive")
  })

  it("is reported whatever the response contains", () => {
    for (const code of ["constructor", "__proto__", "toString", ""])
      for (const details of [{ issues: [null, 1, "x", {}] }, { required: 5 }, { required: [{}] }, {}]) {
        assert.isUndefined(failed(400, code, details).hint)
        assert.instanceOf(failed(400, "VALIDATION_ERROR", details), CommandFailure)
        assert.instanceOf(failed(403, "INSUFFICIENT_PERMISSIONS", details), CommandFailure)
        assert.instanceOf(failed(402, "INSUFFICIENT_BALANCE", details), CommandFailure)
      }
  })

  it("cannot control the terminal, neither as text nor as JSON", () => {
    const hostile = "\u001B[2JNo\r\n\u202Egniht hcus\u0007"
    const failure = explain(
      new MarketplaceError({ message: hostile, statusCode: 500, code: "INTERNAL_ERROR", requestId: hostile })
    )
    assertHarmless(showFailure(failure, page, false))
    assertHarmless(showFailure(failure, page, true))
  })
})
