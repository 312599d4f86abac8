import type { ControlledItem, Revocation } from "@agent-marketplace/client/wire/OperatorEndpoints"
import { Effect, Option } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { confirm, yesFlag } from "../terminal/confirm.ts"
import { when } from "../terminal/format.ts"
import { list, pageFlags } from "../terminal/list.ts"
import { report } from "../terminal/report.ts"
import type { Column } from "../terminal/table.ts"
import { optionalText } from "../terminal/optionalText.ts"
import { adminSend } from "./adminSend.ts"

const columns: ReadonlyArray<Column<Revocation>> = [
  { title: "ID", value: ({ id }) => id },
  { title: "ITEM", value: ({ itemId }) => itemId, yields: true },
  { title: "STEP", value: ({ step }) => step },
  { title: "REFUNDED", value: ({ refunded }) => String(refunded), right: true },
  { title: "USDT", value: ({ amount }) => amount, right: true },
  { title: "COVERED", value: ({ covered }) => covered, right: true },
  { title: "REJECTED", value: ({ rejected }) => String(rejected), right: true },
  { title: "WHEN", value: ({ revokedAt }) => when(revokedAt) }
]

const revocations = Command.make(
  "revocations",
  {
    item: Flag.String("item").pipe(
      Flag.withDescription("Only those of this listing or soul, by its id"),
      Flag.optional
    ),
    ...pageFlags
  },
  ({ item, limit, page }) =>
    Effect.gen(function* () {
      const query = new URLSearchParams({ page: String(page), limit: String(limit) })
      if (Option.isSome(item)) query.set("item", item.value)
      const path = `/api/v1/admin/revocations?${query.toString()}`
      const found = yield* adminSend<ReadonlyArray<Revocation>>({ method: "GET", path })
      yield* report(found, (page) => list(page, { rows: found, columns, empty: "No revocation found." }))
    })
).pipe(Command.withDescription("List revocations and how far their refunds are"))

const decision = {
  item: Argument.String("item").pipe(Argument.withDescription("The id of a skill or a SOUL, lst_… or soul_…")),
  versions: Flag.String("version").pipe(
    Flag.withDescription("Only this version; may be repeated. Without it the item as a whole"),
    Flag.between(0, 1000)
  ),
  reason: Flag.String("reason").pipe(Flag.withDescription("Why; license holders and the creator see it")),
  code: optionalText("code", "The kind of reason, such as malware or theft")
}

interface Decision {
  readonly item: string
  readonly versions: ReadonlyArray<string>
  readonly reason: string
  readonly code: Option.Option<string>
}

const decide = (
  verb: "purge" | "quarantine" | "release" | "revoke",
  { code, item, reason, versions }: Decision,
  more: object = {}
) =>
  Effect.gen(function* () {
    const path = `/api/v1/admin/items/${encodeURIComponent(item)}/${verb}`
    const about = versions.length === 0 ? {} : { versions }
    const body = { reason, ...about, ...(Option.isSome(code) ? { code: code.value } : {}), ...more }
    const decided = yield* adminSend<ControlledItem>({ method: "POST", path, body })
    yield* report(decided, () => {
      const state = decided.quarantined ? "not for sale" : "not quarantined"
      const started = decided.revocation === null ? "" : ` The revocation ${decided.revocation.id} has started.`
      const purged = decided.releases.flatMap(({ purgedAt, version }) => (purgedAt === null ? [] : [version]))
      const gone = purged.length === 0 ? "" : ` Purged versions: ${purged.join(", ")}.`
      return `${decided.id} is ${state}.${started}${gone}`
    })
  })

const quarantine = Command.make("quarantine", decision, (given) => decide("quarantine", given)).pipe(
  Command.withDescription("Take an item, or some of its versions, off sale until it is released")
)

const release = Command.make("release", decision, (given) => decide("release", given)).pipe(
  Command.withDescription("End a quarantine, and approve releases that wait for a decision")
)

const revoke = Command.make(
  "revoke",
  {
    ...decision,
    refundDays: Flag.Int("refund-days").pipe(
      Flag.withDescription("Refund the sales of so many days, 1 to 180; the platform covers what the seller lacks"),
      Flag.optional
    ),
    yes: yesFlag
  },
  ({ refundDays, yes, ...given }) =>
    Effect.andThen(
      confirm(
        Option.isSome(refundDays)
          ? `Revoke ${given.item} for good and refund the sales of ${refundDays.value} days?`
          : `Revoke ${given.item} for good?`,
        yes
      ),
      decide("revoke", given, Option.isSome(refundDays) ? { refundDays: refundDays.value } : {})
    )
).pipe(Command.withDescription("Take an item off sale for good, after a confirmation"))

const purge = Command.make("purge", { ...decision, yes: yesFlag }, ({ yes, ...given }) => {
  const what = given.versions.length === 0 ? "all versions" : given.versions.join(", ")
  return Effect.andThen(
    confirm(`Remove the bytes of ${what} of ${given.item} permanently?`, yes),
    decide("purge", given)
  )
}).pipe(
  Command.withDescription("Remove the bytes of an item, or of some of its versions, permanently, after a confirmation")
)

/** The operator's commands for items that must not be sold (QUARANTINE-1, QUARANTINE-4, REVOKE-1, REVOKE-7, PURGE-1). */
export const itemsCommand = Command.make("items").pipe(
  Command.withDescription("Items that are withdrawn from sale"),
  Command.withSubcommands([quarantine, release, revoke, purge, revocations])
)
