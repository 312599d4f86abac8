import type { ForeignAsset } from "@agent-marketplace/client/wire/OperatorEndpoints"
import { Effect, Option } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { confirm, yesFlag } from "../terminal/confirm.ts"
import { when } from "../terminal/format.ts"
import { list, pageFlags } from "../terminal/list.ts"
import { notice, report } from "../terminal/report.ts"
import type { Column } from "../terminal/table.ts"
import { plain } from "../terminal/text.ts"
import { adminSend } from "./adminSend.ts"
import { findAssetsCommand } from "./FindAssetsCommand.ts"
import { sendReturnsCommand } from "./SendReturnsCommand.ts"

/** The name of a token is untrusted text and does not identify the token. */
const assetText = ({ asset, kind, unverifiedSymbol }: ForeignAsset): string => {
  if (kind === "trx") return "TRX"
  return unverifiedSymbol === null ? asset : `${asset} (unverified: ${plain.line(unverifiedSymbol)})`
}

const columns: ReadonlyArray<Column<ForeignAsset>> = [
  { title: "ID", value: ({ id }) => id },
  { title: "ASSET", value: assetText },
  { title: "SMALLEST UNITS", value: ({ amount }) => amount, right: true },
  { title: "ACCOUNT", value: ({ accountId }) => accountId },
  { title: "FROM", value: ({ sender }) => sender },
  { title: "STATE", value: ({ state }) => state },
  { title: "RETURNED TO", value: ({ destination }) => destination ?? "", yields: true },
  { title: "WHEN", value: ({ at }) => when(at) }
]

const shown = (found: ReadonlyArray<ForeignAsset>, empty: string) =>
  report(found, (page) => list(page, { rows: found, columns, empty }))

const state = Flag.Literals("state", ["received", "returning", "returned", "failed", "all"]).pipe(
  Flag.withDescription("Only in this state"),
  Flag.withDefault("all" as const)
)

const listed = Command.make("list", { state, ...pageFlags }, ({ limit, page, state }) =>
  Effect.gen(function* () {
    const query = new URLSearchParams({ page: String(page), limit: String(limit) })
    if (state !== "all") query.set("state", state)
    const path = `/api/v1/admin/foreign-assets?${query.toString()}`
    yield* shown(yield* adminSend<ReadonlyArray<ForeignAsset>>({ method: "GET", path }), "No other asset found.")
  })
).pipe(Command.withDescription("List TRX and tokens other than USDT that reached deposit addresses"))

const recheck = Command.make(
  "recheck",
  {
    txid: Argument.String("transaction").pipe(Argument.withDescription("The id of the transaction")),
    reason: Flag.String("reason").pipe(Flag.withDescription("Why, for the action log"), Flag.optional)
  },
  ({ reason, txid }) =>
    Effect.gen(function* () {
      const body = Option.isNone(reason) ? { txid } : { txid, reason: reason.value }
      const path = "/api/v1/admin/foreign-assets/recheck"
      const found = yield* adminSend<ReadonlyArray<ForeignAsset>>({ method: "POST", path, body })
      yield* shown(found, "This final transaction sent no other asset to a deposit address.")
    })
).pipe(Command.withDescription("Record what a transaction sent to deposit addresses as TRX or as another token"))

const requestReturn = Command.make(
  "return",
  {
    id: Argument.String("asset").pipe(Argument.withDescription("The id of the record, fas_…")),
    destination: Flag.String("destination").pipe(
      Flag.withDescription("Where it goes; by default the sender"),
      Flag.optional
    ),
    reason: Flag.String("reason").pipe(Flag.withDescription("Why, for the action log")),
    yes: yesFlag
  },
  ({ destination, id, reason, yes }) =>
    Effect.gen(function* () {
      const to = Option.getOrElse(destination, () => "its sender")
      yield* confirm(`Return ${id} to ${to}?`, yes)
      const path = `/api/v1/admin/foreign-assets/${encodeURIComponent(id)}/return`
      const body = Option.isNone(destination) ? { reason } : { reason, destination: destination.value }
      const decided = yield* adminSend<ForeignAsset>({ method: "POST", path, body })
      yield* report(decided, () => `${decided.id} goes to ${decided.destination ?? ""}: ${decided.state}.`)
      if (decided.state === "returning")
        yield* notice("Nothing was sent. `agent-marketplace operator foreign-assets send` signs and sends it.")
    })
).pipe(Command.withDescription("Decide where an asset is returned; `send` sends it"))

/** The operator's commands for assets that the ledger does not count (CHAIN-29, CHAIN-31). */
export const foreignAssetsCommand = Command.make("foreign-assets").pipe(
  Command.withDescription("TRX and tokens other than USDT that reached deposit addresses, and their return"),
  Command.withSubcommands([listed, findAssetsCommand, recheck, requestReturn, sendReturnsCommand])
)
