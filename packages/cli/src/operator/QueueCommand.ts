import type { AdminListing } from "@agent-marketplace/client/wire/Endpoints"
import type { AdminAppeal, AdminReport, WaitingRelease } from "@agent-marketplace/client/wire/OperatorEndpoints"
import { Clock, Effect } from "effect"
import { Command } from "effect/cli"
import { list } from "../terminal/list.ts"
import { report } from "../terminal/report.ts"
import type { Column } from "../terminal/table.ts"
import { plain } from "../terminal/text.ts"
import { adminSend } from "./adminSend.ts"

/** Something that waits for an operator. */
interface Waiting {
  readonly kind: "review" | "release" | "report" | "appeal"
  /** The id that the command for decisions takes. */
  readonly id: string
  readonly itemId: string
  readonly about: string
  readonly since: string
}

const hour = 3_600_000

/** Whole hours up to two days, then days. */
const age = (since: string, now: number): string => {
  const hours = Math.max(0, Math.floor((now - Date.parse(since)) / hour))
  return hours < 48 ? `${hours} h` : `${Math.floor(hours / 24)} d`
}

const columns = (now: number): ReadonlyArray<Column<Waiting>> => [
  { title: "WAITS", value: ({ since }) => age(since, now), right: true },
  { title: "FOR", value: ({ kind }) => kind },
  { title: "ID", value: ({ id }) => id },
  { title: "ITEM", value: ({ itemId }) => itemId },
  { title: "ABOUT", value: ({ about }) => plain.line(about), yields: true }
]

/** The oldest hundred of a list. */
const oldest = <A>(path: string) =>
  adminSend<ReadonlyArray<A>>({ method: "GET", path: `/api/v1/admin/${path}&page=1&limit=100` })

const reviewed = ({ createdAt, id, name, waitingSince }: AdminListing): Waiting => ({
  kind: "review",
  id,
  itemId: id,
  about: name,
  since: waitingSince ?? createdAt
})

const released = ({ itemId, level, reason, version, waitingSince }: WaitingRelease): Waiting => ({
  kind: "release",
  id: itemId,
  itemId,
  about: `${version}: ${reason?.text ?? `verdict ${level ?? "none"}`}`,
  since: waitingSince
})

const reported = ({ createdAt, id, itemId, reason, text }: AdminReport): Waiting => ({
  kind: "report",
  id,
  itemId,
  about: `${reason}: ${text}`,
  since: createdAt
})

const appealed = ({ createdAt, id, itemId, subject, text }: AdminAppeal): Waiting => ({
  kind: "appeal",
  id,
  itemId,
  about: `${subject}: ${text}`,
  since: createdAt
})

/** What waits for an operator, of several lists (QUEUE-1). */
export const queueCommand = Command.make("queue", {}, () =>
  Effect.gen(function* () {
    const listings = yield* oldest<AdminListing>("listings?status=pending_review")
    const releases = yield* oldest<WaitingRelease>("releases?status=in_review")
    const reports = yield* oldest<AdminReport>("reports?status=open")
    const appeals = yield* oldest<AdminAppeal>("appeals?status=open")
    const waiting = [
      ...listings.map(reviewed),
      ...releases.map(released),
      ...reports.map(reported),
      ...appeals.map(appealed)
    ].sort((a, b) => a.since.localeCompare(b.since))
    const now = yield* Clock.currentTimeMillis
    yield* report(waiting, (page) => list(page, { rows: waiting, columns: columns(now), empty: "Nothing waits." }))
  })
).pipe(
  Command.withDescription(
    "What waits for an operator: listings and releases in review, reports and appeals, oldest first"
  )
)
