import { Approval, toApproval } from "@agent-marketplace/api/approvals/ApprovalSchemas"
import { Policy, toPolicy } from "@agent-marketplace/api/approvals/PolicySchemas"
import { AdminAccount, IssuedKey, Key } from "@agent-marketplace/api/identity/IdentitySchemas"
import { toAccount, toAdminAccount, toAgent, toIssuedKey, toKey } from "@agent-marketplace/api/identity/IdentityWire"
import { ListingDetail, ListingItem } from "@agent-marketplace/api/listings/ListingSchemas"
import { SkillDetail, SkillItem, toSkillCreated } from "@agent-marketplace/api/listings/SkillSchemas"
import { BuyResult, LicenseCheck, Purchase, Sale, Subscription } from "@agent-marketplace/api/purchases/PurchaseSchemas"
import * as PurchaseWire from "@agent-marketplace/api/purchases/PurchaseWire"
import { AdminSoul, SoulDetail, SoulItem } from "@agent-marketplace/api/souls/SoulSchemas"
import { toAdminSoul, toSoulCreated } from "@agent-marketplace/api/souls/SoulWire"
import { TransactionCsv } from "@agent-marketplace/api/wallets/TransactionCsv"
import { Transaction, WalletBalance, Withdrawal } from "@agent-marketplace/api/wallets/WalletSchemas"
import { toTransaction, toWalletBalance, toWithdrawal } from "@agent-marketplace/api/wallets/WalletWire"
import { toPagination } from "@agent-marketplace/api/wire/Envelope"
import type { Approval as CoreApproval } from "@agent-marketplace/core/approvals/Approval"
import { defaultPolicy } from "@agent-marketplace/core/approvals/SpendingPolicy"
import type { Account } from "@agent-marketplace/core/identity/Account"
import type { ApiKey } from "@agent-marketplace/core/identity/ApiKey"
import type { Listing } from "@agent-marketplace/core/listings/Listing"
import { ListingJson } from "@agent-marketplace/core/listings/ListingJson"
import { Usdt } from "@agent-marketplace/core/money/Usdt"
import { saleOf } from "@agent-marketplace/core/purchases/Sale"
import type { Purchase as CorePurchase } from "@agent-marketplace/core/purchases/Purchase"
import type { Subscription as CoreSubscription } from "@agent-marketplace/core/purchases/Subscription"
import type { Soul } from "@agent-marketplace/core/souls/Soul"
import { SoulJson } from "@agent-marketplace/core/souls/SoulJson"
import type { Withdrawal as CoreWithdrawal } from "@agent-marketplace/core/wallets/Withdrawal"
import { Schema } from "effect"
import { assert, describe, it } from "vitest"

/** Asserts that a response matches its schema, field by field, without further fields. */
const conforms = (schema: Schema.Codec<unknown, unknown>, answer: unknown): void => {
  const sent: unknown = JSON.parse(JSON.stringify(answer))
  const decoded = Schema.decodeUnknownSync(schema, { onExcessProperty: "error", errors: "all" })(sent)
  assert.deepStrictEqual(decoded, sent)
}

const usdt = (text: string): Usdt => Usdt.of(BigInt(Math.round(Number(text) * 1_000_000)))
const at = Date.UTC(2025, 0, 15, 12)

const soul = {
  id: "soul_1",
  slug: "rust-reviewer",
  name: "Rust Reviewer",
  description: "Reviews Rust code.",
  price: usdt("4.99"),
  category: "soul-developer",
  tags: ["rust"],
  authorId: "usr_1",
  author: "Ada",
  content: "# SOUL",
  version: 2,
  visibility: "public",
  thumbnailUrl: null,
  deleted: false,
  withheld: false,
  releaseVersion: null,
  trust: null,
  creatorVerified: false,
  quarantined: false,
  quarantine: null,
  suspension: null,
  reasonCode: null,
  decidedAt: null,
  publishedAt: at,
  downloads: 3,
  createdAt: at,
  updatedAt: at
} as unknown as Soul

