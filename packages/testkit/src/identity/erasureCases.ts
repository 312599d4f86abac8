import { ActivityStore } from "@agent-marketplace/core/activity/ActivityStore"
import { ApprovalStore } from "@agent-marketplace/core/approvals/ApprovalStore"
import { defaultPolicy } from "@agent-marketplace/core/approvals/SpendingPolicy"
import { MarketClock } from "@agent-marketplace/core/clock/MarketClock"
import type { Account } from "@agent-marketplace/core/identity/Account"
import { erasedAgentName, erasedKeyName, erasedName } from "@agent-marketplace/core/identity/Erasure"
import { ExportStore } from "@agent-marketplace/core/identity/ExportStore"
import { IdentityStore } from "@agent-marketplace/core/identity/IdentityStore"
import { ListingStore } from "@agent-marketplace/core/listings/ListingStore"
import { PurchaseStore } from "@agent-marketplace/core/purchases/PurchaseStore"
import { soulEvent } from "@agent-marketplace/core/souls/SoulRules"
import { SoulStore } from "@agent-marketplace/core/souls/SoulStore"
import { WalletStore } from "@agent-marketplace/core/wallets/WalletStore"
import { openRules } from "@agent-marketplace/core/wallets/WithdrawalRules"
import { WebhookStore } from "@agent-marketplace/core/webhooks/WebhookStore"
import { assert } from "@effect/vitest"
import { Effect, Option, Result, Stream } from "effect"
import { apiKey } from "../fixtures/apiKey.ts"
import { assertBooks } from "../fixtures/assertBooks.ts"
import { claimedAgent } from "../fixtures/claimedAgent.ts"
import { Commands, destination } from "../fixtures/Commands.ts"
import { freshId, freshText, freshWord } from "../fixtures/freshId.ts"
import { listingApproved, listingOnSale } from "../fixtures/listingOnSale.ts"
import { eraseNow } from "../fixtures/eraseNow.ts"
import { openAccount } from "../fixtures/openAccount.ts"
import { publishedSoul } from "../fixtures/publishedSoul.ts"
import { fund, refusalOf, resultOf, settle } from "../fixtures/settle.ts"
import type { StoreIt } from "../fixtures/storeSuite.ts"
import { subjectEvents } from "../fixtures/subjectEvents.ts"
import { usdt } from "../fixtures/usdt.ts"
import { walletOf } from "../fixtures/walletOf.ts"
import { dispatchedTo, deliveriesOf, subscribed } from "../webhooks/webhookFixtures.ts"

const firstPage = { page: 1, limit: 50 }

/** Erases the account; the state of the conflict, or `true`. */
const exported = Effect.fnUntraced(function* ({ id }: Pick<Account, "id">) {
  const store = yield* ExportStore
  const records = store.recordsOf(id)
  const all = yield* Effect.forEach(Object.entries(records), ([kind, stream]) =>
    Effect.map(Stream.runCollect(stream as Stream.Stream<object>), (found) => [kind, found] as const)
  )
  return Object.fromEntries(all)
})

/** Another buyer's approval that is pending, and a refunded subscription, both of the seller's items. The seller earned nothing. */
const pendingAndSubscribed = Effect.fnUntraced(function* (seller: Account) {
  const approvals = yield* ApprovalStore
  const purchases = yield* PurchaseStore
  const buyer = yield* openAccount()
  yield* fund(buyer, usdt(20))
  const subscribe = Commands.buy(buyer, yield* listingOnSale(seller, { pricingModel: "subscription" }))
  const { purchase } = resultOf(yield* settle(subscribe), "Bought")
  resultOf(yield* settle(Commands.refund(purchase)), "Refunded")
  const subscription = Option.getOrThrow(yield* purchases.findSubscription(subscribe.subscriptionId))
  yield* approvals.setPolicy(buyer.id, { ...defaultPolicy, autoApprove: false })
  const request = Commands.buy(buyer, yield* listingOnSale(seller))
  resultOf(yield* settle(request), "Bought")
  const approval = Option.getOrThrow(yield* approvals.find(request.approvalId))
  for (const { item } of [subscription, approval]) assert.strictEqual(item.creator, seller.name)
  return { approval, subscription }
})

