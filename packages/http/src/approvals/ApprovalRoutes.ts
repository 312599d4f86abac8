import { checkFreeze, checkStepUp } from "@agent-marketplace/api/access/Access"
import { limits } from "@agent-marketplace/api/access/EndpointLimits"
import type { Approval } from "@agent-marketplace/core/approvals/Approval"
import { Approvals } from "@agent-marketplace/core/approvals/Approvals"
import { MarketClock } from "@agent-marketplace/core/clock/MarketClock"
import type { Timestamp } from "@agent-marketplace/core/clock/Timestamp"
import { NotFound } from "@agent-marketplace/core/errors/MarketError"
import type { Caller } from "@agent-marketplace/core/identity/Caller"
import { Identity } from "@agent-marketplace/core/identity/Identity"
import type { ApprovalId } from "@agent-marketplace/core/ids/Ids"
import { Authorization } from "@agent-marketplace/core/oauth/Authorization"
import { callerOf, Sessions } from "@agent-marketplace/core/sessions/Sessions"
import { Effect, Layer, Option, Result } from "effect"
import { HttpRouter, HttpServerResponse } from "effect/http"
import type { HttpServerRequest } from "effect/http"
import { makeSameOrigin } from "../edge/SameOrigin.ts"
import type { OauthRoute } from "../oauth/oauthEndpoint.ts"
import { makeOauthEndpoint } from "../oauth/oauthEndpoint.ts"
import { formOf, queryOf } from "../oauth/OauthForm.ts"
import { consentPages } from "../oauth/pages/consentPages.ts"
import { FormProtection, notOwnForm } from "../oauth/pages/FormProtection.ts"
import { HttpOptions } from "../options/HttpOptions.ts"
import { SessionAccess } from "../sessions/SessionAccess.ts"
import { stepUpAddress } from "../sessions/StepUpRoute.ts"
import { approvalPages } from "./approvalPages.ts"

type Request = HttpServerRequest.HttpServerRequest

const routes = {
  show: { method: "GET", path: "/approvals/:id" },
  decide: { method: "POST", path: "/approvals/:id" }
} satisfies Record<string, OauthRoute>

const seeOther = (location: string) => HttpServerResponse.empty({ status: 303, headers: { location } })

const asPage = ({ description, status }: { readonly description: string; readonly status: number }) =>
  approvalPages.problem(description, status)

const unknown = new NotFound({ resource: "APPROVAL" })

/** The account of a session, and the secret of that session. There is no such page where sessions are off. */
const makeFindPerson = Effect.gen(function* () {
  const access = yield* SessionAccess
  const sessions = yield* Sessions
  return Effect.fnUntraced(function* (request: Request) {
    const cookie = yield* Effect.mapError(access.cookie, () => unknown)
    const presented = cookie.read(request)
    if (presented._tag !== "Secret") return undefined
    const found = yield* Effect.option(sessions.authenticate(presented.secret))
    const caller = Option.isNone(found) ? null : callerOf(found.value)
    return caller === null ? undefined : { caller, secret: presented.secret }
  })
})

const approvalId = Effect.map(HttpRouter.params, ({ id = "" }) => id as ApprovalId)

const frozen = "The account is frozen, so nothing can be approved."

/** Why this person cannot approve now; the same rules as for the operation of the API. Rejecting has neither rule. */
const objectionTo = (caller: Caller, now: Timestamp): "frozen" | "unconfirmed" | undefined => {
  if (Result.isFailure(checkFreeze(caller))) return "frozen"
  return Result.isFailure(checkStepUp(caller, now)) ? "unconfirmed" : undefined
}

/** The page on which an owner decides about a purchase that waits (APPROVAL-9, APPROVAL-10). */
export const ApprovalRoutes = {
  routes: Object.values(routes) as ReadonlyArray<OauthRoute>,
  layer: Layer.effectDiscard(
    Effect.gen(function* () {
      const endpoint = yield* makeOauthEndpoint
      const approvals = yield* Approvals
      const identity = yield* Identity
      const clock = yield* MarketClock
      const { issuer } = yield* Authorization
      const { allowedHosts = [], baseUrl } = yield* HttpOptions
      const sameOrigin = makeSameOrigin(baseUrl, allowedHosts)
      const findPerson = yield* makeFindPerson
      const addressOf = (id: string) => `${issuer}/approvals/${encodeURIComponent(id)}`

      const shownTo = Effect.fnUntraced(function* (caller: Caller, approval: Approval) {
        const agent =
          approval.agentId === null ? Option.none() : yield* Effect.option(identity.ownAgent(caller, approval.agentId))
        const agentName =
          approval.agentId === null
            ? null
            : Option.match(agent, { onNone: () => approval.agentId, onSome: ({ name }) => name })
        return { approval, accountName: caller.accountName ?? "", agentName }
      })

      const pageFor = Effect.fnUntraced(function* (
        { caller, secret }: { readonly caller: Caller; readonly secret: string },
        id: ApprovalId,
        problem?: string,
        status?: number
      ) {
        const approval = yield* approvals.get(caller, id)
        const shown = yield* shownTo(caller, approval)
        if (approval.status !== "pending") return approvalPages.outcome(shown, problem, status)
        const objection = objectionTo(caller, yield* clock.now)
        const token = FormProtection.token("approval", secret, id)
        const confirmAt = objection === "unconfirmed" ? stepUpAddress(issuer, "approval", id) : null
        const form = { action: addressOf(id), token, mayApprove: objection === undefined, confirmAt }
        return approvalPages.decide(shown, form, problem ?? (objection === "frozen" ? frozen : undefined), status)
      })

      yield* endpoint(
        routes.show,
        limits.approvalPage,
        Effect.fnUntraced(function* (request) {
          if (!sameOrigin.isAddressed(request)) return yield* notOwnForm
          const id = yield* approvalId
          const person = yield* findPerson(request)
          if (person !== undefined) return yield* pageFor(person, id)
          // After a link on another site the browser sends no `SameSite=Strict` cookie, so the page is loaded once more.
          const { again } = yield* queryOf(request)
          return again === undefined
            ? consentPages.again(`${addressOf(id)}?again=1`)
            : seeOther(`${issuer}/sign-in?approval=${encodeURIComponent(id)}`)
        }),
        asPage
      )

      yield* endpoint(
        routes.decide,
        limits.approvalPage,
        Effect.fnUntraced(function* (request) {
          yield* FormProtection.check(issuer, request)
          const id = yield* approvalId
          const person = yield* findPerson(request)
          const { approval, decision, token } = yield* formOf(request)
          if (person === undefined)
            return approvalPages.problem("You are not signed in any more. Load this page again.", 401)
          if (approval !== id || token !== FormProtection.token("approval", person.secret, id)) return yield* notOwnForm
          if (decision !== "approve" && decision !== "reject")
            return yield* pageFor(person, id, "decision must be approve or reject.", 400)
          const objection = decision === "approve" ? objectionTo(person.caller, yield* clock.now) : undefined
          if (objection !== undefined) return yield* pageFor(person, id, undefined, 403)
          const decided = yield* Effect.result(approvals.decide(person.caller, id, decision))
          if (Result.isSuccess(decided)) return seeOther(addressOf(id))
          if (decided.failure._tag !== "Conflict") return yield* decided.failure
          const { reason, state } = decided.failure
          return yield* pageFor(person, id, `It could not be decided: ${reason ?? state}.`, 409)
        }),
        asPage
      )
    })
  )
} as const
