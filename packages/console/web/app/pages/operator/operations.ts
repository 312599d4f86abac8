import { useQueryClient } from "@tanstack/react-query"
import { call } from "../../market.ts"

const input = { input: true } as const

/** The endpoints of the operator that these pages use. */
export const operator = {
  listings: call("GET /api/v1/admin/listings", input),
  approveListing: call("POST /api/v1/admin/listings/:id/approve", input),
  rejectListing: call("POST /api/v1/admin/listings/:id/reject", input),
  souls: call("GET /api/v1/admin/souls", input),
  restoreSoul: call("POST /api/v1/admin/souls/:slug/restore", input),
  releases: call("GET /api/v1/admin/releases", input),
  reports: call("GET /api/v1/admin/reports", input),
  resolveReport: call("POST /api/v1/admin/reports/:id/resolve", input),
  appeals: call("GET /api/v1/admin/appeals", input),
  decideAppeal: call("POST /api/v1/admin/appeals/:id/decide", input),
  accounts: call("GET /api/v1/admin/accounts", input),
  account: call("GET /api/v1/admin/accounts/:id"),
  changeAccount: call("PATCH /api/v1/admin/accounts/:id", input),
  freeze: call("POST /api/v1/admin/accounts/:id/freeze", input),
  unfreeze: call("POST /api/v1/admin/accounts/:id/unfreeze", input),
  recover: call("POST /api/v1/admin/accounts/:id/recover", input),
  deactivateKey: call("DELETE /api/v1/admin/keys/:id", input),
  purchases: call("GET /api/v1/admin/purchases", input),
  quarantine: call("POST /api/v1/admin/items/:id/quarantine", input),
  release: call("POST /api/v1/admin/items/:id/release", input),
  revoke: call("POST /api/v1/admin/items/:id/revoke", input),
  purge: call("POST /api/v1/admin/items/:id/purge", input),
  revocations: call("GET /api/v1/admin/revocations", input),
  conditions: call("GET /api/v1/admin/conditions", input),
  audit: call("GET /api/v1/admin/ledger/audit", { input: true }),
  actions: call("GET /api/v1/admin/actions", input),
  withdrawals: call("GET /api/v1/admin/withdrawals", input),
  approveWithdrawal: call("POST /api/v1/admin/withdrawals/:id/approve", input),
  rejectWithdrawal: call("POST /api/v1/admin/withdrawals/:id/reject", input),
  payouts: call("GET /api/v1/admin/payouts"),
  pausePayouts: call("POST /api/v1/admin/payouts/pause", input),
  resumePayouts: call("POST /api/v1/admin/payouts/resume", input),
  treasury: call("GET /api/v1/admin/treasury")
} as const

/** Loads the operator's lists again after a decision. */
export const useRenew = (): (() => void) => {
  const client = useQueryClient()
  return () => void client.invalidateQueries({ queryKey: ["operator"] })
}
