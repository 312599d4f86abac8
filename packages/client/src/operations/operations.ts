import type { BuyResult, Endpoints, ItemImage, Release } from "../wire/Endpoints.ts"
import type { CallOptions, MoneyCallOptions, Send } from "../requests/Send.ts"
import { activityStream, eventStream } from "../live/streams.ts"
import { iteration } from "./iteration.ts"
import { operation } from "./operation.ts"
import type { Operation } from "./operation.ts"

const input = { input: true } as const
const once = { once: true } as const
const inputOnce = { input: true, once: true } as const

type ListingFilter = NonNullable<Endpoints["GET /v1/listings"]["input"]>

/** An alias of `search`, the parameter's name for skills. */
interface ListingQuery extends ListingFilter {
  /** The same as `search`. */
  readonly query?: string | undefined
}

const searched = ({ query, ...rest }: ListingQuery = {}): ListingFilter =>
  query === undefined ? rest : { search: query, ...rest }

const listingPath = (listing: string): string => {
  if (listing === "" || /^\.\.?$/.test(listing)) throw new TypeError("a listing's id is needed")
  return `/v1/listings/${encodeURIComponent(listing)}`
}

const soulPath = (slug: string): string => {
  if (slug === "" || /^\.\.?$/.test(slug)) throw new TypeError("a SOUL's slug is needed")
  return `/api/v1/souls/${encodeURIComponent(slug)}`
}

const releasesOf = (listing: string): string => `${listingPath(listing)}/releases`

const imageTypeOf = ([first]: Uint8Array): string => {
  if (first === 0x89) return "image/png"
  return first === 0x52 ? "image/webp" : "image/jpeg"
}

type PathOf = (item: string) => string

const uploadImage =
  (pathOf: PathOf) =>
  (send: Send) =>
  (
    item: string,
    picture: Uint8Array,
    {
      alt,
      kind = "screenshot",
      ...call
    }: CallOptions & { readonly kind?: ItemImage["kind"]; readonly alt?: string } = {}
  ): Promise<ItemImage> =>
    send({
      method: "POST",
      path: `${pathOf(item)}/images?kind=${kind}${alt === undefined ? "" : `&alt=${encodeURIComponent(alt)}`}`,
      bytes: { content: picture, mediaType: imageTypeOf(picture) },
      options: call
    }) as Promise<ItemImage>

const downloadImage =
  (pathOf: PathOf) =>
  (send: Send) =>
  (
    item: string,
    image: string,
    { size = "full", ...call }: CallOptions & { readonly size?: "full" | "small" } = {}
  ): Promise<Uint8Array> =>
    send({
      method: "GET",
      path: `${pathOf(item)}/images/${encodeURIComponent(image)}/content?size=${size}`,
      readsBytes: 5_242_880,
      options: call
    }) as Promise<Uint8Array>

const isZip = ([p, k]: Uint8Array): boolean => p === 0x50 && k === 0x4b

/** The result of a purchase (CLIENT-8). */
export interface Bought extends BuyResult {
  /** The folder of the install, with the client of `@agent-marketplace/client/node`. */
  readonly installedPath?: string
}

const notInstalled = "bought, but not installed: autoInstall needs the client of @agent-marketplace/client/node"

