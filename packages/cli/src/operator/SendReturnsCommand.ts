import type { ForeignAsset } from "@agent-marketplace/core/wallets/ForeignAsset"
import type { SweepTransfer } from "@agent-marketplace/core/wallets/SweepStore"
import { depositAddresses } from "@agent-marketplace/tron/chain/DepositAddresses"
import { depositKeys } from "@agent-marketplace/tron/treasury/DepositKeys"
import type { ReturnEvent } from "@agent-marketplace/tron/treasury/ReturnAssets"
import { returnAssets } from "@agent-marketplace/tron/treasury/ReturnAssets"
import type { ReturnItem, ReturnTerms } from "@agent-marketplace/tron/treasury/ReturnSurvey"
import { surveyReturns } from "@agent-marketplace/tron/treasury/ReturnSurvey"
import { Effect, Result } from "effect"
import { Command, Flag } from "effect/cli"
import { CommandFailure, exitCodes, usageFailure } from "../errors/CommandFailure.ts"
import { CliContext } from "../terminal/CliContext.ts"
import { confirm, yesFlag } from "../terminal/confirm.ts"
import { notice, report } from "../terminal/report.ts"
import { table } from "../terminal/table.ts"
import { plain } from "../terminal/text.ts"
import { depositKey, keyVariable } from "./depositKey.ts"
import type { Treasury } from "./Treasury.ts"
import { onTreasury, treasury } from "./Treasury.ts"

const trx = (sun: number): string => (sun / 1e6).toFixed(6)

/** TRX with decimals; tokens in their smallest unit, because the decimals that they report are not verified. */
const amountText = ({ asset, kind }: Pick<ForeignAsset, "kind" | "asset">, amount: bigint): string => {
  if (kind === "trx") return `${trx(Number(amount))} TRX`
  return `${amount} of ${kind === "trc10" ? "the TRC-10 token" : "the token"} ${plain.line(asset)}`
}

const itemData = ({ amount, asset, destination, fee, fundingFee, missing, obstacle }: ReturnItem) => ({
  id: asset.id,
  kind: asset.kind,
  asset: asset.asset,
  received: String(asset.amount),
  amount: String(amount),
  from: asset.address,
  destination,
  burntTrx: trx(fee + fundingFee),
  missingTrx: trx(missing),
  obstacle
})

const underWay = ({ returns, transaction }: SweepTransfer) => ({
  id: returns?.id,
  destination: returns?.destination,
  txHash: transaction.txid
})

const survey = (market: Treasury, terms: ReturnTerms) => onTreasury(market, surveyReturns(market.connection, terms))

const dryRun = (market: Treasury, terms: ReturnTerms) =>
  Effect.gen(function* () {
    const { items, open } = yield* survey(market, terms)
    const data = { executed: false, assets: items.map(itemData), underWay: open.map(underWay) }
    yield* report(data, (page) =>
      items.length === 0
        ? `Nothing is to be sent${open.length === 0 ? "" : `; ${open.length} already on their way`}.`
        : table(page, items, [
            { title: "ID", value: ({ asset }) => asset.id },
            { title: "Sends", value: ({ amount, asset }) => amountText(asset, amount) },
            { title: "To", value: ({ destination }) => destination },
            { title: "From", value: ({ asset }) => asset.address, yields: true },
            { title: "Burns TRX", value: ({ fee, fundingFee }) => trx(fee + fundingFee), right: true },
            { title: "Needs TRX first", value: ({ missing }) => trx(missing), right: true },
            { title: "Obstacle", value: ({ obstacle }) => obstacle ?? "", yields: true }
          ])
    )
    yield* notice("Dry run: nothing was sent. Add --execute to send the transactions.")
  })

const named = ({ returns, transaction }: SweepTransfer): string =>
  returns === undefined
    ? `TRX for the fee in ${transaction.txid}`
    : `${returns.id} to ${returns.destination} in ${transaction.txid}`

const sentence = (event: ReturnEvent): string => {
  switch (event._tag) {
    case "Started":
      return named(event.transfer)
    case "Ended":
      return `${named(event.transfer)}: ${event.as}${event.reason === null ? "" : `, ${plain.line(event.reason)}`}`
    case "Skipped":
      return `${event.place.asset.id}: left, ${event.reason}`
    case "Waiting":
      return `TRON: ${event.reason}`
  }
}

