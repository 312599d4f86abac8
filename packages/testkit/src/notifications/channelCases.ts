import { MarketClock } from "@agent-marketplace/core/clock/MarketClock"
import { Timestamp } from "@agent-marketplace/core/clock/Timestamp"
import { IdentityStore } from "@agent-marketplace/core/identity/IdentityStore"
import { NotificationStore } from "@agent-marketplace/core/notifications/NotificationStore"
import { channelLimit, confirmationLimits } from "@agent-marketplace/core/notifications/NotificationChannel"
import { defaultPreferences } from "@agent-marketplace/core/notifications/NotificationKind"
import { assert } from "@effect/vitest"
import { Effect, Option, Result } from "effect"
import { eraseNow } from "../fixtures/eraseNow.ts"
import { freshId, freshText } from "../fixtures/freshId.ts"
import { openAccount } from "../fixtures/openAccount.ts"
import type { StoreIt } from "../fixtures/storeSuite.ts"
import { changed, channelOf, claimed, listening } from "./channelFixtures.ts"
import { happen } from "../webhooks/webhookFixtures.ts"

const page = { page: 1, limit: 100 }

export const channelCases = (it: StoreIt): void => {
  it.effect("a channel is stored, listed newest first, changed and removed (NOTIFY-3)", () =>
    Effect.gen(function* () {
      const store = yield* NotificationStore
      const account = yield* openAccount()
      const now = yield* (yield* MarketClock).now
      const first = yield* listening(account, { createdAt: now - 1000, kind: "slack", label: "hooks.slack.com" })
      const code = { codeHash: freshText(), codeExpiresAt: now + 5000, codeTries: 2, verifiedAt: null }
      const second = yield* listening(account, code)
      const listed = yield* store.list(account.id, page)
      assert.deepStrictEqual([listed.items, listed.total], [[second, first], 2])
      const fields = {
        enabled: false,
        digest: "daily",
        verifiedAt: now,
        codeHash: null,
        codeExpiresAt: null,
        codeTries: 0,
        problem: "a problem",
        tries: 3,
        retryAt: now + 7000,
        pacedUntil: now + 9000,
        lastSentAt: now
      } as const
      const after = { ...second, ...fields }
      assert.deepStrictEqual(yield* changed(second, fields), Option.some(after))
      assert.deepStrictEqual(yield* store.find(second.id), Option.some(after))
      const refused = yield* Effect.result(store.update(second.id, now, () => Result.fail("no" as const)))
      assert.isTrue(Result.isFailure(refused))
      assert.isTrue(yield* store.remove(second.id))
      assert.isFalse(yield* store.remove(second.id))
      assert.isTrue(Option.isNone(yield* store.find(second.id)))
      assert.isTrue(Option.isNone(yield* changed(second, {})))
      assert.isTrue(Option.isNone(yield* store.find(freshId("nch"))))
    })
  )

  it.effect("concurrent additions stop at the limit of the account (NOTIFY-12)", () =>
    Effect.gen(function* () {
      const account = yield* openAccount()
      const outcomes = yield* Effect.forEach(
        Array.from({ length: channelLimit + 5 }),
        () => Effect.result(listening(account)),
        { concurrency: "unbounded" }
      )
      assert.lengthOf(outcomes.filter(Result.isSuccess), channelLimit)
    })
  )

  it.effect("a frozen account adds no channels and sets no preferences", () =>
    Effect.gen(function* () {
      const store = yield* NotificationStore
      const account = yield* openAccount()
      yield* (yield* IdentityStore).setFrozen(account.id, { since: 1, reason: null })
      const added = yield* Effect.flip(listening(account))
      assert.strictEqual(added._tag, "AccountFrozen")
      const set = yield* Effect.flip(store.setPreferences(account.id, defaultPreferences))
      assert.strictEqual(set._tag, "AccountFrozen")
    })
  )

  it.effect("preferences are those that were set last; an account that set none has none (NOTIFY-2)", () =>
    Effect.gen(function* () {
      const store = yield* NotificationStore
      const account = yield* openAccount()
      assert.isTrue(Option.isNone(yield* store.preferences(account.id)))
      yield* store.setPreferences(account.id, { ...defaultPreferences, sale: false })
      const last = { ...defaultPreferences, deposit: false }
      yield* store.setPreferences(account.id, last)
      assert.deepStrictEqual(yield* store.preferences(account.id), Option.some(last))
    })
  )

  it.effect(
    "concurrent confirmations stop at the limits of the account and of the address, for a day (NOTIFY-10)",
    () =>
      Effect.gen(function* () {
        const store = yield* NotificationStore
        const at = yield* (yield* MarketClock).now
        const accounts = yield* Effect.replicateEffect(openAccount(), 4)
        const targetHash = freshText()
        const toOne = accounts.flatMap(({ id: accountId }) =>
          Array.from({ length: 3 }, () => Effect.result(store.confirm({ accountId, targetHash, at })))
        )
        const first = yield* Effect.all(toOne, { concurrency: "unbounded" })
        assert.lengthOf(first.filter(Result.isSuccess), confirmationLimits.address)
        const account = yield* openAccount()
        const confirmation = () => ({ accountId: account.id, targetHash: freshText(), at })
        const byOne = Array.from({ length: confirmationLimits.account + 4 }, () =>
          Effect.result(store.confirm(confirmation()))
        )
        const second = yield* Effect.all(byOne, { concurrency: "unbounded" })
        assert.lengthOf(second.filter(Result.isSuccess), confirmationLimits.account)
        const refused = yield* Effect.flip(store.create(yield* channelOf(account), confirmation()))
        assert.deepInclude(refused, { _tag: "Conflict", state: "confirmation_limit" })
        assert.strictEqual((yield* store.list(account.id, page)).total, 0)
        yield* store.confirm({ ...confirmation(), at: at + Timestamp.day })
      })
  )

  it.effect("erasing an account deletes its channels, preferences and notices (NOTIFY-17)", () =>
    Effect.gen(function* () {
      const store = yield* NotificationStore
      const [gone, other] = [yield* openAccount(), yield* openAccount()]
      const channel = yield* listening(gone)
      const kept = yield* listening(other)
      yield* store.setPreferences(gone.id, defaultPreferences)
      yield* happen(other)
      yield* eraseNow(gone)
      assert.isTrue(Option.isNone(yield* store.find(channel.id)))
      assert.isTrue(Option.isNone(yield* store.preferences(gone.id)))
      assert.lengthOf(yield* claimed([channel, kept]), 1)
    })
  )
}
