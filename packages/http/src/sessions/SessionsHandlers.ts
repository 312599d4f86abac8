import { toListedSession, toSession } from "@agent-marketplace/api/sessions/SessionSchemas"
import type { SignIn } from "@agent-marketplace/api/sessions/SessionSchemas"
import { toDeleted, toEnvelope, toPage } from "@agent-marketplace/api/wire/Envelope"
import { Timestamp } from "@agent-marketplace/core/clock/Timestamp"
import { InvalidApiKey, NotFound, ValidationFailed } from "@agent-marketplace/core/errors/MarketError"
import { Sessions } from "@agent-marketplace/core/sessions/Sessions"
import { Effect } from "effect"
import { handlerGroup } from "../edge/RequestServices.ts"
import { currentCaller, currentRequest } from "../edge/CurrentRequest.ts"
import { HttpOptions } from "../options/HttpOptions.ts"
import { pageOf } from "../paging/PageOf.ts"
import { ServedApi } from "../ServedApi.ts"
import { SessionAccess } from "./SessionAccess.ts"
import { pagesUrl } from "../passkeys/relyingPartyOf.ts"
import { SignInLimit } from "./SignInLimit.ts"
import { userAgentOf } from "./userAgentOf.ts"

const notOne = new ValidationFailed({
  issues: [{ path: "", message: "must have exactly one of apiKey, link and adminToken" }]
})

/** The owner of the sessions: an account, or the operator's token (null). */
const currentOwner = Effect.flatMap(currentRequest, ({ session }) =>
  session === null ? Effect.map(currentCaller, ({ accountId }) => accountId) : Effect.succeed(session.session.accountId)
)

const currentSession = Effect.flatMap(currentRequest, ({ session }) =>
  session === null ? Effect.fail(new NotFound({ resource: "SESSION" })) : Effect.succeed(session)
)

/** Sessions over HTTP (SESSION-1, SESSION-6, SESSION-9, SESSION-10). */
export const SessionsHandlers = handlerGroup(
  ServedApi,
  "sessions",
  Effect.fnUntraced(function* (handlers) {
    const sessions = yield* Sessions
    const access = yield* SessionAccess
    const limitSignIn = yield* SignInLimit
    const baseUrl = pagesUrl((yield* HttpOptions).baseUrl ?? "")

    const startAsOperator = (token: string, userAgent: string | null) =>
      access.operatorTokenHash !== null && access.isOperatorToken(token)
        ? sessions.startAsOperator(access.operatorTokenHash, userAgent)
        : Effect.fail(new InvalidApiKey({ reason: "invalid" }))

    const signIn = Effect.fnUntraced(function* (
      { adminToken, apiKey, link }: typeof SignIn.Type,
      userAgent: string | null
    ) {
      if (apiKey !== undefined) return yield* sessions.startWithKey(apiKey, userAgent)
      if (link !== undefined) return yield* sessions.startWithLink(link.slice(link.indexOf("#") + 1), userAgent)
      return yield* startAsOperator(adminToken ?? "", userAgent)
    })

    const end = Effect.fnUntraced(function* (id: Parameters<typeof sessions.end>[1]) {
      yield* sessions.end(yield* currentOwner, id)
      const { headers, session } = yield* currentRequest
      if (session?.session.id === id) headers["set-cookie"] = (yield* access.cookie).remove
      return toEnvelope(toDeleted({ id }))
    })

    return handlers.handleAll({
      start: Effect.fnUntraced(function* ({ payload, request }) {
        const cookie = yield* access.cookie
        yield* access.checkSignIn(request)
        if (Object.values(payload).filter((given) => given !== undefined).length !== 1) return yield* notOne
        const { secret, signedIn } = yield* limitSignIn(request, signIn(payload, userAgentOf(request)))
        const { headers } = yield* currentRequest
        headers["set-cookie"] = cookie.set(secret)
        return toEnvelope(toSession(signedIn))
      }),
      list: Effect.fnUntraced(function* ({ query }) {
        const page = pageOf(query)
        const { session } = yield* currentRequest
        const { items, total } = yield* sessions.list(yield* currentOwner, page)
        return toPage(items.map(toListedSession(session?.session.id ?? null)), page, total)
      }),
      current: () => Effect.map(currentSession, (signedIn) => toEnvelope(toSession(signedIn))),
      endCurrent: () => Effect.flatMap(currentSession, ({ session }) => end(session.id)),
      end: ({ params }) => end(params.id),
      link: Effect.fnUntraced(function* () {
        yield* access.cookie
        const { expiresAt, secret } = yield* sessions.makeLink(yield* currentCaller)
        return toEnvelope({ url: `${baseUrl}/sign-in#${secret}`, expiresAt: Timestamp.toIso(expiresAt) })
      })
    })
  })
)
