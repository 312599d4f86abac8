import { Context, Effect, Layer, Option, Redacted, Result } from "effect"
import { MarketClock } from "../clock/MarketClock.ts"
import { MarketConfig } from "../config/MarketConfig.ts"
import type { AccountFrozen, AgentNotClaimed, Issue } from "../errors/MarketError.ts"
import { Conflict, NotFound, ValidationFailed } from "../errors/MarketError.ts"
import type { StoreEffect } from "../errors/StoreEffect.ts"
import type { Caller } from "../identity/Caller.ts"
import { ownerOf } from "../identity/Caller.ts"
import type { ChannelId } from "../ids/Ids.ts"
import { idGenerator } from "../ids/Ids.ts"
import type { Page, PageRequest } from "../paging/Page.ts"
import { SecretBox } from "../webhooks/SecretBox.ts"
import { UrlGuard } from "../webhooks/UrlGuard.ts"
import type { ChannelDraft } from "./ChannelDraft.ts"
import { labelOf, targetIssues, urlOfTarget } from "./ChannelDraft.ts"
import { makeChannelSecrets, unsubscribeUrl } from "./ChannelSecrets.ts"
import { confirmationOf, testMessageOf } from "./Message.ts"
import type { ChannelKind, ChannelTarget, Digest, NotificationChannel } from "./NotificationChannel.ts"
import { channelKinds, codeLifetime, codeTries, hasRoom, paced } from "./NotificationChannel.ts"
import type { NotificationPreferences } from "./NotificationKind.ts"
import { defaultPreferences } from "./NotificationKind.ts"
import { NotificationStore } from "./NotificationStore.ts"
import { Notifier } from "./Notifier.ts"

export interface ChannelPatch {
  readonly enabled?: boolean | undefined
  readonly digest?: Digest | undefined
}

/** The result of a test; `problem` is null if the message was accepted. */
export interface TestResult {
  readonly sent: boolean
  readonly problem: string | null
}

/** The length of a confirmation code: 40 random bits. */
const codeLength = 8

const notFound = new NotFound({ resource: "CHANNEL" })

const unavailable: Readonly<Record<ChannelTarget["kind"], string>> = {
  email: "must not be email: this market sends no e-mail, because SMTP_URL is not set",
  push: "must not be push: this market sends no push messages",
  slack: "is not available in this market",
  telegram: "is not available in this market",
  discord: "is not available in this market"
}

/** The notification settings and channels of an account (NOTIFY-2, NOTIFY-3, NOTIFY-9 to NOTIFY-11, NOTIFY-14). */
export class Notifications extends Context.Service<
  Notifications,
  {
    /** The kinds of channels that this market can send to. */
    readonly kinds: ReadonlyArray<ChannelKind>
    /** The key with which browsers subscribe; null if this market sends no push messages. */
    readonly pushKey: string | null
    readonly preferences: (caller: Caller) => StoreEffect<NotificationPreferences, AgentNotClaimed>
    readonly setPreferences: (
      caller: Caller,
      preferences: NotificationPreferences
    ) => StoreEffect<NotificationPreferences, AccountFrozen | AgentNotClaimed>
    readonly list: (caller: Caller, page: PageRequest) => StoreEffect<Page<NotificationChannel>, AgentNotClaimed>
    /** An e-mail channel gets a confirmation code and is silent until it is entered. Fails with Conflict `not_sent` if the code cannot be sent. */
    readonly add: (
      caller: Caller,
      draft: ChannelDraft
    ) => StoreEffect<NotificationChannel, AccountFrozen | AgentNotClaimed | Conflict | ValidationFailed>
    readonly update: (
      caller: Caller,
      id: ChannelId,
      patch: ChannelPatch
    ) => StoreEffect<NotificationChannel, AgentNotClaimed | NotFound>
    readonly remove: (caller: Caller, id: ChannelId) => StoreEffect<void, AgentNotClaimed | NotFound>
    /** Sends a new code; the old one is void. */
    readonly sendCode: (
      caller: Caller,
      id: ChannelId
    ) => StoreEffect<NotificationChannel, AccountFrozen | AgentNotClaimed | Conflict | NotFound>
    /** Enters the code. Five wrong ones void it. */
    readonly verify: (
      caller: Caller,
      id: ChannelId,
      code: string
    ) => StoreEffect<NotificationChannel, AgentNotClaimed | Conflict | NotFound | ValidationFailed>
    /** Sends a test message now. Fails with Conflict `unverified` or `disabled` if the channel gets no messages. */
    readonly test: (caller: Caller, id: ChannelId) => StoreEffect<TestResult, AgentNotClaimed | Conflict | NotFound>
    /** Turns the channel of a token off. False if the market did not issue the token. A removed channel counts as turned off. */
    readonly unsubscribe: (token: string) => StoreEffect<boolean>
    /** Whether the market issued the token. */
    readonly knows: (token: string) => Effect.Effect<boolean>
  }
