import { toPasskey } from "@agent-marketplace/api/passkeys/PasskeySchemas"
import { toSession } from "@agent-marketplace/api/sessions/SessionSchemas"
import { toDeleted, toEnvelope } from "@agent-marketplace/api/wire/Envelope"
import { InvalidApiKey } from "@agent-marketplace/core/errors/MarketError"
import { Passkeys } from "@agent-marketplace/core/passkeys/Passkeys"
import { Effect } from "effect"
import { handlerGroup } from "../edge/RequestServices.ts"
import { currentCaller, currentRequest } from "../edge/CurrentRequest.ts"
import { forCaller } from "../edge/Reply.ts"
import { ServedApi } from "../ServedApi.ts"
import { SessionAccess } from "../sessions/SessionAccess.ts"
import { SignInLimit } from "../sessions/SignInLimit.ts"
import { userAgentOf } from "../sessions/userAgentOf.ts"

const unnamed = "Passkey"

const currentSession = Effect.flatMap(currentRequest, ({ session }) =>
  session === null ? Effect.fail(new InvalidApiKey({ reason: "missing" })) : Effect.succeed(session)
)

/** Passkeys over HTTP (PASSKEY-1 to PASSKEY-4). */
export const PasskeysHandlers = handlerGroup(
  ServedApi,
  "passkeys",
  Effect.fnUntraced(function* (handlers) {
    const passkeys = yield* Passkeys
    const access = yield* SessionAccess
    const limitSignIn = yield* SignInLimit

    return handlers.handleAll({
      options: Effect.fnUntraced(function* () {
        return toEnvelope(yield* passkeys.registrationOptions(yield* access.relyingParty, yield* currentCaller))
      }),
      register: Effect.fnUntraced(function* ({ payload: { name = unnamed, ...answer } }) {
        const rp = yield* access.relyingParty
        return toEnvelope(toPasskey(yield* passkeys.register(rp, yield* currentCaller, answer, name)))
      }),
      list: ({ query }) => forCaller.page(query, toPasskey, (caller, page) => passkeys.list(caller, page)),
      rename: ({ params, payload }) =>
        forCaller.one(toPasskey, (caller) => passkeys.rename(caller, params.id, payload.name)),
      remove: ({ params }) =>
        forCaller.one(toDeleted, (caller) => Effect.as(passkeys.remove(caller, params.id), params)),
      signInOptions: Effect.fnUntraced(function* ({ request }) {
        yield* access.cookie
        yield* access.checkSignIn(request)
        return toEnvelope(yield* passkeys.signInOptions(yield* access.relyingParty))
      }),
      signIn: Effect.fnUntraced(function* ({ payload, request }) {
        const cookie = yield* access.cookie
        const rp = yield* access.relyingParty
        yield* access.checkSignIn(request)
        const { secret, signedIn } = yield* limitSignIn(request, passkeys.signIn(rp, payload, userAgentOf(request)))
        const { headers } = yield* currentRequest
        headers["set-cookie"] = cookie.set(secret)
        return toEnvelope(toSession(signedIn))
      }),
      stepUpOptions: Effect.fnUntraced(function* () {
        return toEnvelope(yield* passkeys.stepUpOptions(yield* access.relyingParty, yield* currentCaller))
      }),
      stepUp: Effect.fnUntraced(function* ({ payload }) {
        const rp = yield* access.relyingParty
        return toEnvelope(toSession(yield* passkeys.stepUp(rp, yield* currentCaller, payload, yield* currentSession)))
      })
    })
  })
)
