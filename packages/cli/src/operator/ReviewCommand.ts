import type { AdminListing } from "@agent-marketplace/client/wire/Endpoints"
import { Effect, Option } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { when } from "../terminal/format.ts"
import { list, pageFlags } from "../terminal/list.ts"
import { optionalText } from "../terminal/optionalText.ts"
import { report } from "../terminal/report.ts"
import type { Column } from "../terminal/table.ts"
import { plain } from "../terminal/text.ts"
import { adminSend } from "./adminSend.ts"

/** The new values of an approved listing that wait for review. */
const changesOf = ({ pendingChanges }: AdminListing): string =>
  Object.entries(pendingChanges ?? {})
    .map(([field, value]) => `${field}: ${value ?? "none"}`)
    .join(", ")

const columns: ReadonlyArray<Column<AdminListing>> = [
  { title: "ID", value: ({ id }) => id },
  { title: "NAME", value: ({ name }) => name, yields: true },
  { title: "PRICE", value: ({ currency, price }) => `${price} ${currency}`, right: true },
  { title: "CREATOR", value: ({ creator }) => creator.name, yields: true },
  { title: "INSTALLS FROM", value: ({ installUrl }) => installUrl ?? "", yields: true },
  { title: "SINCE", value: ({ createdAt, waitingSince }) => when(waitingSince ?? createdAt) },
  { title: "UPDATED AT", value: ({ updatedAt }) => updatedAt }
]

/** Has a column for changes only if there are some. */
const columnsFor = (rows: ReadonlyArray<AdminListing>): typeof columns =>
  rows.some(({ pendingChanges }) => pendingChanges !== null)
    ? [...columns, { title: "CHANGES TO", value: changesOf, yields: true }]
    : columns

const status = Flag.Literals("status", ["pending_review", "approved", "rejected", "suspended"]).pipe(
  Flag.withDescription("Only with this status"),
  Flag.withDefault("pending_review" as const)
)

const queue = Command.make("list", { status, ...pageFlags }, ({ limit, page, status }) =>
  Effect.gen(function* () {
    const query = new URLSearchParams({ status, page: String(page), limit: String(limit) })
    const found = yield* adminSend<ReadonlyArray<AdminListing>>({
      method: "GET",
      path: `/api/v1/admin/listings?${query}`
    })
    yield* report(found, (page) =>
      list(page, { rows: found, columns: columnsFor(found), empty: "No listings await review." })
    )
  })
).pipe(Command.withDescription("List the listings that await review, oldest first"))

const id = Argument.String("listing").pipe(Argument.withDescription("A listing's id, lst_…"))

const move = (listing: string, verb: string, body: object = {}) =>
  Effect.gen(function* () {
    const path = `/api/v1/admin/listings/${encodeURIComponent(listing)}/${verb}`
    const moved = yield* adminSend<AdminListing>({ method: "POST", path, body })
    yield* report(moved, () => `${plain.line(moved.name)} (${moved.id}) is ${moved.status}.`)
  })

/** The options that were given. */
const given = (options: Readonly<Record<string, Option.Option<string>>>): object =>
  Object.fromEntries(
    Object.entries(options).flatMap(([name, value]) => (Option.isSome(value) ? [[name, value.value]] : []))
  )

const updatedAt = optionalText(
  "updated-at",
  "What the list shows as UPDATED AT: nothing is decided if the listing was changed since"
)

const approve = Command.make("approve", { id, updatedAt }, ({ id, updatedAt }) =>
  move(id, "approve", given({ updatedAt }))
).pipe(Command.withDescription("Put a listing on sale"))

const reason = Flag.String("reason").pipe(Flag.withDescription("1 to 1,000 characters; sent to the creator"))

const code = optionalText("code", "The code of the reason, such as misleading; other by default")

const reject = Command.make("reject", { id, reason, code, updatedAt }, ({ code, id, reason, updatedAt }) =>
  move(id, "reject", { reason, ...given({ code, updatedAt }) })
).pipe(Command.withDescription("Reject a listing"))

const suspend = Command.make(
  "suspend",
  { id, reason: optionalText("reason", "Why, in at most 1,000 characters; sent to the creator"), code },
  ({ code, id, reason }) => move(id, "suspend", given({ code, reason }))
).pipe(Command.withDescription("Take a listing off sale until it is approved again"))

const feature = Command.make(
  "feature",
  {
    id,
    off: Flag.Boolean("off").pipe(
      Flag.withoutNegation,
      Flag.withDescription("Stop featuring it"),
      Flag.withDefault(false)
    )
  },
  ({ id, off }) => move(id, "feature", { featured: !off })
).pipe(Command.withDescription("Feature a listing"))

export const reviewCommand = Command.make("review").pipe(
  Command.withDescription("The review's queue: list, approve, reject, suspend, feature"),
  Command.withSubcommands([queue, approve, reject, suspend, feature])
)
