import { access } from "@agent-marketplace/api/access/Access"
import { statusOf } from "@agent-marketplace/api/errors/ErrorCode"
import type { ErrorCode } from "@agent-marketplace/api/errors/ErrorCode"
import { failuresOf } from "@agent-marketplace/api/errors/Failures"
import * as Fault from "@agent-marketplace/api/errors/HttpFault"
import { toSoulError } from "@agent-marketplace/api/errors/SoulError"
import { toWire } from "@agent-marketplace/api/errors/WireError"
import type { Failure } from "@agent-marketplace/api/errors/WireError"
import * as Market from "@agent-marketplace/core/errors/MarketError"
import { ChainUnavailable } from "@agent-marketplace/core/chain/Chain"
import { Usdt } from "@agent-marketplace/core/money/Usdt"
import { Schema } from "effect"
import { assert, describe, it } from "vitest"

const usdt = (units: number): Usdt => Usdt.of(BigInt(units))

const cases: ReadonlyArray<readonly [Failure, ErrorCode, object]> = [
  [
    new Market.ValidationFailed({ issues: [{ path: "name", message: "is required" }] }),
    "VALIDATION_ERROR",
    { issues: [{ path: "name", message: "is required" }] }
  ],
  [new Market.InvalidApiKey({ reason: "missing" }), "INVALID_API_KEY", {}],
  [
    new Market.InsufficientBalance({ required: usdt(12_500_000), available: usdt(3_000_000) }),
    "INSUFFICIENT_BALANCE",
    { required: "12.50 USDT", available: "3.00 USDT" }
  ],
  [
    new Market.Forbidden({ required: ["SELLER", "FULL"] }),
    "INSUFFICIENT_PERMISSIONS",
    { required: ["SELLER", "FULL"] }
  ],
  [new Market.OwnListing(), "OWN_LISTING", {}],
  [
    new Market.SpendingLimitExceeded({ limit: "daily", allowed: usdt(7_500_000), requested: usdt(12_500_000) }),
    "SPENDING_LIMIT_EXCEEDED",
    { limit: "daily", allowed: "7.50 USDT", requested: "12.50 USDT" }
  ],
  [new Market.SpendingLimitExceeded({ limit: "seller" }), "SPENDING_LIMIT_EXCEEDED", { limit: "seller" }],
  [new Market.AgentNotClaimed(), "AGENT_NOT_CLAIMED", {}],
  [new Market.NotFound({ resource: "CLAIM_CODE" }), "CLAIM_CODE_NOT_FOUND", {}],
  [new Market.NotFound({ resource: "CLIENT" }), "CLIENT_NOT_FOUND", {}],
  [new Market.NotFound({ resource: "GRANT" }), "GRANT_NOT_FOUND", {}],
  [new Market.NotFound({ resource: "REQUEST" }), "REQUEST_NOT_FOUND", {}],
  [new Market.AlreadyPurchased({ purchaseId: "pur_1" }), "ALREADY_PURCHASED", { purchaseId: "pur_1" }],
  [
    new Market.Conflict({ state: "pending_approval", purchaseId: "pur_1" }),
    "CONFLICT",
    { state: "pending_approval", purchaseId: "pur_1" }
  ],
  [
    new Market.Conflict({ state: "rejected", reason: "it is gone" }),
    "CONFLICT",
    { state: "rejected", reason: "it is gone" }
  ],
  [new Market.IdempotencyKeyReused(), "IDEMPOTENCY_KEY_REUSED", {}],
  [new Market.StoreUnavailable({ cause: "SELECT secret" }), "SERVICE_UNAVAILABLE", { requestId: "req_1" }],
  [new ChainUnavailable({ reason: "https://node" }), "SERVICE_UNAVAILABLE", { requestId: "req_1" }],
  [new Fault.InternalFault(), "INTERNAL_ERROR", { requestId: "req_1" }],
  [new Fault.RouteNotFound(), "NOT_FOUND", {}],
  [new Fault.MethodNotAllowed({ allow: ["GET"] }), "METHOD_NOT_ALLOWED", { allow: ["GET"] }],
  [new Fault.PayloadTooLarge({ maxBytes: 1_048_576 }), "PAYLOAD_TOO_LARGE", { maxBytes: 1_048_576 }],
  [new Fault.Misdirected(), "MISDIRECTED", {}],
  [new Fault.UnsupportedMediaType({}), "UNSUPPORTED_MEDIA_TYPE", {}],
  [new Fault.UnsupportedMediaType({ allowed: ["image/png"] }), "UNSUPPORTED_MEDIA_TYPE", { allowed: ["image/png"] }],
  [
    new Fault.RateLimited({ resetAt: 0, limit: 100, window: "1h" }),
    "RATE_LIMIT_EXCEEDED",
    { resetAt: "1970-01-01T00:00:00.000Z", limit: 100, window: "1h" }
  ]
]