/** Repeated reports are printed once. */
const printer = (reported: Array<ReturnEvent>) => {
  let last = ""
  return (event: ReturnEvent) => {
    const text = sentence(event)
    if (text === last) return Effect.void
    last = text
    reported.push(event)
    return notice(text)
  }
}

const endedData = (transfer: SweepTransfer) => ({ ...underWay(transfer), amount: String(transfer.amount) })

const resultOf = (reported: ReadonlyArray<ReturnEvent>) => {
  const ended = reported.flatMap((event) => (event._tag === "Ended" && event.transfer.kind === "return" ? [event] : []))
  return {
    executed: true,
    returned: ended.filter(({ as }) => as === "done").map(({ transfer }) => endedData(transfer)),
    failed: ended
      .filter(({ as }) => as === "failed")
      .map(({ reason, transfer }) => ({ ...endedData(transfer), reason })),
    left: reported.flatMap((event) =>
      event._tag === "Skipped" ? [{ id: event.place.asset.id, reason: event.reason }] : []
    )
  }
}

const execute = (market: Treasury, terms: ReturnTerms, yes: boolean) =>
  Effect.gen(function* () {
    const { connection, depositXpub, hotSigner } = market
    const deposits = depositKeys(yield* depositKey, depositXpub)
    if (Result.isFailure(deposits)) return yield* usageFailure(`the key ${deposits.failure}`)
    const { items, open } = yield* survey(market, terms)
    const shown = new Map<string, string>([
      ...items.map(({ asset, destination }) => [asset.id, destination] as const),
      ...open.flatMap(({ returns }) => (returns === undefined ? [] : [[returns.id, returns.destination] as const]))
    ])
    const possible = items.filter(({ obstacle }) => obstacle === null)
    for (const { amount, asset, destination } of possible)
      yield* notice(`${asset.id}: ${amountText(asset, amount)} from ${asset.address} goes to ${destination}.`)
    const context = yield* CliContext
    if (context.canPrompt && possible.length > 0)
      yield* confirm(`Send these ${possible.length} assets to the named addresses?`, yes)
    const reported: Array<ReturnEvent> = []
    const print = printer(reported)
    yield* onTreasury(
      market,
      returnAssets(connection, { ...terms, shown }, { deposits: deposits.success, hotWallet: hotSigner }, (event) =>
        Effect.provideService(print(event), CliContext, context)
      )
    )
    const result = resultOf(reported)
    yield* report(result, (page) =>
      table(
        page,
        [
          ...result.returned.map((each) => ({ ...each, end: "returned" })),
          ...result.failed.map((each) => ({ ...each, end: `failed, ${plain.line(each.reason ?? "")}` }))
        ],
        [
          { title: "ID", value: ({ id }) => id ?? "" },
          { title: "To", value: ({ destination }) => destination ?? "" },
          { title: "Transaction", value: ({ txHash }) => txHash },
          { title: "Result", value: ({ end }) => end, yields: true }
        ]
      )
    )
    const undone = result.failed.length + result.left.length
    if (undone === 0) return
    const message = `${undone} ${undone === 1 ? "asset was" : "assets were"} not returned`
    return yield* new CommandFailure({ code: "INCOMPLETE", message, exitCode: exitCodes.failure })
  })

const mostFee = Flag.Int("max-fee").pipe(
  Flag.withDescription("The most TRX that one return may burn: a stranger's token may cost any amount"),
  Flag.withDefault(30)
)

const executeFlag = Flag.Boolean("execute").pipe(
  Flag.withoutNegation,
  Flag.withDescription(
    `Send the transactions; the account's private key comes from ${keyVariable}, a prompt or standard input`
  ),
  Flag.withDefault(false)
)

/** Sends what the operator decided to return; without `--execute` it only reports the required transactions (CHAIN-32). */
export const sendReturnsCommand = Command.make("send", { mostFee, execute: executeFlag, yes: yesFlag }, (flags) =>
  Effect.gen(function* () {
    if (flags.mostFee < 1 || flags.mostFee > 15_000) return yield* usageFailure("--max-fee must be 1 to 15000 TRX")
    const market = yield* treasury
    const terms = { mostFee: flags.mostFee * 1e6, addressAt: depositAddresses(market.depositXpub) }
    yield* flags.execute ? execute(market, terms, flags.yes) : dryRun(market, terms)
  })
).pipe(Command.withDescription("Sign and send what is to be returned (a dry run without --execute)"))