/** Every operation of the client, with the names of CLIENT-3 to CLIENT-11 and one for every other endpoint that owners, agents and sellers use (CLIENT-18). Input and result are those of the endpoint. */
export const operations = {
  wallet: {
    /** The wallet's balances and lifetime totals (CLIENT-3). */
    balance: operation("GET /api/v1/wallet/balance"),
    /** The address for USDT deposits (TRC-20); the first call creates it (CLIENT-4). */
    deposit: operation("GET /api/v1/wallet/deposit"),
    /** A page of withdrawals, newest first (CLIENT-5). */
    withdrawals: operation("GET /api/v1/wallet/withdrawals", input),
    withdrawal: operation("GET /api/v1/wallet/withdrawals/:id"),
    iterateWithdrawals: iteration("GET /api/v1/wallet/withdrawals", "withdrawals"),
    /** What a withdrawal costs; its `id` sent as `quote` holds the fee for 15 minutes. */
    quoteWithdrawal: operation("GET /api/v1/wallet/withdrawals/quote", input),
    /** Withdraws to a TRON address; amount and fee are held until the payment is final. Needs an owner's FULL key. */
    withdraw: operation("POST /api/v1/wallet/withdrawals", inputOnce),
    /** Only before the transaction is broadcast. */
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
      /** Tighter rules take effect immediately, looser ones after 24 hours. */
      change: operation("PATCH /api/v1/wallet/withdrawal-rules", input)
    },
    /** A page of the wallet's ledger lines, newest first. */
    transactions: operation("GET /api/v1/wallet/transactions", input),
    iterateTransactions: iteration("GET /api/v1/wallet/transactions", undefined),
    /** The spending policy: the limits, and the price up to which no approval is needed. */
    policy: {
      get: operation("GET /api/v1/wallet/policy"),
      /** Replaces the whole policy; every field is required. */
      set: operation("PUT /api/v1/wallet/policy", input),
      /** Changes the given fields; the others are kept. */
      change: operation("PATCH /api/v1/wallet/policy", input)
    },
    /** The caller's effective limits, with the remaining amounts. */
    budget: operation("GET /api/v1/wallet/budget"),
    /** What was spent, by agent, category, seller or day. */
    spending: operation("GET /api/v1/wallet/spending", input),
    /** What was spent in each day or month, in total or by agent, category or seller. */
    spendingTimeline: operation("GET /api/v1/wallet/spending/timeline", input),
    iterateSpending: iteration("GET /api/v1/wallet/spending", undefined)
  },
  purchases: {
    /** A page of the account's purchases, newest first (CLIENT-6). */
    list: operation("GET /api/v1/purchases", input),
    iterate: iteration("GET /api/v1/purchases", "purchases"),
    get: operation("GET /api/v1/purchases/:id"),
    /** Refunds a purchase, or a renewal by its id: the seller within 14 days, the operator within 180. */
    refund: operation("POST /api/v1/purchases/:id/refund", inputOnce)
  },
  sales: {
    /** The seller's view of purchases; the buyer is not named. */
    list: operation("GET /api/v1/sales", input),
    iterate: iteration("GET /api/v1/sales", undefined),
    /** What was earned in each day or month, after fees and refunds, in total or by item. */
    timeline: operation("GET /api/v1/sales/timeline", input)
  },
  skills: {
    /** A page of the skills on sale; the best match first unless `sortBy` is given (CLIENT-7). */
    list: operation("GET /api/v1/skills", input),
    iterate: iteration("GET /api/v1/skills", "skills"),
    /** By id or slug. */
    get: operation("GET /api/v1/skills/:idOrSlug"),
    /**
     * Buys a skill or a SOUL, once: retries never buy twice (CLIENT-8). `pending_approval` awaits the owner. This client has no file
     * system: with `autoInstall` it buys, and `message` states that nothing was installed.
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
    /** Removes it from sale; licenses stay valid. */
    delete: operation("DELETE /api/v1/skills/:id"),
    /** Reviews a purchased item; replaces an earlier review. */
    review: operation("POST /v1/listings/:id/reviews", input),
    reviews: operation("GET /v1/listings/:id/reviews", input),
    iterateReviews: iteration("GET /v1/listings/:id/reviews", "reviews")
  },
  releases: {
    /** Uploads a tar.gz or a zip of at most 20 MiB; the version is that of SKILL.md if none is given. The same bytes again are the first release. */
    upload:
      (send: Send) =>
      (listing: string, archive: Uint8Array, version?: string, call: CallOptions = {}): Promise<Release> =>
        send({
          method: "POST",
          path: `${releasesOf(listing)}${version === undefined ? "" : `?version=${encodeURIComponent(version)}`}`,
          bytes: { content: archive, mediaType: isZip(archive) ? "application/zip" : "application/gzip" },
          options: call
        }) as Promise<Release>,
    /** The releases with their verdicts, newest first. */
    list: operation("GET /v1/listings/:id/releases", input),
    iterate: iteration("GET /v1/listings/:id/releases", "releases"),
    get: operation("GET /v1/listings/:id/releases/:version"),
    /** The archive, or the file at `path` of it. Compare its SHA-256 with that of the release. Rejects if it has more than `most` bytes, 100 MiB by default. */
    download:
      (send: Send) =>
      (
        listing: string,
        version: string,
        { most = 104_857_600, path, ...call }: CallOptions & { readonly most?: number; readonly path?: string } = {}
      ): Promise<Uint8Array> =>
        send({
          method: "GET",
          path:
            `${releasesOf(listing)}/${encodeURIComponent(version)}/download` +
            (path === undefined ? "" : `?path=${encodeURIComponent(path)}`),
          readsBytes: most,
          options: call
        }) as Promise<Uint8Array>,
    /** Takes a release off sale for good. */
    yank: operation("POST /v1/listings/:id/releases/:version/yank", input),
    /** Scans a release again, at most once an hour. */
    rescan: operation("POST /v1/listings/:id/releases/:version/rescan"),
    /** The verdict on an item, by the id of a listing or of a SOUL. */
    trust: operation("GET /api/v1/items/:id/trust")
  },
  images: {
    /**
     * Uploads a PNG, a JPEG or a WebP of at most 5 MiB as a screenshot, or as the thumbnail, which replaces the earlier one. The same bytes again are
     * the first picture.
     */
    upload: uploadImage(listingPath),
    /** The thumbnail first, then the screenshots in their order. */
    list: operation("GET /v1/listings/:id/images"),
    /** The WebP, also before the listing is public. */
    download: downloadImage(listingPath),
    /** Describes a picture, or moves it among the screenshots. */
    update: operation("PATCH /v1/listings/:id/images/:imageId", input),
    /** Removes a picture and its bytes. */
    delete: operation("DELETE /v1/listings/:id/images/:imageId")
  },
  /** As `images`, of a SOUL by its slug. */
  soulImages: {
    upload: uploadImage(soulPath),
    /** The thumbnail first, then the screenshots in their order. */
    list: operation("GET /api/v1/souls/:slug/images"),
    download: downloadImage(soulPath),
    update: operation("PATCH /api/v1/souls/:slug/images/:imageId", input),
    delete: operation("DELETE /api/v1/souls/:slug/images/:imageId")
  },
  souls: {
    /** Public SOULs, newest first, by `limit` and `offset`. */
    list: operation("GET /api/souls", input),
    iterate: iteration("GET /api/souls", "souls"),
    /** By slug, with its text. */
    get: operation("GET /api/souls/:slug"),
    create: operation("POST /api/v1/souls/create", input),
    update: operation("PATCH /api/v1/souls/:slug", input),
    /** Removes it from lists; license holders can still read it. */
    delete: operation("DELETE /api/v1/souls/:slug"),
    /** Its text, to install; counts as a download. */
    download: operation("POST /api/v1/souls/:slug/download"),
    /** The versions; each change of the text creates one. */
    versions: operation("GET /api/v1/souls/:slug/versions", input),
    iterateVersions: iteration("GET /api/v1/souls/:slug/versions", undefined),
    /** The text of a version, by the soul's slug and the version's number. */
    version: operation("GET /api/v1/souls/:slug/versions/:version"),
    /** Takes a version off sale for good; the newest other one on sale takes its place. */
    yankVersion: operation("POST /api/v1/souls/:slug/versions/:version/yank", input),
    /** Scans a version again, at most once an hour. */
    rescanVersion: operation("POST /api/v1/souls/:slug/versions/:version/rescan"),
    reviews: operation("GET /api/v1/souls/:slug/reviews", input),
    iterateReviews: iteration("GET /api/v1/souls/:slug/reviews", undefined),
    /** Reviews a purchased soul or a downloaded free one; replaces an earlier review. */
    review: operation("POST /api/v1/souls/:slug/reviews", input),
    /** Compares a SOUL.md with the recommendations; publishes nothing. */
    lint: operation("POST /api/v1/souls/lint", input)
  },
  listings: {
    /** A page of the listings on sale; with `creator: "me"` the caller's own in every state. */
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
    /** Where and what to install: for license holders and the creator, and for everybody if it is free. */
    install: operation("GET /v1/listings/:id/install"),
    review: operation("POST /v1/listings/:id/reviews", input),
    reviews: operation("GET /v1/listings/:id/reviews", input),
    iterateReviews: iteration("GET /v1/listings/:id/reviews", "reviews")
  },
  approvals: {
    /** Purchases that await, or awaited, the owner's approval. */
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
    /** Undoes a cancellation before the period ends. */
    resume: operation("POST /api/v1/subscriptions/:id/resume"),
    /** It stays valid until the end of the period and is not renewed. */
    cancel: operation("POST /api/v1/subscriptions/:id/cancel")
  },
  categories: {
    list: operation("GET /api/v1/categories", input),
    iterate: iteration("GET /api/v1/categories", undefined)
  },
  creators: {
    /** Public counts of a creator's account. */
    get: operation("GET /api/v1/creators/:id")
  },
  activity: {
    /** The last 24 hours, anonymised; poll every 10 to 30 seconds. */
    live: operation("GET /api/activity/live", input),
    /** The feed's items and statistics as they happen. Reconnects by itself. */
    stream: activityStream
  },
  events: {
    /** The events that the account's webhooks would get. Reconnects by itself, and continues after the last event. */
    stream: eventStream
  },
  signing: {
    /** The public keys of the market's signatures, past ones too. Store them with a program that verifies offline. */
    keys: operation("GET /.well-known/agent-marketplace-keys.json")
  },
  licenses: {
    /** Whether a license for an item of this account is valid now; an unknown one is `valid: false`. */
    validate: operation("POST /api/v1/licenses/validate", input),
    /** A proof of the caller's license that `verifyLicense` checks offline. A new one can be requested while the license is valid. */
    proof: operation("GET /api/v1/purchases/:id/proof"),
    /** Activates a machine with the license key, and returns a proof for it. The same machine again is the same activation. */
    activate: operation("POST /api/v1/licenses/activate", input),
    /** Releases a machine with the license key, also one that is gone. */
    deactivate: operation("POST /api/v1/licenses/deactivate", input),
    /** The machines of a purchase, for its buyer and its seller. */
    activations: operation("GET /api/v1/purchases/:id/activations", input),
    iterateActivations: iteration("GET /api/v1/purchases/:id/activations", undefined)
  },
  advisories: {
    /** What is wrong with things that were sold, oldest first; `after` is the last id that you have seen. */
    list: operation("GET /api/v1/advisories", input),
    iterate: iteration("GET /api/v1/advisories", undefined)
  },
  webhooks: {
    /** Subscribes a URL (CLIENT-11). If no secret is given, one is generated, and only this response contains it. */
    create: operation("POST /api/v1/webhooks", input),
    list: operation("GET /api/v1/webhooks", input),
    iterate: iteration("GET /api/v1/webhooks", undefined),
    get: operation("GET /api/v1/webhooks/:id"),
    update: operation("PATCH /api/v1/webhooks/:id", input),
    delete: operation("DELETE /api/v1/webhooks/:id"),
    /** The old secret also signs for 24 hours. */
    rotateSecret: operation("POST /api/v1/webhooks/:id/rotate-secret"),
    /** Sends `webhook.test` now and returns the delivery, after 15 seconds at most. */
    test: operation("POST /api/v1/webhooks/:id/test"),
    /** The delivery log, with attempts and responses. */
    deliveries: operation("GET /api/v1/webhooks/:id/deliveries", input),
    iterateDeliveries: iteration("GET /api/v1/webhooks/:id/deliveries", undefined),
    /** How many deliveries were made on each day, by status: of one subscription, or of all. */
    timeline: operation("GET /api/v1/webhooks/deliveries/timeline", input),
    /** Sends one delivery again, by its id. */
    replay: operation("POST /api/v1/webhooks/deliveries/:id/replay"),
    /** Sends again every event since then that was not delivered. */
    recover: operation("POST /api/v1/webhooks/:id/recover", input)
  },
  keys: {
    /** Only this response contains the key. */
    create: operation("POST /api/v1/keys", input),
    list: operation("GET /api/v1/keys", input),
    iterate: iteration("GET /api/v1/keys", undefined),
    get: operation("GET /api/v1/keys/:id"),
    deactivate: (send: Send) => (id: string, call?: CallOptions) =>
      operation("DELETE /api/v1/keys/:id", input)(send)(id, {}, call),
    /** Ends every key that came from the same first key by rotation or refresh. */
    deactivateFamily: (send: Send) => (id: string, call?: CallOptions) =>
      operation("DELETE /api/v1/keys/:id", input)(send)(id, { family: true }, call),
    /** A new key with the same scope; the old one works until the grace period ends. */
    rotate: operation("POST /api/v1/keys/:id/rotate", input),
    /** Replaces the calling key. This client continues with the old one. */
    refresh: operation("POST /api/v1/keys/refresh", input)
  },
  /** People who are signed in with a browser. */
  sessions: {
    list: operation("GET /api/v1/sessions", input),
    iterate: iteration("GET /api/v1/sessions", undefined),
    /** Takes effect immediately on every process of the market. */
    end: operation("DELETE /api/v1/sessions/:id"),
    /** A link that signs in once, within two minutes. Only this response contains it. */
    createLink: operation("POST /api/v1/sessions/links")
  },
  account: {
    get: operation("GET /api/v1/account"),
    /** The limits of the tier and their use. */
    usage: operation("GET /api/v1/account/usage"),
    update: operation("PATCH /api/v1/account", input),
    /** Everything that the account has, without secrets. A large account needs a longer `timeout`. */
    export: operation("GET /api/v1/account/export"),
    /** Erases the account for good; refused while money is left. */
    erase: operation("DELETE /api/v1/account")
  },
  agents: {
    /** Creates an agent of the account; `keys.create` creates its key. */
    create: operation("POST /api/v1/agents", input),
    list: operation("GET /api/v1/agents", input),
    iterate: iteration("GET /api/v1/agents", undefined),
    get: operation("GET /api/v1/agents/:id"),
    /**
     * Makes the caller's account the owner of an agent that registered itself. Without a policy every paid purchase of the agent needs the
     * owner's approval.
     */
    claim: operation("POST /api/v1/agents/claim", input),
    rename: operation("PATCH /api/v1/agents/:id", input),
    /** Permanent: its keys are deactivated and its pending approvals rejected. */
    retire: operation("DELETE /api/v1/agents/:id"),
    /** Refuses every write of its keys immediately. */
    freeze: operation("POST /api/v1/agents/:id/freeze", input),
    unfreeze: operation("POST /api/v1/agents/:id/unfreeze"),
    /** Applies in addition to the owner's policy, so it can only be stricter. */
    policy: {
      get: operation("GET /api/v1/agents/:id/policy"),
      /** Replaces the whole policy; every field is required. */
      set: operation("PUT /api/v1/agents/:id/policy", input),
      /** Changes the given fields; the others are kept. */
      change: operation("PATCH /api/v1/agents/:id/policy", input)
    },
    /** The agent's effective limits, with the remaining amounts. */
    budget: operation("GET /api/v1/agents/:id/budget")
  },
  /** Applications with access by OAuth. */
  items: {
    /** Reports a listing or a soul, by its id, to the operator; once for each account. */
    report: operation("POST /api/v1/items/:id/reports", input),
    /** Appeals a rejection, suspension or quarantine of an own item, once for each decision. */
    appeal: operation("POST /api/v1/items/:id/appeals", input),
    /** A page of the appeals about an own item, newest first. */
    appeals: operation("GET /api/v1/items/:id/appeals", input),
    iterateAppeals: iteration("GET /api/v1/items/:id/appeals", undefined)
  },
  /** Domains that prove who the account is. Needs an owner's key. */
  domains: {
    /** Returns the token that the domain must publish. */
    add: operation("POST /api/v1/account/domains", input),
    list: operation("GET /api/v1/account/domains", input),
    iterate: iteration("GET /api/v1/account/domains", undefined),
    /** Looks for the token now. */
    verify: operation("POST /api/v1/account/domains/:domain/verify"),
    remove: operation("DELETE /api/v1/account/domains/:domain")
  },
  /** Notification preferences and channels of the account. Needs an owner's key. */
  notifications: {
    /** Whether the account is notified of each kind. */
    get: operation("GET /api/v1/account/notifications"),
    /** Replaces all preferences. */
    set: operation("PUT /api/v1/account/notifications", input),
    channels: {
      /** An e-mail address gets a code, which `verify` confirms. */
      add: operation("POST /api/v1/account/notifications/channels", input),
      list: operation("GET /api/v1/account/notifications/channels", input),
      iterate: iteration("GET /api/v1/account/notifications/channels", undefined),
      update: operation("PATCH /api/v1/account/notifications/channels/:id", input),
      remove: operation("DELETE /api/v1/account/notifications/channels/:id"),
      sendCode: operation("POST /api/v1/account/notifications/channels/:id/code"),
      verify: operation("POST /api/v1/account/notifications/channels/:id/verify", input),
      /** Sends a message now. */
      test: operation("POST /api/v1/account/notifications/channels/:id/test")
    },
    /** The key with which browsers subscribe to push messages. */
    pushKey: operation("GET /api/v1/notifications/push-key")
  },
  oauth: {
    /** The applications that the account registered. */
    clients: {
      /** The only result that contains the secret. */
      create: operation("POST /api/v1/oauth/clients", input),
      list: operation("GET /api/v1/oauth/clients", input),
      iterate: iteration("GET /api/v1/oauth/clients", undefined),
      get: operation("GET /api/v1/oauth/clients/:id"),
      /** Ends all grants of the application. */
      delete: operation("DELETE /api/v1/oauth/clients/:id")
    },
    /** The grants of the account to applications. */
    grants: {
      list: operation("GET /api/v1/oauth/grants", input),
      iterate: iteration("GET /api/v1/oauth/grants", undefined),
      /** No server process accepts the application's tokens afterwards. */
      end: operation("DELETE /api/v1/oauth/grants/:id")
    },
    /** Requests of applications that wait for a person. Only a session may read and decide them. */
    requests: {
      get: operation("GET /api/v1/oauth/requests/:id"),
      /** Finds the request of a device by the code that it shows. */
      find: operation("GET /api/v1/oauth/requests", input),
      /** A request is decided once. With `approve: true` the application gets access within the policy. */
      decide: operation("POST /api/v1/oauth/requests/:id/decision", input)
    }
  }
} as const