const listing = {
  id: "lst_1",
  slug: "csv-cleaner",
  name: "CSV Cleaner",
  description: "Cleans CSV files.",
  shortDesc: null,
  longDescription: null,
  price: usdt("12.5"),
  currency: "USD",
  category: "data",
  tags: [],
  installUrl: "https://example.com/x",
  documentationUrl: null,
  thumbnailUrl: null,
  screenshots: [],
  videoUrl: null,
  pricingModel: "one_time",
  maxActivations: null,
  status: "approved",
  rejectionReason: null,
  reasonCode: null,
  decidedAt: null,
  featured: false,
  withheld: false,
  releaseVersion: null,
  trust: null,
  creatorVerified: false,
  quarantined: false,
  quarantine: null,
  pendingChanges: null,
  changedSinceReview: false,
  waitingSince: null,
  creatorId: "usr_1",
  creatorName: "Ada",
  createdAt: at,
  updatedAt: at
} as unknown as Listing

const stats = { sales: 12, rating: 4.5, reviews: 3 }

const purchase = {
  id: "pur_1",
  buyerId: "usr_2",
  sellerId: "usr_1",
  agentId: null,
  trackingId: null,
  failureReason: null,
  item: {
    id: "lst_1",
    kind: "listing",
    name: "CSV Cleaner",
    slug: "csv-cleaner",
    description: "Cleans CSV files.",
    category: "data",
    creator: "Ada"
  },
  amount: usdt("12.5"),
  fee: usdt("0.625"),
  status: "completed",
  licenseKey: "AAAAA",
  licenseType: "perpetual",
  purchasedAt: at,
  expiresAt: null
} as unknown as CorePurchase

describe("souls and listings", () => {
  it("match their schemas (SOUL-1, SOUL-2, LISTING-1, SKILL-2, SKILL-3)", () => {
    conforms(SoulItem, JSON.parse(SoulJson.close(SoulJson.itemHead(soul), 3)))
    conforms(SoulDetail, JSON.parse(SoulJson.closeDetail(SoulJson.detailHead(soul), 3, stats)))
    conforms(SoulDetail, JSON.parse(SoulJson.closeDetail(SoulJson.previewHead(soul), 3, stats)))
    const own = SoulJson.detailHead(soul) + SoulJson.ownFields(soul)
    conforms(SoulDetail, JSON.parse(SoulJson.closeDetail(own, 3, stats)))
    conforms(SkillItem, JSON.parse(SoulJson.closeSkill(SoulJson.skillHead(soul), stats)))
    conforms(SkillDetail, JSON.parse(SoulJson.closeSkillDetail(SoulJson.skillDetailHead(soul), stats)))
    conforms(AdminSoul, toAdminSoul(soul))
    conforms(ListingItem, JSON.parse(ListingJson.closeListing(ListingJson.listingHead(listing), stats)))
    conforms(
      ListingDetail,
      JSON.parse(ListingJson.closeListingDetail(ListingJson.listingDetailHead(listing), stats, null))
    )
    const ownListing = ListingJson.listingDetailHead(listing) + ListingJson.ownDetailFields(listing)
    conforms(ListingDetail, JSON.parse(ListingJson.closeListingDetail(ownListing, stats, null)))
    conforms(SkillItem, JSON.parse(ListingJson.closeSkill(ListingJson.skillHead(listing), stats)))
    conforms(SkillDetail, JSON.parse(ListingJson.closeSkillDetail(ListingJson.skillDetailHead(listing), stats)))
  })

  it("have exactly the fields of a creation when they are created (SOUL-30, SKILL-9)", () => {
    assert.deepStrictEqual(Object.keys(toSoulCreated(soul)), [
      "id",
      "slug",
      "name",
      "description",
      "price",
      "category",
      "tags",
      "author",
      "createdAt"
    ])
    assert.strictEqual(toSoulCreated(soul).price, "4.99")
    assert.strictEqual(toSkillCreated(listing).status, "pending_review")
    assert.strictEqual(toSkillCreated(listing).price, "12.50")
  })
})