const textOf = (value: unknown): string =>
  JSON.stringify(value, (_, each: unknown) => (typeof each === "bigint" ? each.toString() : each))

export const erasureCases = (it: StoreIt): void => {
  it.effect(
    "an erased account's name and e-mail address are in no record; purchases, reviews and licenses stay (ACCOUNT-7, ACCOUNT-8, ACCOUNT-9)",
    () =>
      Effect.gen(function* () {
        const clock = yield* MarketClock
        const identity = yield* IdentityStore
        const listings = yield* ListingStore
        const purchases = yield* PurchaseStore
        const souls = yield* SoulStore
        const activity = yield* ActivityStore
        const approvals = yield* ApprovalStore
        const wallets = yield* WalletStore
        const webhooks = yield* WebhookStore
        const name = `Quokka ${freshWord()}`
        const account = yield* openAccount({ name, email: `${name.replace(" ", ".")}@example.com` })
        const other = yield* openAccount()
        const key = yield* apiKey({ accountId: account.id, name: `Key of ${name}`, createdAt: 1000 })
        yield* identity.createKey(key, null)
        assert.strictEqual(yield* identity.announceRotations(1000, yield* clock.now, 10), 1)
        const agent = yield* claimedAgent(account.id)
        yield* identity.renameAgent(agent.id, account.id, `Agent of ${name}`)
        yield* identity.setFrozen(agent.id, { since: yield* clock.now, reason: `${name} said so` })
        resultOf(yield* settle(Commands.saveAddress(account, destination, `Cold wallet of ${name}`)), "SavedAddress")
        resultOf(yield* settle(Commands.changeWithdrawalRules(account, { allowListOnly: true })), "WithdrawalRules")
        const agentKey = yield* apiKey({ accountId: account.id, agentId: agent.id })
        yield* identity.createKey(agentKey, null)
        const hook = yield* subscribed(account)
        const watching = yield* subscribed(other, { events: ["soul.created"] })
        const listing = yield* listingOnSale(account, { price: usdt(0), pricingModel: "free" })
        const soul = yield* publishedSoul(account, { price: usdt(0) }, { audience: "everyone" })
        const theirs = yield* listingOnSale(other, { price: usdt(0), pricingModel: "free" })
        const [watched] = yield* dispatchedTo(watching, 1)
        assert.include(watched?.payload, name)
        assert.isNotEmpty(yield* deliveriesOf(hook))
        const idempotency = { accountId: other.id, key: freshText(), fingerprint: "buy" }
        const buy = Commands.buy(other, listing, { idempotency })
        const { purchase } = resultOf(yield* settle(buy), "Bought")
        const ownKey = { accountId: account.id, key: freshText(), fingerprint: "buy" }
        const own = Commands.buy(account, theirs, { idempotency: ownKey })
        resultOf(yield* settle({ ...own, trackingId: name }), "Bought")
        const { approval, subscription } = yield* pendingAndSubscribed(account)
        const now = yield* clock.now
        const review = {
          id: freshId("rev"),
          itemId: theirs.id,
          authorId: account.id,
          author: name,
          rating: 4,
          comment: "It works.",
          createdAt: now,
          updatedAt: now
        }
        assert.isTrue(Option.isSome(yield* listings.putReview(review)))

        assert.strictEqual(yield* eraseNow(account), true)

        const after = Option.getOrThrow(yield* identity.findAccount(account.id))
        assert.deepInclude(after, { name: erasedName, email: null, seller: false })
        assert.isNotNull(after.frozen)
        for (const { hash } of [key, agentKey]) assert.isTrue(Option.isNone(yield* identity.findCaller(hash)))
        assert.isTrue(Option.isNone(yield* webhooks.find(hook.id)))
        assert.deepStrictEqual(yield* deliveriesOf(hook), [])
        const bought = Option.getOrThrow(yield* purchases.find(purchase.id))
        assert.strictEqual(bought.item.creator, erasedName)
        assert.isTrue(yield* purchases.isLicensed(other.id, listing.id), "the license stays")
        const again = resultOf(yield* settle(buy), "Bought")
        const ownAgain = refusalOf(yield* settle({ ...own, trackingId: name }), "AccountFrozen")
        const rotations = yield* subjectEvents(key.id)
        assert.deepStrictEqual(
          rotations.map(({ data, type }) => [type, data["name"]]),
          [["key.rotation_due", erasedKeyName]]
        )
        assert.deepStrictEqual(yield* wallets.withdrawalRules(account.id), openRules)
        const waiting = Option.getOrThrow(yield* approvals.find(approval.id))
        assert.deepStrictEqual([waiting.status, waiting.item.creator], ["pending", erasedName])
        const subscribedTo = Option.getOrThrow(yield* purchases.findSubscription(subscription.id))
        assert.strictEqual(subscribedTo.item.creator, erasedName)
        const reviews = yield* listings.listReviews(theirs.id, firstPage)
        assert.deepStrictEqual(
          reviews.items.map(({ author, comment, rating }) => ({ author, comment, rating })),
          [{ author: erasedName, comment: "It works.", rating: 4 }]
        )
        assert.isTrue(Option.isNone(yield* listings.putReview({ ...review, rating: 5 })), "nothing is written later")
        const filter = { limit: 50, offset: 0 }
        const everything = textOf([
          after,
          bought,
          again,
          ownAgain,
          rotations,
          waiting,
          subscribedTo,
          yield* subjectEvents(soul.id),
          yield* subjectEvents(listing.id),
          yield* deliveriesOf(watching),
          yield* activity.recent(50),
          yield* souls.list({ ...filter, search: name }),
          yield* listings.list({ ...filter, search: name }, "skill", "skill"),
          yield* souls.findBySlug(soul.slug),
          yield* listings.detail(listing.id, other.id),
          yield* exported(other),
          yield* exported(account),
          yield* subjectEvents(agent.id)
        ])
        assert.notInclude(everything, name)
        assert.notInclude(everything, account.email ?? "")
        const kept = yield* exported(account)
        assert.deepInclude(kept["agents"]?.[0], { name: erasedAgentName })
        assert.deepStrictEqual(kept["withdrawalAddresses"], [])
        assert.isTrue(Option.isNone(yield* identity.renameAgent(agent.id, account.id, name)), "nothing is named later")
        assert.isFalse(yield* identity.setFrozen(agent.id, { since: now, reason: name }))
        assert.isTrue(Option.getOrThrow(yield* souls.findBySlug(soul.slug)).deleted)
        assert.strictEqual(yield* eraseNow(account), true, "erasing again changes nothing")
        yield* assertBooks
      })
  )

  it.effect("an erased account cannot be changed, unfrozen or recovered, and an unknown one is not found", () =>
    Effect.gen(function* () {
      const clock = yield* MarketClock
      const identity = yield* IdentityStore
      const account = yield* openAccount()
      assert.strictEqual(yield* eraseNow(account), true)
      assert.isTrue(Option.isNone(yield* identity.updateAccount(account.id, { name: "Back" })))
      assert.isFalse(yield* identity.setFrozen(account.id, null))
      const at = yield* clock.now
      const action = {
        id: freshId("act"),
        at,
        actor: "a",
        action: "account.recover",
        subject: account.id,
        reason: null
      }
      const key = { ...(yield* apiKey()), accountId: account.id }
      assert.isFalse(yield* identity.recover(key, { ...action, requestId: freshWord() }))
      assert.strictEqual(yield* eraseNow({ id: freshId("usr") }), false)
    })
  )

  it.effect(
    "money that is available, locked, in escrow, owed or seen prevents the erasure, and nothing changes (ACCOUNT-10)",
    () =>
      Effect.gen(function* () {
        const identity = yield* IdentityStore
        const wallets = yield* WalletStore
        const rich = yield* openAccount()
        yield* fund(rich, usdt(20))
        assert.strictEqual(yield* eraseNow(rich), "balance")
        resultOf(yield* settle(Commands.withdraw(rich, usdt(19), usdt(1))), "Withdrawal")
        assert.strictEqual(yield* eraseNow(rich), "open_withdrawals")

        const seller = yield* openAccount()
        const item = yield* listingOnSale(seller)
        const buyer = yield* openAccount()
        yield* fund(buyer, usdt(10))
        resultOf(yield* settle(Commands.buy(buyer, item, { holdDays: 7 })), "Bought")
        assert.strictEqual(yield* eraseNow(seller), "escrow")
        assert.strictEqual((yield* walletOf(seller)).locked, usdt(9.5))
        assert.strictEqual(Option.getOrThrow(yield* identity.findAccount(seller.id)).name, seller.name)
        assert.strictEqual(yield* eraseNow(buyer), true, "the buyer has spent everything")

        const waiting = yield* openAccount()
        const seen = Commands.deposit(waiting, usdt(5), 0).deposit
        yield* wallets.replacePending(`net-${freshWord()}`, [seen])
        assert.strictEqual(yield* eraseNow(waiting), "pending_deposits")
      })
  )

  it.effect("changes and commands that are concurrent with an erasure leave no name in any record (ACCOUNT-7)", () =>
    Effect.gen(function* () {
      const clock = yield* MarketClock
      const identity = yield* IdentityStore
      const listings = yield* ListingStore
      const souls = yield* SoulStore
      const reader = yield* openAccount()
      for (let round = 0; round < 8; round++) {
        const name = `Numbat ${freshWord()}`
        const account = yield* openAccount({ name })
        const now = yield* clock.now
        const agent = yield* claimedAgent(account.id)
        const code = freshWord()
        const unclaimed = { ...agent, id: freshId("agt"), ownerId: null, name }
        yield* identity.createAgent(unclaimed, null, code)
        const key = yield* apiKey({ accountId: account.id, name, createdAt: 1000 })
        yield* identity.createKey(key, null)
        const soul = yield* publishedSoul(account, { price: usdt(0) })
        const listing = yield* listingOnSale(account)
        yield* fund(account, usdt(6))
        const withdraw = Commands.withdraw(account, usdt(5), usdt(1))
        const { withdrawal } = resultOf(yield* settle(withdraw), "Withdrawal")
        const transaction = { txid: freshText(), raw: "00", expiresAt: now + 60_000 }
        resultOf(yield* settle(Commands.move(withdrawal, { to: "broadcasting", transaction })), "Withdrawal")
        const updated = (author: string) => soulEvent("soul.updated", { ...soul, author }, now, null)
        const [erasure] = yield* Effect.all(
          [
            eraseNow(account),
            Effect.result(identity.claimAgent(code, account.id, defaultPolicy, null)),
            identity.renameAgent(agent.id, account.id, `Agent of ${name}`),
            identity.setFrozen(agent.id, { since: now, reason: `${name} requested it` }),
            identity.announceRotations(1000, now, 10),
            settle(Commands.saveAddress(account, destination, `Wallet of ${name}`)),
            souls.download(soul, reader.id, (one) => soulEvent("soul.downloaded", one, now, null)),
            souls.modify(soul.slug, (one) => Result.succeed({ soul: one, events: [updated(one.author)] })),
            listings.modify(listing.id, (one) => {
              const event = listingApproved(one)
              return Result.succeed({
                listing: one,
                events: [{ ...event, data: { ...event.data, creator: one.creatorName } }]
              })
            }),
            settle(Commands.move(withdrawal, { to: "completed", txid: transaction.txid })),
            settle(Commands.withdraw(account, usdt(5), usdt(1)))
          ],
          { concurrency: "unbounded" }
        )
        assert.include([true, "open_withdrawals"], erasure)
        if (erasure !== true) assert.strictEqual(yield* eraseNow(account), true)
        const records = yield* exported(account)
        const subjects = [soul, listing, agent, key].map(({ id }) => id)
        const events = yield* Effect.forEach(subjects, subjectEvents)
        assert.notInclude(textOf([yield* identity.findAccount(account.id), records, events]), name)
      }
      yield* assertBooks
    })
  )

  it.effect("an erasure and a concurrent sale are serialized (ACCOUNT-10)", () =>
    Effect.gen(function* () {
      const rounds = 12
      const buyer = yield* openAccount()
      yield* fund(buyer, usdt(10 * rounds))
      for (let round = 0; round < rounds; round++) {
        const seller = yield* openAccount()
        const item = yield* listingOnSale(seller)
        const [erasure, sale] = yield* Effect.all([eraseNow(seller), settle(Commands.buy(buyer, item))], {
          concurrency: "unbounded"
        })
        const { available } = yield* walletOf(seller)
        assert.deepStrictEqual(
          [Result.isSuccess(sale), available],
          erasure === true ? [false, usdt(0)] : [true, usdt(9.5)],
          String(erasure)
        )
      }
      yield* assertBooks
    })
  )

  it.effect("a deposit at the same moment is never lost: it prevents the erasure, or is credited after it", () =>
    Effect.gen(function* () {
      const identity = yield* IdentityStore
      for (let round = 0; round < 8; round++) {
        const account = yield* openAccount()
        const [erasure] = yield* Effect.all([eraseNow(account), fund(account, usdt(3))], { concurrency: "unbounded" })
        assert.include([true, "balance"], erasure)
        assert.strictEqual((yield* walletOf(account)).available, usdt(3))
        const { name } = Option.getOrThrow(yield* identity.findAccount(account.id))
        assert.strictEqual(name, erasure === true ? erasedName : account.name)
      }
      yield* assertBooks
    })
  )

  it.effect("an export yields every record of the account once, deleted ones too, and none of others (ACCOUNT-6)", () =>
    Effect.gen(function* () {
      const souls = yield* SoulStore
      const account = yield* openAccount()
      const other = yield* openAccount()
      const agents = [yield* claimedAgent(account.id), yield* claimedAgent(account.id)]
      yield* claimedAgent(other.id)
      const listing = yield* listingOnSale(account, { price: usdt(2) })
      const soul = yield* publishedSoul(account)
      yield* souls.modify(soul.slug, (one) =>
        Result.succeed({ soul: { ...one, content: "# Rewritten", version: 2, deleted: true }, events: [] })
      )
      const theirs = yield* listingOnSale(other, { price: usdt(3), pricingModel: "subscription" })
      const hook = yield* subscribed(account)
      yield* subscribed(other)
      const policies = yield* ApprovalStore
      const [spender] = agents
      if (spender !== undefined) yield* policies.setPolicy(spender.id, { ...defaultPolicy, dailyLimit: usdt(7) })
      const { saved } = resultOf(yield* settle(Commands.saveAddress(account, destination, "cold")), "SavedAddress")
      yield* settle(Commands.saveAddress(other, destination, "theirs"))
      yield* fund(account, usdt(30))
      yield* fund(other, usdt(30))
      const { purchase } = resultOf(yield* settle(Commands.buy(account, theirs)), "Bought")
      const sold = resultOf(yield* settle(Commands.buy(other, listing)), "Bought").purchase
      resultOf(yield* settle(Commands.withdraw(account, usdt(5), usdt(1))), "Withdrawal")
      const all = yield* exported(account)
      const ids = (kind: string) => (all[kind] as ReadonlyArray<{ readonly id: string }>).map(({ id }) => id)
      assert.sameMembers(
        ids("agents"),
        agents.map(({ id }) => id)
      )
      assert.deepStrictEqual(ids("listings"), [listing.id])
      assert.deepStrictEqual(ids("souls"), [soul.id])
      const versions = all["soulVersions"] as ReadonlyArray<{ readonly version: number; readonly content: string }>
      assert.deepStrictEqual(
        versions.map(({ content, version }) => [version, content]),
        [
          [1, soul.content],
          [2, "# Rewritten"]
        ]
      )
      assert.deepStrictEqual(ids("purchases"), [purchase.id])
      assert.deepStrictEqual(ids("sales"), [sold.id])
      assert.deepStrictEqual(ids("webhooks"), [hook.id])
      assert.lengthOf(ids("subscriptions"), 1)
      assert.lengthOf(ids("withdrawals"), 1)
      assert.lengthOf(ids("keys"), 1)
      assert.deepStrictEqual(all["agentPolicies"], [
        { agentId: spender?.id, policy: { ...defaultPolicy, dailyLimit: usdt(7) } }
      ])
      assert.deepStrictEqual(all["withdrawalAddresses"], [saved])
      assert.deepStrictEqual([ids("reviews"), ids("approvals")], [[], []])
    })
  )
}
