import type { CallOptions, Send } from "@agent-marketplace/client/requests/Send"
import type { Account, ListingDetail } from "@agent-marketplace/client/wire/Endpoints"
import type { ConditionKind } from "@agent-marketplace/core/health/Condition"
import type { LedgerAudit } from "@agent-marketplace/core/wallets/WalletStore"

/** A listing with the fields that the operator sees. */
export interface ReviewedListing extends Omit<ListingDetail, "stats"> {
  readonly rejectionReason: string | null
  readonly featured: boolean
}

/** An account with the fields that the operator sees. */
export interface AdministeredAccount extends Account {
  /** Requests per hour; null means the tier's limit. */
  readonly hourlyLimit: number | null
}

/** A condition that degrades the service. */
export interface MarketCondition {
  readonly kind: ConditionKind
  readonly message: string
  /** What was found, for example the answer of each node. */
  readonly detail: string | null
  /** When it was first found; ISO 8601, UTC. */
  readonly since: string
  /** Null while it holds. */
  readonly endedAt: string | null
}

export interface ListingQueue {
  readonly status?: ReviewedListing["status"] | undefined
  readonly page?: number | undefined
  readonly limit?: number | undefined
}

/** The operator's calls (OPERATOR-2 to OPERATOR-5, OPERATOR-26). */
export interface OperatorCalls {
  readonly listings: {
    /** Newest first. `{ status: "pending_review" }` lists those that await review. */
    readonly list: (query?: ListingQueue, options?: CallOptions) => Promise<ReadonlyArray<ReviewedListing>>
    readonly approve: (id: string, options?: CallOptions) => Promise<ReviewedListing>
    readonly reject: (id: string, reason: string, options?: CallOptions) => Promise<ReviewedListing>
    readonly suspend: (id: string, options?: CallOptions) => Promise<ReviewedListing>
    readonly feature: (id: string, featured: boolean, options?: CallOptions) => Promise<ReviewedListing>
  }
  readonly accounts: {
    /** Tier, hourly limit (null means the tier's limit), and whether the account may sell. */
    readonly update: (
      id: string,
      patch: Partial<Pick<AdministeredAccount, "tier" | "seller" | "hourlyLimit">>,
      options?: CallOptions
    ) => Promise<AdministeredAccount>
  }
  /** The conditions that degrade the service now, newest first (OPERATOR-26). */
  readonly conditions: (options?: CallOptions) => Promise<ReadonlyArray<MarketCondition>>
  /** Recomputes every wallet from the ledger's entries. */
  readonly ledger: { readonly audit: (options?: CallOptions) => Promise<LedgerAudit> }
}

const admin = "/api/v1/admin"

const listings = (send: Send): OperatorCalls["listings"] => {
  const change = (action: string) => async (id: string, body: unknown, options: CallOptions) =>
    (await send({
      method: "POST",
      path: `${admin}/listings/${encodeURIComponent(id)}/${action}`,
      body,
      options
    })) as ReviewedListing
  return {
    list: async (query = {}, options = {}) => {
      const given = Object.entries(query).filter(([, value]) => value !== undefined)
      const text = new URLSearchParams(given.map(([name, value]) => [name, String(value)]))
      return (await send({
        method: "GET",
        path: `${admin}/listings?${text}`,
        options
      })) as ReadonlyArray<ReviewedListing>
    },
    approve: (id, options = {}) => change("approve")(id, undefined, options),
    reject: (id, reason, options = {}) => change("reject")(id, { reason }, options),
    suspend: (id, options = {}) => change("suspend")(id, undefined, options),
    feature: (id, featured, options = {}) => change("feature")(id, { featured }, options)
  }
}

export const operatorCalls = (send: Send): OperatorCalls => ({
  listings: listings(send),
  accounts: {
    update: async (id, body, options = {}) =>
      (await send({
        method: "PATCH",
        path: `${admin}/accounts/${encodeURIComponent(id)}`,
        body,
        options
      })) as AdministeredAccount
  },
  conditions: async (options = {}) =>
    (await send({
      method: "GET",
      path: `${admin}/conditions?status=open&limit=100`,
      options
    })) as ReadonlyArray<MarketCondition>,
  ledger: {
    audit: async (options = {}) =>
      (await send({ method: "GET", path: `${admin}/ledger/audit`, options })) as LedgerAudit
  }
})