describe("purchases", () => {
  it("carry numbers and the license (BUY-15)", () => {
    const shown = PurchaseWire.toPurchase(purchase, at)
    conforms(Purchase, shown)
    assert.deepStrictEqual([shown.amount, shown.fee, shown.isValid, shown.licenseKey], [12.5, 0.625, true, "AAAAA"])
  })

  it("show the seller the buyer's account and the net, and not the license (SALE-3, SALE-4)", () => {
    const shown = PurchaseWire.toSale(saleOf(purchase), at)
    conforms(Sale, shown)
    assert.deepStrictEqual([shown.kind, shown.buyerId, shown.net], ["sale", purchase.buyerId, 11.875])
    assert.notProperty(shown, "agentId")
    assert.notInclude(JSON.stringify(shown), "AAAAA")
  })

  it("are valid until the paid period ends", () => {
    const paid: CorePurchase = { ...purchase, expiresAt: at + 1 }
    assert.isTrue(PurchaseWire.toPurchase(paid, at).isValid)
    assert.isFalse(PurchaseWire.toPurchase(paid, at + 1).isValid)
  })

  it("that wait for approval have no license yet (BUY-11)", () => {
    const waiting = PurchaseWire.toBuyResult({ ...purchase, status: "pending", licenseKey: null })
    conforms(BuyResult, waiting)
    assert.deepStrictEqual([waiting.status, waiting.licenseKey], ["pending_approval", null])
    assert.strictEqual(PurchaseWire.toBuyResult(purchase).status, "completed")
  })

  it("reveal nothing about an unknown license (LICENSE-4)", () => {
    const unknown = PurchaseWire.toLicenseCheck({ valid: false, purchase: null })
    conforms(LicenseCheck, unknown)
    const { valid, ...rest } = unknown
    assert.isFalse(valid)
    assert.isTrue(Object.values(rest).every((value) => value === null))
    conforms(LicenseCheck, PurchaseWire.toLicenseCheck({ valid: true, purchase }))
  })

  it("that renew, or wait for approval, match their schemas too", () => {
    const subscription = {
      ...purchase,
      id: "sub_1",
      purchaseId: "pur_1",
      price: purchase.amount,
      status: "active",
      currentPeriodStart: at,
      currentPeriodEnd: at + 1,
      cancelAtPeriodEnd: false,
      refusedSince: null,
      nextAttemptAt: null
    } as unknown as CoreSubscription
    conforms(Subscription, PurchaseWire.toSubscription(subscription))
    const approval = {
      ...purchase,
      id: "apr_1",
      purchaseId: "pur_1",
      accountId: "usr_2",
      pricingModel: "one_time",
      status: "pending",
      requestedAt: at,
      expiresAt: at + 1,
      decidedAt: null
    } as unknown as CoreApproval
    conforms(Approval, toApproval(approval))
    conforms(Policy, toPolicy({ ...defaultPolicy, dailyLimit: usdt("5"), blockedSellers: ["usr_1"] }))
  })
})

