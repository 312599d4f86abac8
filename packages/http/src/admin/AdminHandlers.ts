import { toClockTime, toLedgerAudit, toSimulatedDeposit } from "@agent-marketplace/api/admin/AdminSchemas"
import { RouteNotFound } from "@agent-marketplace/api/errors/HttpFault"
import { toAdminListing } from "@agent-marketplace/api/listings/ListingWire"
import { toEnvelope } from "@agent-marketplace/api/wire/Envelope"
import { Administration } from "@agent-marketplace/core/admin/Administration"
import { SimulatedChain } from "@agent-marketplace/core/chain/SimulatedChain"
import { Chain } from "@agent-marketplace/core/chain/Chain"
import { MarketClock } from "@agent-marketplace/core/clock/MarketClock"
import { ValidationFailed } from "@agent-marketplace/core/errors/MarketError"
import { Listings } from "@agent-marketplace/core/listings/Listings"
import { Wallets } from "@agent-marketplace/core/wallets/Wallets"
import { Effect, Option } from "effect"
import { handlerGroup } from "../edge/RequestServices.ts"
import { currentOperator } from "../edge/CurrentRequest.ts"
import { HttpOptions } from "../options/HttpOptions.ts"
import { forOperator } from "../edge/Reply.ts"
import { ServedApi } from "../ServedApi.ts"
import { receiverViolations } from "../edge/BusinessRules.ts"

/** The operator's routes (OPERATOR-1, OPERATOR-2, OPERATOR-3, OPERATOR-4, OPERATOR-5, OPERATOR-17, OPERATOR-18, OPERATOR-19, OPERATOR-31). */
export const AdminHandlers = handlerGroup(
  ServedApi,
  "admin",
  Effect.fnUntraced(function* (handlers) {
    const administration = yield* Administration
    const chain = yield* Chain
    const clock = yield* MarketClock
    const listings = yield* Listings
    const simulated = yield* Effect.serviceOption(SimulatedChain)
    const { testClock } = yield* HttpOptions
    const wallets = yield* Wallets
    return handlers.handleAll({
      listings: ({ query }) => forOperator.page(query, toAdminListing, (_, page) => listings.queue(query.status, page)),
      approve: ({ params, payload }) =>
        forOperator.one(toAdminListing, (operator) => listings.approve(params.id, payload ?? {}, operator)),
      reject: ({ params, payload }) =>
        forOperator.one(toAdminListing, (operator) => listings.reject(params.id, payload, operator)),
      suspend: ({ params, payload }) =>
        forOperator.one(toAdminListing, (operator) => listings.suspend(params.id, payload ?? {}, operator)),
      feature: ({ params, payload }) =>
        forOperator.one(toAdminListing, (operator) => listings.feature(params.id, payload.featured, operator)),
      audit: ({ query }) =>
        Effect.map(query.since === undefined ? wallets.audit : wallets.auditSinceCheckpoint, (audit) =>
          toEnvelope(toLedgerAudit(audit))
        ),
      simulateDeposit: Effect.fnUntraced(function* ({ payload: { address, amount } }) {
        if (Option.isNone(simulated)) return yield* new RouteNotFound()
        const issues = yield* receiverViolations(chain, address)
        if (issues.length > 0) return yield* new ValidationFailed({ issues })
        const action = yield* administration.draft(yield* currentOperator, "simulated-chain.deposit", address)
        return toEnvelope(toSimulatedDeposit(yield* simulated.value.deposit(address, amount, action)))
      }),
      advanceClock: Effect.fnUntraced(function* ({ payload }) {
        if (!testClock) return yield* new RouteNotFound()
        const action = yield* administration.draft(yield* currentOperator, "clock.advance", "clock")
        return toEnvelope(toClockTime(yield* clock.advance(payload.advanceSeconds, action)))
      })
    })
  })
)
