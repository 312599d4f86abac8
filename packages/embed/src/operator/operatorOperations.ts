import { iteration } from "@agent-marketplace/client/operations/iteration"
import { operation } from "@agent-marketplace/client/operations/operation"
import type { CallOptions, Send } from "@agent-marketplace/client/requests/Send"
import type { DeactivatedKey } from "@agent-marketplace/client/wire/Endpoints"
import type { OperatorReason } from "@agent-marketplace/client/wire/OperatorEndpoints"

const input = { input: true } as const
const inputOnce = { input: true, once: true } as const

/**
 * Every operation of the operator (EMBED-7). Input and result are those of the endpoint. Each write accepts a `reason` in its
 * input, which the action log keeps.
 */
export const operatorOperations = {
  listings: {
    /** A page of the listings of any state, oldest first. `{ status: "pending_review" }` lists those that await review. */
    list: operation("GET /api/v1/admin/listings", input),
    iterate: iteration("GET /api/v1/admin/listings", undefined),
    approve: operation("POST /api/v1/admin/listings/:id/approve", input),
    reject: operation("POST /api/v1/admin/listings/:id/reject", input),
    /** Takes it off sale until it is approved again. */
    suspend: operation("POST /api/v1/admin/listings/:id/suspend", input),
    feature: operation("POST /api/v1/admin/listings/:id/feature", input)
  },
  souls: {
    /** A page of the SOULs that are not deleted. `{ status: "suspended" }` lists the suspended ones. */
    list: operation("GET /api/v1/admin/souls", input),
    iterate: iteration("GET /api/v1/admin/souls", undefined),
    /** Takes it off sale; license holders can still read it. */
    suspend: operation("POST /api/v1/admin/souls/:slug/suspend", input),
    restore: operation("POST /api/v1/admin/souls/:slug/restore", input)
  },
  items: {
    /** A page of the releases that wait for a decision, oldest first. `{ status: "in_review" }` leaves out quarantined ones (RELEASE-29). */
    releases: operation("GET /api/v1/admin/releases", input),
    iterateReleases: iteration("GET /api/v1/admin/releases", undefined),
    /** A page of the revocations with the progress of their refunds, newest first (REVOKE-7). */
    revocations: operation("GET /api/v1/admin/revocations", input),
    iterateRevocations: iteration("GET /api/v1/admin/revocations", undefined),
    /** Takes an item, or some of its versions, off sale until it is released (QUARANTINE-1). */
    quarantine: operation("POST /api/v1/admin/items/:id/quarantine", input),
    /** Ends a quarantine, and approves releases that wait for a decision (QUARANTINE-4). */
    release: operation("POST /api/v1/admin/items/:id/release", input),
    /** Takes it off sale for good; with `refundDays` its purchases are refunded in the background (REVOKE-1, REVOKE-2). */
    revoke: operation("POST /api/v1/admin/items/:id/revoke", input),
    /** Removes the bytes of an item, or of some of its versions, permanently; digests, purchases and advisories remain (PURGE-1). */
    purge: operation("POST /api/v1/admin/items/:id/purge", input)
  },
  appeals: {
    /** A page of the appeals of creators, oldest first. `{ status: "open" }` lists those that await a decision. */
    list: operation("GET /api/v1/admin/appeals", input),
    iterate: iteration("GET /api/v1/admin/appeals", undefined),
    /** Upholds a decision, or undoes it. */
    decide: operation("POST /api/v1/admin/appeals/:id/decide", input)
  },
  reports: {
    /** A page of the reports of items, oldest first. `{ status: "open" }` lists those that await a decision. */
    list: operation("GET /api/v1/admin/reports", input),
    iterate: iteration("GET /api/v1/admin/reports", undefined),
    /** Decides about all open reports of the item. */
    resolve: operation("POST /api/v1/admin/reports/:id/resolve", input)
  },
  accounts: {
    /** A page of the accounts, newest first, by part of a name or e-mail address, or by id. */
    list: operation("GET /api/v1/admin/accounts", input),
    iterate: iteration("GET /api/v1/admin/accounts", undefined),
    /** With balance, keys without secrets, agents and counts. */
    get: operation("GET /api/v1/admin/accounts/:id"),
    /** Tier, hourly limit and quotas (null means those of the tier), and whether the account may sell. */
    update: operation("PATCH /api/v1/admin/accounts/:id", input),
    /** Refuses every write of the account immediately and takes its items off sale; it can still read. */
    freeze: operation("POST /api/v1/admin/accounts/:id/freeze", input),
    unfreeze: operation("POST /api/v1/admin/accounts/:id/unfreeze", input),
    /** A new FULL key, shown only here. All other keys of the account and of its agents are deactivated. */
    recover: operation("POST /api/v1/admin/accounts/:id/recover", input)
  },
  keys: {
    /** Deactivates a key of any account. */
    deactivate:
      (send: Send) =>
      async (id: string, reason?: OperatorReason, options: CallOptions = {}) =>
        (await send({
          method: "DELETE",
          path: `/api/v1/admin/keys/${encodeURIComponent(id)}`,
          body: reason,
          options
        })) as DeactivatedKey
  },
  purchases: {
    /** A page of the purchases of all accounts, newest first. */
    list: operation("GET /api/v1/admin/purchases", input),
    iterate: iteration("GET /api/v1/admin/purchases", undefined),
    get: operation("GET /api/v1/admin/purchases/:id"),
    /** Refunds a purchase, or a renewal by its id, within 180 days. The platform pays what the seller lacks, and the seller owes it. */
    refund: operation("POST /api/v1/purchases/:id/refund", inputOnce)
  },
  withdrawals: {
    /** A page of the withdrawals of all accounts, newest first. `{ status: "in_review" }` lists those that await a decision. */
    list: operation("GET /api/v1/admin/withdrawals", input),
    iterate: iteration("GET /api/v1/admin/withdrawals", undefined),
    get: operation("GET /api/v1/admin/withdrawals/:id"),
    approve: operation("POST /api/v1/admin/withdrawals/:id/approve", input),
    /** Returns the money to the wallet. */
    reject: operation("POST /api/v1/admin/withdrawals/:id/reject", input),
    /** Makes it wait for a decision, while nothing was sent. */
    hold: operation("POST /api/v1/admin/withdrawals/:id/hold", input),
    /** Completes it with the transaction that paid it, as proven on the chain. */
    settle: operation("POST /api/v1/admin/withdrawals/:id/settle", input)
  },
  treasury: {
    /** The service's own wallets, and the transfers from the hot wallet that stop payouts. */
    get: operation("GET /api/v1/admin/treasury"),
    /** Changes the hot or the cold wallet, if `from` is the present one. */
    setWallet: operation("POST /api/v1/admin/treasury/wallets", input),
    /** Sets the ceiling of the hot wallet's balance, its top-up level, or both. */
    setLimits: operation("POST /api/v1/admin/treasury/limits", input),
    /** The cost of payouts, and the resources of the hot wallet for their fees. */
    energy: operation("GET /api/v1/admin/treasury/energy"),
    /** Matches unknown transfers with withdrawals, or explains them; payouts go on once none is unknown. */
    resume: operation("POST /api/v1/admin/treasury/resume", input),
    /** Credits the deposits of a final transaction that are missing, each once. */
    recheckDeposits: operation("POST /api/v1/admin/deposits/recheck", input)
  },
  foreignAssets: {
    /** A page of the TRX and the tokens other than USDT that reached deposit addresses, newest first (CHAIN-29). */
    list: operation("GET /api/v1/admin/foreign-assets", input),
    iterate: iteration("GET /api/v1/admin/foreign-assets", undefined),
    /** Records what a final transaction sent to deposit addresses as TRX or as another token. */
    recheck: operation("POST /api/v1/admin/foreign-assets/recheck", input),
    /** Decides that an asset is returned; the command line signs and sends it. */
    return: operation("POST /api/v1/admin/foreign-assets/:id/return", input)
  },
  deposits: {
    /** A page of the deposits that screening did not allow at once, newest first. `{ status: "held" }` lists those that await a decision. */
    list: operation("GET /api/v1/admin/deposits", input),
    iterate: iteration("GET /api/v1/admin/deposits", undefined),
    /** Credits it to the wallet. */
    release: operation("POST /api/v1/admin/deposits/:id/release", input),
    /** Never credits it: its money stays unattributed in the ledger. */
    reject: operation("POST /api/v1/admin/deposits/:id/reject", input)
  },
  payouts: {
    /** Whether payouts are paused. */
    get: operation("GET /api/v1/admin/payouts"),
    /** Stops all payouts of all processes; withdrawals are accepted and wait. */
    pause: operation("POST /api/v1/admin/payouts/pause", input),
    resume: operation("POST /api/v1/admin/payouts/resume", input)
  },
  actions: {
    /** A page of the action log, newest first: what operators changed, and which of them. */
    list: operation("GET /api/v1/admin/actions", input),
    iterate: iteration("GET /api/v1/admin/actions", undefined)
  },
  conditions: {
    /** A page of what degrades or degraded the service, newest first. `{ status: "open" }` lists what holds now (OPERATOR-26). */
    list: operation("GET /api/v1/admin/conditions", input)
  },
  ledger: {
    /** Recomputes every wallet from the ledger's entries. */
    /** `{ since: "checkpoint" }` reads only the entries since the last such audit that was balanced (OPERATOR-31). */
    audit: operation("GET /api/v1/admin/ledger/audit", input)
  }
} as const
