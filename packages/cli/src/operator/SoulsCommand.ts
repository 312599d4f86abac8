import type { AdminSoul } from "@agent-marketplace/client/wire/OperatorEndpoints"
import { Effect, Option } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { when } from "../terminal/format.ts"
import { list, pageFlags } from "../terminal/list.ts"
import { optionalText } from "../terminal/optionalText.ts"
import { report } from "../terminal/report.ts"
import type { Column } from "../terminal/table.ts"
import { plain } from "../terminal/text.ts"
import { adminSend } from "./adminSend.ts"

const columns: ReadonlyArray<Column<AdminSoul>> = [
  { title: "SLUG", value: ({ slug }) => slug },
  { title: "NAME", value: ({ name }) => name, yields: true },
  { title: "AUTHOR", value: ({ author }) => author, yields: true },
  { title: "PRICE", value: ({ price }) => `${price} USDC`, right: true },
  { title: "STATUS", value: ({ status }) => status },
  { title: "SINCE", value: ({ createdAt }) => when(createdAt) }
]

const status = Flag.Literals("status", ["active", "suspended", "in_review"]).pipe(
  Flag.withDescription("Only SOULs with this status"),
  Flag.optional
)

const listed = Command.make("list", { status, ...pageFlags }, ({ limit, page, status }) =>
  Effect.gen(function* () {
    const query = new URLSearchParams({ page: String(page), limit: String(limit) })
    if (Option.isSome(status)) query.set("status", status.value)
    const path = `/api/v1/admin/souls?${query.toString()}`
    const found = yield* adminSend<ReadonlyArray<AdminSoul>>({ method: "GET", path })
    yield* report(found, (page) => list(page, { rows: found, columns, empty: "No SOUL found." }))
  })
).pipe(Command.withDescription("List the SOULs of all accounts, oldest first"))

const slug = Argument.String("soul").pipe(Argument.withDescription("A SOUL's slug"))

const move = (soul: string, verb: "suspend" | "restore", body: object) =>
  Effect.gen(function* () {
    const path = `/api/v1/admin/souls/${encodeURIComponent(soul)}/${verb}`
    const moved = yield* adminSend<AdminSoul>({ method: "POST", path, body })
    yield* report(moved, () => `${plain.line(moved.name)} (${moved.slug}) is ${moved.status}.`)
  })

const suspend = Command.make(
  "suspend",
  {
    slug,
    reason: Flag.String("reason").pipe(Flag.withDescription("Why, for the author and the action log")),
    code: optionalText("code", "The code of the reason, such as copy; other by default")
  },
  ({ code, reason, slug }) => move(slug, "suspend", { reason, ...(Option.isSome(code) ? { code: code.value } : {}) })
).pipe(Command.withDescription("Take a SOUL off sale until it is restored"))

const restore = Command.make("restore", { slug }, ({ slug }) => move(slug, "restore", {})).pipe(
  Command.withDescription("Put a suspended SOUL on sale again")
)

/** The operator's commands for SOULs. */
export const adminSoulsCommand = Command.make("souls").pipe(
  Command.withDescription("List, suspend and restore SOULs"),
  Command.withSubcommands([listed, suspend, restore])
)
