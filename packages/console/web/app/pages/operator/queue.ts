import type { AdminListing } from "@agent-marketplace/client/wire/Endpoints"
import type { AdminAppeal, AdminReport, WaitingRelease } from "@agent-marketplace/client/wire/OperatorEndpoints"
import { operator } from "./operations.ts"

/** Something that waits for an operator, with the record that is decided. */
export type Waiting = { readonly id: string; readonly since: string } & (
  | { readonly kind: "listing"; readonly record: AdminListing }
  | { readonly kind: "release"; readonly record: WaitingRelease }
  | { readonly kind: "report"; readonly record: AdminReport }
  | { readonly kind: "appeal"; readonly record: AdminAppeal }
)

/** The most records of each kind that are loaded. */
export const most = 100

const all = { page: 1, limit: most } as const

/** What waits for an operator, oldest first, and whether there is more of one kind than was loaded (QUEUE-1). */
export const readQueue = async (): Promise<{ readonly waiting: ReadonlyArray<Waiting>; readonly more: boolean }> => {
  const [listings, releases, reports, appeals] = await Promise.all([
    operator.listings({ ...all, status: "pending_review" }),
    operator.releases({ ...all, status: "in_review" }),
    operator.reports({ ...all, status: "open" }),
    operator.appeals({ ...all, status: "open" })
  ])
  const waiting: Array<Waiting> = [
    ...listings.map((record) => ({
      kind: "listing" as const,
      id: record.id,
      since: record.waitingSince ?? record.createdAt,
      record
    })),
    ...releases.map((record) => ({ kind: "release" as const, id: record.id, since: record.waitingSince, record })),
    ...reports.map((record) => ({ kind: "report" as const, id: record.id, since: record.createdAt, record })),
    ...appeals.map((record) => ({ kind: "appeal" as const, id: record.id, since: record.createdAt, record }))
  ]
  return {
    waiting: waiting.sort((a, b) => a.since.localeCompare(b.since)),
    more: [listings, releases, reports, appeals].some(({ length }) => length === most)
  }
}