describe("wallets", () => {
  it("add up: the balance is the sum of available and locked (WALLET-1, WALLET-2)", () => {
    const shown = toWalletBalance({
      available: usdt("100.5"),
      locked: usdt("20"),
      pending: usdt("1"),
      depositAddress: null,
      totalDeposits: usdt("200"),
      totalWithdrawals: usdt("51"),
      totalSpent: usdt("60"),
      totalEarned: usdt("31.5"),
      debt: usdt("0"),
      escrow: []
    })
    conforms(WalletBalance, shown)
    assert.deepStrictEqual(
      [shown.balance, shown.availableBalance, shown.lockedBalance, shown.pendingBalance],
      [120.5, 100.5, 20, 1]
    )
  })

  const withdrawal = {
    id: "wdr_1",
    accountId: "usr_1",
    amount: usdt("50"),
    fee: usdt("1"),
    network: "TRON",
    destinationAddress: "T1",
    state: "broadcasting",
    transaction: { txid: "ab", raw: "", expiresAt: at },
    attempts: 1,
    tokenFee: null,
    failure: null,
    createdAt: at,
    completedAt: null
  } as unknown as CoreWithdrawal

  it("show a withdrawal's transaction only when it is completed (WITHDRAWAL-2)", () => {
    const under = toWithdrawal(withdrawal)
    conforms(Withdrawal, under)
    assert.deepStrictEqual([under.status, under.txHash, under.totalAmount], ["pending", null, 51])
    const done = toWithdrawal({ ...withdrawal, state: "completed", completedAt: at })
    assert.deepStrictEqual([done.status, done.txHash], ["completed", "ab"])
  })

  it("have signed amounts in ledger lines, as JSON and as CSV (MONEY-6, LEDGER-3)", () => {
    const line = {
      id: "txn_1",
      type: "purchase",
      amount: -10_000_000n,
      balanceAfter: usdt("1.5"),
      reference: 'a,"b"',
      agentId: null,
      createdAt: at
    } as const
    conforms(Transaction, toTransaction(line))
    assert.strictEqual(TransactionCsv.header, "id,type,amount,balanceAfter,reference,createdAt,agentId\r\n")
    assert.strictEqual(TransactionCsv.row(line), 'txn_1,purchase,-10.00,1.50,"a,""b""",2025-01-15T12:00:00.000Z,\r\n')
  })
})

describe("identity", () => {
  const key = {
    id: "key_1",
    accountId: "usr_1",
    agentId: null,
    name: "CI",
    scope: "FULL",
    prefix: "amk_4fTgRq1Z",
    hash: "secret-hash",
    status: "active",
    expiresAt: null,
    rotatedFrom: null,
    familyId: "key_1",
    familyEndsAt: null,
    lastUsedAt: at,
    createdAt: at
  } as unknown as ApiKey

  it("shows a key's secret only in the response that creates it, and never its hash (KEY-4)", () => {
    conforms(Key, toKey(key))
    const issued = toIssuedKey({ key, token: "amk_token" })
    conforms(IssuedKey, issued)
    assert.strictEqual(issued.key, "amk_token")
    assert.notInclude(JSON.stringify([toKey(key), issued]), "secret-hash")
  })

  it("shows the hourly limit to operators only, and whether an agent is claimed", () => {
    const account = {
      id: "usr_1",
      name: "Ada",
      email: null,
      seller: true,
      tier: "pro",
      hourlyLimit: 5,
      quotas: { souls: 5 },
      operator: true,
      createdAt: at,
      frozen: { since: at, reason: "stolen" }
    } as unknown as Account
    conforms(AdminAccount, toAdminAccount(account))
    assert.notProperty(toAccount(account), "hourlyLimit")
    const agent = {
      id: "agt_1",
      name: "A",
      ownerId: null,
      source: "api",
      createdAt: at,
      retiredAt: null,
      frozen: null
    } as unknown as Parameters<typeof toAgent>[0]
    assert.isFalse(toAgent(agent).claimed)
    assert.isTrue(toAgent({ ...agent, ownerId: account.id }).claimed)
  })
})

describe("page numbers (WIRE-9, WIRE-11, WIRE-18)", () => {
  it("are 0 pages if there are no records", () => {
    const request = { page: 1, limit: 20 }
    assert.deepStrictEqual(toPagination(request, 0), { ...request, total: 0, totalPages: 0, hasMore: false })
    assert.deepStrictEqual(toPagination(request, 21), { ...request, total: 21, totalPages: 2, hasMore: true })
    assert.isFalse(toPagination({ page: 2, limit: 20 }, 21).hasMore)
  })
})