describe("the general envelope (ERROR-1)", () => {
  it.each(cases)("%s is %s with its details", (error, code, details) => {
    const { body, status } = toWire(error, "req_1")
    assert.strictEqual(status, statusOf[code])
    assert.strictEqual(body.success, false)
    assert.strictEqual(body.error.code, code)
    assert.isAbove(body.error.message.length, 0)
    assert.deepStrictEqual(body.error.details, details)
  })

  it.each(cases)("%s has the message that the documents state for %s", (error, code) => {
    const schema = failuresOf(
      { summary: "", description: "", access: access.public },
      { hasBody: false, writes: false },
      [code]
    ).find((one) => Schema.is(one)(toWire(error, "req_1").body))
    assert.isDefined(schema)
  })

  it("never shows the cause of a fault", () => {
    const body = JSON.stringify(toWire(new Market.StoreUnavailable({ cause: "SELECT secret" }), "req_1"))
    assert.notInclude(body, "SELECT")
  })

  it("has a name for every resource", () => {
    assert.strictEqual(toWire(new Market.NotFound({ resource: "SOUL" }), "").body.error.message, "Soul not found")
    assert.strictEqual(toWire(new Market.NotFound({ resource: "KEY" }), "").body.error.code, "KEY_NOT_FOUND")
  })
})

describe("the endpoints with { error } bodies have their own messages (SOUL-11, SOUL-19, SOUL-25, SOUL-26, SOUL-27, SOUL-28, SOUL-29)", () => {
  it.each([
    [new Market.InvalidApiKey({ reason: "missing" }), 401, "API key required"],
    [new Market.InvalidApiKey({ reason: "invalid" }), 401, "Invalid or inactive API key"],
    [new Market.Forbidden({ required: ["SELLER", "FULL"] }), 403, "API key does not have seller permissions"],
    [new Market.AgentNotClaimed(), 403, "Agent not claimed - cannot create SOULs"],
    [new Fault.InternalFault(), 500, "Failed to create soul"],
    [new Fault.RateLimited({ resetAt: 0, limit: 10, window: "1m" }), 429, "Rate limit exceeded"],
    [new Market.NotFound({ resource: "SOUL" }), 404, "Soul not found"],
    [
      new Market.ValidationFailed({
        issues: [
          { path: "limit", message: "must be 1" },
          { path: "", message: "b" }
        ]
      }),
      400,
      "limit: must be 1; b"
    ]
  ] as const)("%s", (error, status, message) => {
    assert.deepStrictEqual(toSoulError(error, "soul-create"), { status, body: { error: message } })
  })

  it("a fault of a read has its own message", () => {
    assert.strictEqual(toSoulError(new Fault.InternalFault(), "soul-list").body.error, "Failed to fetch souls")
    assert.strictEqual(toSoulError(new Fault.InternalFault(), "soul-get").body.error, "Failed to fetch soul")
  })
})
