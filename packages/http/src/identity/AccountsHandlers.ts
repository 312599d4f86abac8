import type { Usage } from "@agent-marketplace/api/identity/IdentitySchemas"
import { toAccount, toIssuedKey } from "@agent-marketplace/api/identity/IdentityWire"
import { toEnvelope } from "@agent-marketplace/api/wire/Envelope"
import { Administration } from "@agent-marketplace/core/admin/Administration"
import { MarketClock } from "@agent-marketplace/core/clock/MarketClock"
import { Timestamp } from "@agent-marketplace/core/clock/Timestamp"
import type { Caller } from "@agent-marketplace/core/identity/Caller"
import { AccountExports } from "@agent-marketplace/core/identity/AccountExports"
import { Identity } from "@agent-marketplace/core/identity/Identity"
import { ownerOf } from "@agent-marketplace/core/identity/Caller"
import { Effect } from "effect"
import { handlerGroup } from "../edge/RequestServices.ts"
import { currentCaller } from "../edge/CurrentRequest.ts"
import { hourOf } from "../limits/TierLimits.ts"
import { RateLimits } from "../limits/RateLimits.ts"
import { exportResponse } from "./exportResponse.ts"
import { forCaller } from "../edge/Reply.ts"
import { ServedApi } from "../ServedApi.ts"

/** Accounts over HTTP (ACCOUNT-1, ACCOUNT-2, ACCOUNT-3, ACCOUNT-6, ACCOUNT-7). */
export const AccountsHandlers = handlerGroup(
  ServedApi,
  "accounts",
  Effect.fnUntraced(function* (handlers) {
    const identity = yield* Identity
    const administration = yield* Administration
    const limits = yield* RateLimits
    const clock = yield* MarketClock
    const exports = yield* AccountExports

    /** The state of the caller's hourly limit: one request is counted and taken back. */
    const hourly = Effect.fnUntraced(function* (caller: Caller) {
      const [hour] = hourOf(caller)
      if (hour === undefined) return { limit: null, used: 0, resetAt: null }
      const now = yield* clock.now
      const [standing] = yield* limits.take([hour], now)
      const { limit } = hour.limit
      if (standing === undefined) return { limit, used: 0, resetAt: null }
      if (!standing.passed) yield* limits.take([{ ...hour, release: true }], now)
      const used = standing.passed ? limit : limit - standing.remaining - 1
      return { limit, used, resetAt: Timestamp.toIso(standing.resetAt) }
    })
    return handlers.handleAll({
      create: Effect.fnUntraced(function* ({ payload }) {
        const { account, apiKey } = yield* identity.signUp(payload)
        return toEnvelope({ account: toAccount(account), apiKey: toIssuedKey(apiKey) })
      }),
      get: () => forCaller.one(toAccount, (caller) => identity.account(caller)),
      usage: Effect.fnUntraced(function* () {
        const caller = yield* currentCaller
        const uses = yield* administration.quotas(yield* ownerOf(caller))
        const quotas = Object.fromEntries(uses.map(({ limit, name, used }) => [name, { limit, used }]))
        return toEnvelope({
          tier: caller.tier,
          hourly: yield* hourly(caller),
          quotas: quotas as (typeof Usage.Type)["quotas"]
        })
      }),
      erase: Effect.fnUntraced(function* () {
        return toEnvelope({ id: yield* identity.eraseAccount(yield* currentCaller), deleted: true as const })
      }),
      export: Effect.fnUntraced(function* () {
        return exportResponse(yield* exports.export(yield* currentCaller), yield* clock.now)
      }),
      update: ({ payload }) => forCaller.one(toAccount, (caller) => identity.updateAccount(caller, payload))
    })
  })
)