>()("@agent-marketplace/core/notifications/Notifications") {
  static readonly layer = Layer.effect(
    Notifications,
    Effect.gen(function* () {
      const store = yield* NotificationStore
      const notifier = yield* Notifier
      const clock = yield* MarketClock
      const guard = yield* UrlGuard
      const box = yield* SecretBox
      const ids = yield* idGenerator
      const secrets = yield* makeChannelSecrets
      const { baseUrl } = yield* MarketConfig

      const owned = Effect.fnUntraced(function* (caller: Caller, id: ChannelId) {
        const owner = yield* ownerOf(caller)
        const found = yield* store.find(id)
        return Option.isSome(found) && found.value.accountId === owner ? found.value : yield* notFound
      })

      const changed = Effect.fnUntraced(function* <E>(
        id: ChannelId,
        rule: (channel: NotificationChannel) => Result.Result<NotificationChannel, E>
      ) {
        const after = yield* store.update(id, yield* clock.now, rule)
        return Option.isSome(after) ? after.value : yield* notFound
      })

      const issuesOf = Effect.fnUntraced(function* (target: ChannelTarget): Effect.fn.Return<ReadonlyArray<Issue>> {
        if (!notifier.kinds.has(target.kind)) return [{ path: "kind", message: unavailable[target.kind] }]
        const url = urlOfTarget(target)
        const refused =
          url === undefined
            ? []
            : yield* Effect.match(guard.check(url), {
                onSuccess: (): ReadonlyArray<Issue> => [],
                onFailure: ({ reason }) => [{ path: target.kind === "push" ? "endpoint" : "url", message: reason }]
              })
        return [...targetIssues(target), ...refused]
      })

      const targetOf = (channel: NotificationChannel) =>
        Effect.map(
          Effect.option(box.open(channel.target, channel.id)),
          Option.map((text) => JSON.parse(Redacted.value(text)) as ChannelTarget)
        )

      const newCode = Effect.fnUntraced(function* (id: ChannelId, now: number) {
        const code = yield* ids.random(codeLength)
        return {
          code,
          fields: { codeHash: yield* secrets.codeHash(id, code), codeExpiresAt: now + codeLifetime, codeTries: 0 }
        }
      })

      const sendCodeTo = Effect.fnUntraced(function* (target: ChannelTarget, code: string, now: number) {
        const result = yield* notifier.send(target, confirmationOf(`ntc_${yield* ids.random(16)}`, code, baseUrl, now))
        if (result._tag !== "Sent") return yield* new Conflict({ state: "not_sent", reason: result.problem })
      })

      return {
        kinds: channelKinds.filter((kind) => notifier.kinds.has(kind)),
        pushKey: notifier.kinds.has("push") ? notifier.pushKey : null,
        preferences: Effect.fn("Notifications.preferences")(function* (caller) {
          return Option.getOrElse(yield* store.preferences(yield* ownerOf(caller)), () => defaultPreferences)
        }),
        setPreferences: Effect.fn("Notifications.setPreferences")(function* (caller, preferences) {
          yield* store.setPreferences(yield* ownerOf(caller), preferences)
          return preferences
        }),
        list: Effect.fn("Notifications.list")(function* (caller, page) {
          return yield* store.list(yield* ownerOf(caller), page)
        }),
        add: Effect.fn("Notifications.add")(function* (caller, { digest, target }) {
          const accountId = yield* ownerOf(caller)
          const issues = yield* issuesOf(target)
          if (issues.length > 0) return yield* new ValidationFailed({ issues })
          const id = yield* ids.make("channel")
          const now = yield* clock.now
          const confirmed = target.kind !== "email"
          const { code, fields } = yield* newCode(id, now)
          const channel: NotificationChannel = {
            id,
            accountId,
            kind: target.kind,
            label: labelOf(target),
            target: yield* box.seal(Redacted.make(JSON.stringify(target)), id),
            enabled: true,
            digest,
            verifiedAt: confirmed ? now : null,
            ...(confirmed ? { codeHash: null, codeExpiresAt: null, codeTries: 0 } : fields),
            problem: null,
            tries: 0,
            retryAt: null,
            pacedUntil: now,
            lastSentAt: null,
            createdAt: now
          }
          if (target.kind !== "email") {
            yield* store.create(channel, null)
            return channel
          }
          yield* store.create(channel, { accountId, targetHash: yield* secrets.addressHash(target.address), at: now })
          yield* Effect.onError(sendCodeTo(target, code, now), () => Effect.ignore(store.remove(id)))
          return channel
        }),
        update: Effect.fn("Notifications.update")(function* (caller, id, { digest, enabled }) {
          yield* owned(caller, id)
          return yield* changed(id, (channel) =>
            Result.succeed({
              ...channel,
              enabled: enabled ?? channel.enabled,
              digest: digest ?? channel.digest,
              ...(enabled === true ? { problem: null, tries: 0, retryAt: null } : {})
            })
          )
        }),
        remove: Effect.fn("Notifications.remove")(function* (caller, id) {
          yield* owned(caller, id)
          if (!(yield* store.remove(id))) return yield* notFound
        }),
        sendCode: Effect.fn("Notifications.sendCode")(function* (caller, id) {
          const channel = yield* owned(caller, id)
          const target = yield* targetOf(channel)
          if (channel.verifiedAt !== null) return yield* new Conflict({ state: "verified" })
          if (Option.isNone(target) || target.value.kind !== "email") return yield* notFound
          const now = yield* clock.now
          const { address } = target.value
          yield* store.confirm({
            accountId: channel.accountId,
            targetHash: yield* secrets.addressHash(address),
            at: now
          })
          const { code, fields } = yield* newCode(id, now)
          const after = yield* changed(id, (before) => Result.succeed({ ...before, ...fields }))
          yield* sendCodeTo(target.value, code, now)
          return after
        }),
        verify: Effect.fn("Notifications.verify")(function* (caller, id, code) {
          yield* owned(caller, id)
          const given = yield* secrets.codeHash(id, code)
          const now = yield* clock.now
          const after = yield* changed(id, (channel) => Result.succeed(entered(channel, given, now)))
          if (after.verifiedAt !== null) return after
          if (after.codeHash === null) {
            return yield* new Conflict({ state: "no_code", reason: "the code has expired; request a new one" })
          }
          return yield* new ValidationFailed({
            issues: [{ path: "code", message: "must be the code of the last e-mail" }]
          })
        }),
        test: Effect.fn("Notifications.test")(function* (caller, id) {
          yield* owned(caller, id)
          const now = yield* clock.now
          const channel = yield* changed(id, (before) => {
            if (before.verifiedAt === null) return Result.fail(new Conflict({ state: "unverified" }))
            if (!before.enabled) {
              return Result.fail(new Conflict({ state: "disabled", reason: "the channel is off: turn it on first" }))
            }
            return hasRoom(before, now)
              ? Result.succeed(paced(before, now))
              : Result.fail(new Conflict({ state: "too_many_messages", reason: "wait a minute" }))
          })
          const target = yield* targetOf(channel)
          if (Option.isNone(target)) return { sent: false, problem: unreadable }
          const stop = unsubscribeUrl(baseUrl, yield* secrets.unsubscribeToken(id))
          const result = yield* notifier.send(
            target.value,
            testMessageOf(`ntc_${yield* ids.random(16)}`, baseUrl, stop, now)
          )
          const problem = result._tag === "Sent" ? null : result.problem
          yield* changed(id, (before) =>
            Result.succeed({ ...before, problem, lastSentAt: problem === null ? now : before.lastSentAt })
          )
          return { sent: problem === null, problem }
        }),
        unsubscribe: Effect.fn("Notifications.unsubscribe")(function* (token) {
          const id = yield* secrets.channelOf(token)
          if (id === undefined) return false
          yield* store.update(id, yield* clock.now, (channel) => Result.succeed({ ...channel, enabled: false }))
          return true
        }),
        knows: (token) => Effect.map(secrets.channelOf(token), (id) => id !== undefined)
      }
    })
  )
}

/** Why the target of a channel cannot be used. */
export const unreadable =
  "the channel's address cannot be decrypted with the service's present keys: add the channel again"

/** The channel after a code was entered (NOTIFY-10). */
const entered = (channel: NotificationChannel, given: string, now: number): NotificationChannel => {
  if (channel.verifiedAt !== null || channel.codeHash === null) return channel
  const none = { codeHash: null, codeExpiresAt: null, codeTries: 0 }
  if (channel.codeExpiresAt === null || channel.codeExpiresAt <= now) return { ...channel, ...none }
  if (channel.codeHash === given) return { ...channel, ...none, verifiedAt: now }
  const tries = channel.codeTries + 1
  return tries >= codeTries ? { ...channel, ...none } : { ...channel, codeTries: tries }
}
