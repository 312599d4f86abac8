import { Context, Effect, Layer, Option } from "effect"
import { Base64Url } from "effect/encoding"
import { MarketClock } from "../clock/MarketClock.ts"
import type { AgentNotClaimed, Conflict, InvalidApiKey as KeyRefused } from "../errors/MarketError.ts"
import { InvalidApiKey, NotFound, StepUpRequired, ValidationFailed } from "../errors/MarketError.ts"
import type { StoreEffect } from "../errors/StoreEffect.ts"
import type { Caller, CallerSession } from "../identity/Caller.ts"
import { ownerOf } from "../identity/Caller.ts"
import { IdentityStore } from "../identity/IdentityStore.ts"
import type { PasskeyId, SessionId } from "../ids/Ids.ts"
import { idGenerator } from "../ids/Ids.ts"
import type { Page, PageRequest } from "../paging/Page.ts"
import type { StartedSession } from "../sessions/Sessions.ts"
import { Sessions } from "../sessions/Sessions.ts"
import type { SignedIn } from "../sessions/SessionStore.ts"
import { challengeOf } from "./challengeOf.ts"
import type { ChallengePurpose, Passkey } from "./Passkey.ts"
import { challengeLifetime, elevation, isNewer, mostPasskeys } from "./Passkey.ts"
import { assertionOptions, registrationOptions } from "./PasskeyOptions.ts"
import { PasskeyStore } from "./PasskeyStore.ts"
import type { AssertionAnswer, RegistrationAnswer, RelyingParty } from "./RelyingParty.ts"

type CreationOptions = ReturnType<typeof registrationOptions>
type RequestOptions = ReturnType<typeof assertionOptions>

const refused = new InvalidApiKey({ reason: "passkey" })

const notValid = (message: string) => new ValidationFailed({ issues: [{ path: "", message }] })

const all: PageRequest = { page: 1, limit: mostPasskeys }

/** The session of a caller, which the access rule requires. */
const sessionOf = ({ session }: Caller): Effect.Effect<CallerSession, KeyRefused> =>
  session === undefined ? Effect.fail(new InvalidApiKey({ reason: "missing" })) : Effect.succeed(session)

/** Passkeys of people who sign in with a browser: registration, signing in, and confirmation (PASSKEY-1 to PASSKEY-9). */
export class Passkeys extends Context.Service<
  Passkeys,
  {
    readonly registrationOptions: (
      rp: RelyingParty,
      caller: Caller
    ) => StoreEffect<CreationOptions, AgentNotClaimed | KeyRefused | NotFound>
    readonly register: (
      rp: RelyingParty,
      caller: Caller,
      answer: RegistrationAnswer,
      name: string
    ) => StoreEffect<Passkey, AgentNotClaimed | Conflict | KeyRefused | ValidationFailed>
    readonly list: (caller: Caller, page: PageRequest) => StoreEffect<Page<Passkey>, AgentNotClaimed>
    readonly rename: (caller: Caller, id: PasskeyId, name: string) => StoreEffect<Passkey, AgentNotClaimed | NotFound>
    readonly remove: (caller: Caller, id: PasskeyId) => StoreEffect<void, AgentNotClaimed | NotFound>
    readonly signInOptions: (rp: RelyingParty) => StoreEffect<RequestOptions>
    readonly signIn: (
      rp: RelyingParty,
      answer: AssertionAnswer,
      userAgent: string | null
    ) => StoreEffect<StartedSession, KeyRefused>
    readonly stepUpOptions: (
      rp: RelyingParty,
      caller: Caller
    ) => StoreEffect<RequestOptions, AgentNotClaimed | KeyRefused>
    /** Elevates the caller's session for five minutes (SESSION-17). */
    readonly stepUp: (
      rp: RelyingParty,
      caller: Caller,
      answer: AssertionAnswer,
      signedIn: SignedIn
    ) => StoreEffect<SignedIn, AgentNotClaimed | KeyRefused | StepUpRequired>
  }
