import { checkAccess } from "@agent-marketplace/api/access/Access"
import { InvalidApiKey } from "@agent-marketplace/core/errors/MarketError"
import { Effect } from "effect"
import type { Identify, RequestRecord } from "./CurrentRequest.ts"
import type { EndpointPlan } from "./EndpointPlan.ts"
import type { IdentifyCaller } from "./identifyCaller.ts"
import { InProcess } from "./InProcess.ts"
import type { Insider } from "./InProcess.ts"

/** Identifies the caller of a request apart from the request itself: its limits and its log line do not change. */
export const makeIdentify =
  (identifyCaller: IdentifyCaller, plan: EndpointPlan, record: RequestRecord, insider: Insider | null): Identify =>
  (request, access) =>
    Effect.gen(function* () {
      const apart: RequestRecord = { ...record, caller: null, admin: false, operator: null, headers: {} }
      const refused = yield* identifyCaller({ ...plan, access }, request, apart)
      if (refused !== undefined) return yield* refused
      const { caller } = apart
      if (caller === null) return yield* new InvalidApiKey({ reason: "missing" })
      yield* Effect.fromResult(checkAccess(access, caller))
      return caller
    }).pipe(Effect.provideService(InProcess, insider))
