import type { BuyResult, Endpoints } from "../wire/Endpoints.ts"
import type { CallOptions, MoneyCallOptions, Send } from "../requests/Send.ts"
import { iteration } from "./iteration.ts"
import { operation } from "./operation.ts"
import type { Operation } from "./operation.ts"

const input = { input: true } as const
const once = { once: true } as const
const inputOnce = { input: true, once: true } as const

type ListingFilter = NonNullable<Endpoints["GET /v1/listings"]["input"]>

/** `query` is `search` by the name that skills have for it. */
interface ListingQuery extends ListingFilter {
  /** The same as `search`. */
  readonly query?: string | undefined
}

const searched = ({ query, ...rest }: ListingQuery = {}): ListingFilter =>
  query === undefined ? rest : { search: query, ...rest }

/** What became of a purchase (CLIENT-8). */
export interface Bought extends BuyResult {
  /** Where it was installed, by the client of `@agent-marketplace/client/node`. */
  readonly installedPath?: string
}

const notInstalled = "bought, but not installed: autoInstall needs the client of @agent-marketplace/client/node"

/** Every operation of the client, named as CLIENT-3 to CLIENT-11 do; what it takes and gives is the endpoint's. */
export const operations = {
  wallet: {
    /** What the wallet holds, and its lifetime totals (CLIENT-3). */
    balance: operation("GET /api/v1/wallet/balance"),
    /** Where to send USDT (TRC-20); the first call makes the address (CLIENT-4). */
    deposit: operation("GET /api/v1/wallet/deposit"),
    /** A page of withdrawals, newest first (CLIENT-5). */
    withdrawals: operation("GET /api/v1/wallet/withdrawals", input),
    withdrawal: operation("GET /api/v1/wallet/withdrawals/:id"),
    iterateWithdrawals: iteration("GET /api/v1/wallet/withdrawals", "withdrawals"),
    /** Pays out to a TRON address; amount and fee are held until it is final. Needs an owner's FULL key. */
    withdraw: operation("POST /api/v1/wallet/withdrawals", inputOnce),
    /** Only while nothing was broadcast. */
    cancelWithdrawal: operation("POST /api/v1/wallet/withdrawals/:id/cancel", once),
    /** The address book. Needs an owner's key. */
    addresses: {
      list: operation("GET /api/v1/wallet/addresses", input),
      iterate: iteration("GET /api/v1/wallet/addresses", undefined),
      save: operation("POST /api/v1/wallet/addresses", input),
      remove: operation("DELETE /api/v1/wallet/addresses/:id")
    },
    /** What withdrawals the owner allows. Needs an owner's key. */
    withdrawalRules: {
      /** The rules in effect, and those that are pending. */
      get: operation("GET /api/v1/wallet/withdrawal-rules"),
      /** Tighter rules take effect at once, looser ones after 24 hours. */
      change: operation("PATCH /api/v1/wallet/withdrawal-rules", input)
    },
    /** A page of the wallet's ledger lines, newest first. */
    transactions: operation("GET /api/v1/wallet/transactions", input),
    iterateTransactions: iteration("GET /api/v1/wallet/transactions", undefined),
    /** What may be spent, and what of it without asking. */
    policy: {
      get: operation("GET /api/v1/wallet/policy"),
      /** Replaces the whole policy; every field must be named. */
      set: operation("PUT /api/v1/wallet/policy", input),
      /** Changes the fields that are named; the others stay. */
      change: operation("PATCH /api/v1/wallet/policy", input)
    },
    /** What the caller may still spend, and what of it without asking. */
    budget: operation("GET /api/v1/wallet/budget")
  },
  purchases: {
    /** A page of what the account bought, newest first (CLIENT-6). */
    list: operation("GET /api/v1/purchases", input),
    iterate: iteration("GET /api/v1/purchases", "purchases"),
    get: operation("GET /api/v1/purchases/:id"),
    /** A purchase, or a renewal by its id: by the seller within 14 days, by the operator within 180. */
    refund: operation("POST /api/v1/purchases/:id/refund", inputOnce)
  },
  sales: {
    /** The seller's side of purchases; the buyer is not named. */
    list: operation("GET /api/v1/sales", input),
    iterate: iteration("GET /api/v1/sales", undefined)
  },
  skills: {
    /** A page of the skills on sale; best match first unless `sortBy` is given (CLIENT-7). */
    list: operation("GET /api/v1/skills", input),
    iterate: iteration("GET /api/v1/skills", "skills"),
    /** By id or slug. */
    get: operation("GET /api/v1/skills/:idOrSlug"),
    /**
     * Buys a skill or a SOUL, once: retries never buy twice (CLIENT-8). `pending_approval` waits for the owner. This client runs where there are no
     * files: with `autoInstall` it buys, and `message` says that nothing was installed.
     */
    buy:
      (send: Send) =>
      async (options: Endpoints["POST /api/v1/purchases"]["input"], call?: MoneyCallOptions): Promise<Bought> => {
        const input = { autoInstall: false, ...options }
        const bought = await operation("POST /api/v1/purchases", inputOnce)(send)(input, call)
        return input.autoInstall === true && bought.status === "completed"
          ? { ...bought, message: notInstalled }
          : bought
      },
    /** Submits a skill for review. Needs a seller's key (CLIENT-10). */
    create: operation("POST /api/v1/skills", input),
    update: operation("PATCH /api/v1/skills/:id", input),
    /** Gone from sale; licenses stay valid. */
    delete: operation("DELETE /api/v1/skills/:id"),
    /** Judges what one has bought; again replaces it. */
    review: operation("POST /v1/listings/:id/reviews", input),
    reviews: operation("GET /v1/listings/:id/reviews", input),
    iterateReviews: iteration("GET /v1/listings/:id/reviews", "reviews")
  },
  souls: {
    /** Public SOULs, newest first, by `limit` and `offset`. */
    list: operation("GET /api/souls", input),
    iterate: iteration("GET /api/souls", "souls"),
    /** By slug, with its text. */
    get: operation("GET /api/souls/:slug"),
    create: operation("POST /api/v1/souls/create", input),
    update: operation("PATCH /api/v1/souls/:slug", input),
    /** Gone from lists; license holders can still read it. */
    delete: operation("DELETE /api/v1/souls/:slug"),
    /** Its text to install; counts as a download. */
    download: operation("POST /api/v1/souls/:slug/download"),
    /** Each change of the text is a version. */
    versions: operation("GET /api/v1/souls/:slug/versions", input),
    /** The text of a version, by the soul's slug and the version's number. */
    version: operation("GET /api/v1/souls/:slug/versions/:version"),
    reviews: operation("GET /api/v1/souls/:slug/reviews", input),
    iterateReviews: iteration("GET /api/v1/souls/:slug/reviews", undefined),
    /** Judges a soul that was bought or, where it is free, downloaded; again replaces it. */
    review: operation("POST /api/v1/souls/:slug/reviews", input),
    /** Compares a SOUL.md with the recommendations; publishes nothing. */
    lint: operation("POST /api/v1/souls/lint", input)
  },
  listings: {
    /** A page of the listings on sale; with `creator: "me"` one's own in every state. */
    list:
      (send: Send) =>
      (options?: ListingQuery, call?: CallOptions): ReturnType<Operation<"GET /v1/listings">> =>
        operation("GET /v1/listings", input)(send)(searched(options), call),
    iterate: (send: Send) => (options?: Omit<ListingQuery, "page">, call?: CallOptions) =>
      iteration("GET /v1/listings", "listings")(send)(searched(options), call),
    get: operation("GET /v1/listings/:id"),
    create: operation("POST /v1/listings", input),
    update: operation("PATCH /v1/listings/:id", input),
    delete: operation("DELETE /v1/listings/:id"),
    /** Where and what to install: for license holders, the creator, and everybody where it is free. */
    install: operation("GET /v1/listings/:id/install"),
    review: operation("POST /v1/listings/:id/reviews", input),
    reviews: operation("GET /v1/listings/:id/reviews", input),
    iterateReviews: iteration("GET /v1/listings/:id/reviews", "reviews")
  },
  approvals: {
    /** Purchases that wait, or waited, for the owner. */
    list: operation("GET /api/v1/approvals", input),
    iterate: iteration("GET /api/v1/approvals", undefined),
    get: operation("GET /api/v1/approvals/:id"),
    approve: operation("POST /api/v1/approvals/:id/approve", once),
    reject: operation("POST /api/v1/approvals/:id/reject", once)
  },
  subscriptions: {
    list: operation("GET /api/v1/subscriptions", input),
    iterate: iteration("GET /api/v1/subscriptions", undefined),
    get: operation("GET /api/v1/subscriptions/:id"),
    /** Undoes a cancellation until the period ends. */
    resume: operation("POST /api/v1/subscriptions/:id/resume"),
    /** It stays valid to the end of the period, and is not renewed. */
    cancel: operation("POST /api/v1/subscriptions/:id/cancel")
  },
  categories: {
    list: operation("GET /api/v1/categories", input)
  },
  creators: {
    /** Public counts of an account that sells. */
    get: operation("GET /api/v1/creators/:id")
  },
  activity: {
    /** The last 24 hours, without saying who; poll every 10 to 30 seconds. */
    live: operation("GET /api/activity/live", input)
  },
  licenses: {
    /** Whether a license for what one sells counts now; an unknown one is `valid: false`. */
    validate: operation("POST /api/v1/licenses/validate", input)
  },
  webhooks: {
    /** Subscribes a URL (CLIENT-11). Where no secret is given, the answer has the one that was made, this once. */
    create: operation("POST /api/v1/webhooks", input),
    list: operation("GET /api/v1/webhooks", input),
    iterate: iteration("GET /api/v1/webhooks", undefined),
    get: operation("GET /api/v1/webhooks/:id"),
    update: operation("PATCH /api/v1/webhooks/:id", input),
    delete: operation("DELETE /api/v1/webhooks/:id"),
    /** The old secret also signs for 24 hours. */
    rotateSecret: operation("POST /api/v1/webhooks/:id/rotate-secret"),
    /** Sends `webhook.test` now and gives the delivery, after 15 seconds at the latest. */
    test: operation("POST /api/v1/webhooks/:id/test"),
    /** The delivery log: what was sent and what came back. */
    deliveries: operation("GET /api/v1/webhooks/:id/deliveries", input),
    iterateDeliveries: iteration("GET /api/v1/webhooks/:id/deliveries", undefined),
    /** Sends one delivery again, by its id. */
    replay: operation("POST /api/v1/webhooks/deliveries/:id/replay"),
    /** Sends again everything since then that was not delivered. */
    recover: operation("POST /api/v1/webhooks/:id/recover", input)
  },
  keys: {
    /** The answer holds the key, this once. */
    create: operation("POST /api/v1/keys", input),
    list: operation("GET /api/v1/keys", input),
    iterate: iteration("GET /api/v1/keys", undefined),
    get: operation("GET /api/v1/keys/:id"),
    deactivate: (send: Send) => (id: string, call?: CallOptions) =>
      operation("DELETE /api/v1/keys/:id", input)(send)(id, {}, call),
    /** Ends every key that came from the same first key by rotation or refresh. */
    deactivateFamily: (send: Send) => (id: string, call?: CallOptions) =>
      operation("DELETE /api/v1/keys/:id", input)(send)(id, { family: true }, call),
    /** A new key with the same scope; the old one works until the grace ends. */
    rotate: operation("POST /api/v1/keys/:id/rotate", input),
    /** The same for the key that calls. This client goes on with the old one. */
    refresh: operation("POST /api/v1/keys/refresh", input)
  },
  account: {
    get: operation("GET /api/v1/account"),
    /** What the tier allows and what is used. */
    usage: operation("GET /api/v1/account/usage"),
    update: operation("PATCH /api/v1/account", input)
  },
  agents: {
    /** An agent that is claimed from birth; a key for it is made with `keys.create`. */
    create: operation("POST /api/v1/agents", input),
    list: operation("GET /api/v1/agents", input),
    iterate: iteration("GET /api/v1/agents", undefined),
    get: operation("GET /api/v1/agents/:id"),
    /**
     * Makes the caller's account the owner of an agent that registered itself. Without a policy every paid purchase of it waits for the
     * owner.
     */
    claim: operation("POST /api/v1/agents/claim", input),
    rename: operation("PATCH /api/v1/agents/:id", input),
    /** For good: its keys end and its waiting approvals are rejected. */
    retire: operation("DELETE /api/v1/agents/:id"),
    /** Refuses every write of its keys at once. */
    freeze: operation("POST /api/v1/agents/:id/freeze", input),
    unfreeze: operation("POST /api/v1/agents/:id/unfreeze"),
    /** Applies beside the owner's, so that it can only tighten. */
    policy: {
      get: operation("GET /api/v1/agents/:id/policy"),
      /** Replaces the whole policy; every field must be named. */
      set: operation("PUT /api/v1/agents/:id/policy", input),
      /** Changes the fields that are named; the others stay. */
      change: operation("PATCH /api/v1/agents/:id/policy", input)
    },
    /** What the agent may still spend. */
    budget: operation("GET /api/v1/agents/:id/budget")
  }
} as const