>()("@agent-marketplace/core/passkeys/Passkeys") {
  static readonly layer = Layer.effect(
    Passkeys,
    Effect.gen(function* () {
      const store = yield* PasskeyStore
      const identity = yield* IdentityStore
      const sessions = yield* Sessions
      const clock = yield* MarketClock
      const ids = yield* idGenerator

      const issue = Effect.fnUntraced(function* (purpose: ChallengePurpose, sessionId: SessionId | null) {
        const challenge = Base64Url.encode(yield* ids.bytes(32))
        yield* store.addChallenge({ challenge, purpose, sessionId, expiresAt: (yield* clock.now) + challengeLifetime })
        return challenge
      })

      /** The challenge of an answer, if it was issued for this purpose. It is used up in any case. */
      const spend = Effect.fnUntraced(function* (
        clientDataJSON: string,
        purpose: ChallengePurpose,
        sessionId: SessionId | null
      ) {
        const presented = challengeOf(clientDataJSON)
        if (presented === undefined) return Option.none<string>()
        const taken = yield* store.takeChallenge(presented, yield* clock.now)
        return Option.filter(taken, (known) => known.purpose === purpose && known.sessionId === sessionId).pipe(
          Option.map(({ challenge }) => challenge)
        )
      })

      /** The passkey that has signed the answer. The failure does not reveal its reason. */
      const verified = Effect.fnUntraced(function* (
        rp: RelyingParty,
        answer: AssertionAnswer,
        purpose: ChallengePurpose,
        sessionId: SessionId | null
      ) {
        const challenge = yield* spend(answer.response.clientDataJSON, purpose, sessionId)
        const passkey = yield* store.find(answer.id)
        if (Option.isNone(challenge) || Option.isNone(passkey)) return yield* refused
        const { accountId, counter: stored, credentialId } = passkey.value
        const { userHandle } = answer.response
        if (userHandle !== undefined && userHandle !== Base64Url.encode(accountId)) return yield* refused
        const assertion = yield* Effect.mapError(
          rp.verifyAssertion(answer, challenge.value, passkey.value),
          () => refused
        )
        if (!isNewer(assertion.counter, stored)) return yield* refused
        return { passkey: passkey.value, use: { credentialId, ...assertion, at: yield* clock.now } }
      })

      return {
        registrationOptions: Effect.fn("Passkeys.registrationOptions")(function* (rp, caller) {
          const owner = yield* ownerOf(caller)
          const { id } = yield* sessionOf(caller)
          const account = yield* identity.findAccount(owner)
          if (Option.isNone(account)) return yield* new NotFound({ resource: "ACCOUNT" })
          const { items } = yield* store.list(owner, all)
          return registrationOptions(rp, account.value, items, yield* issue("register", id))
        }),
        register: Effect.fn("Passkeys.register")(function* (rp, caller, answer, name) {
          const accountId = yield* ownerOf(caller)
          const { id: sessionId } = yield* sessionOf(caller)
          const challenge = yield* spend(answer.response.clientDataJSON, "register", sessionId)
          if (Option.isNone(challenge)) {
            return yield* notValid(
              "the challenge is unknown, expired, used, or of another session: request new options"
            )
          }
          const credential = yield* Effect.mapError(rp.verifyRegistration(answer, challenge.value), ({ reason }) =>
            notValid(`the passkey is refused: ${reason}`)
          )
          const id = yield* ids.make("passkey")
          const passkey = { ...credential, id, accountId, name, createdAt: yield* clock.now, lastUsedAt: null }
          yield* store.add(passkey, caller.keyId, mostPasskeys)
          return passkey
        }),
        list: Effect.fn("Passkeys.list")(function* (caller, page) {
          return yield* store.list(yield* ownerOf(caller), page)
        }),
        rename: Effect.fn("Passkeys.rename")(function* (caller, id, name) {
          const renamed = yield* store.rename(id, yield* ownerOf(caller), name)
          if (Option.isNone(renamed)) return yield* new NotFound({ resource: "PASSKEY" })
          return renamed.value
        }),
        remove: Effect.fn("Passkeys.remove")(function* (caller, id) {
          if (!(yield* store.remove(id, yield* ownerOf(caller)))) return yield* new NotFound({ resource: "PASSKEY" })
        }),
        signInOptions: Effect.fn("Passkeys.signInOptions")(function* (rp) {
          return assertionOptions(rp, [], yield* issue("sign_in", null))
        }),
        signIn: Effect.fn("Passkeys.signIn")(function* (rp, answer, userAgent) {
          const { passkey, use } = yield* verified(rp, answer, "sign_in", null)
          return yield* sessions.startWithPasskey(
            userAgent,
            Effect.fnUntraced(function* (draft) {
              const { accountId } = passkey
              if (!(yield* store.signIn(use, { ...draft, accountId, keyId: null }))) return yield* refused
            })
          )
        }),
        stepUpOptions: Effect.fn("Passkeys.stepUpOptions")(function* (rp, caller) {
          const { items } = yield* store.list(yield* ownerOf(caller), all)
          const { id } = yield* sessionOf(caller)
          return assertionOptions(rp, items, yield* issue("step_up", id))
        }),
        stepUp: Effect.fn("Passkeys.stepUp")(function* (rp, caller, answer, signedIn) {
          const { id } = yield* sessionOf(caller)
          const elevated = Effect.gen(function* () {
            const { passkey, use } = yield* verified(rp, answer, "step_up", id)
            const until = use.at + elevation
            if (passkey.accountId !== caller.accountId) return yield* refused
            if (!(yield* store.stepUp(use, id, until))) return yield* refused
            return { ...signedIn, session: { ...signedIn.session, elevatedUntil: until } }
          })
          return yield* Effect.catchTag(elevated, "InvalidApiKey", () => Effect.fail(new StepUpRequired()))
        })
      }
    })
  )
}
