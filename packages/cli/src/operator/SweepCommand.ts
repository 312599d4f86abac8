import { Usdt } from "@agent-marketplace/core/money/Usdt"
import { depositAddresses } from "@agent-marketplace/tron/chain/DepositAddresses"
import { depositKeys } from "@agent-marketplace/tron/treasury/DepositKeys"
import type { SweepEvent } from "@agent-marketplace/tron/treasury/Sweep"
import { sweep } from "@agent-marketplace/tron/treasury/Sweep"
import type { OwnTreasury } from "@agent-marketplace/tron/treasury/ownTreasury"
import { ownTreasury } from "@agent-marketplace/tron/treasury/ownTreasury"
import type { PlannedSweep, SweepItem, SweepSurvey, SweepTerms } from "@agent-marketplace/tron/treasury/SweepSurvey"
import { surveySweep } from "@agent-marketplace/tron/treasury/SweepSurvey"
import { Effect, Result } from "effect"
import { Command, Flag } from "effect/cli"
import { CommandFailure, exitCodes, usageFailure } from "../errors/CommandFailure.ts"
import type { Page } from "../terminal/CliContext.ts"
import { CliContext } from "../terminal/CliContext.ts"
import { confirm, yesFlag } from "../terminal/confirm.ts"
import { notice, report } from "../terminal/report.ts"
import { fields, table } from "../terminal/table.ts"
import { depositKey, keyVariable } from "./depositKey.ts"
import type { Treasury } from "./Treasury.ts"
import { onTreasury, treasury } from "./Treasury.ts"

const trx = (sun: number): string => (sun / 1e6).toFixed(6)

const total = (items: ReadonlyArray<SweepItem>) => ({
  usdt: Usdt.format(items.reduce((sum, { usdt }) => sum + usdt, 0n)),
  burntTrx: trx(items.reduce((sum, { fee, fundingFee }) => sum + fee + fundingFee, 0)),
  missingTrx: trx(items.reduce((sum, { missing }) => sum + missing, 0))
})

/** Where a sweep goes, in words. */
const wallets = ({ cold, hot, hotCeiling }: OwnTreasury): string =>
  cold === null || hotCeiling === null
    ? `${hot} (the hot wallet)`
    : `${hot} (the hot wallet), and from its ceiling of ${Usdt.withCurrency(hotCeiling)} on to ${cold} (the cold wallet)`

const walletData = ({ cold, hot, hotCeiling }: OwnTreasury) => ({
  hotWallet: hot,
  coldWallet: cold,
  ceiling: hotCeiling === null ? null : Usdt.format(hotCeiling)
})

/** The items that go to one of the wallets. */
const partOf = (items: ReadonlyArray<PlannedSweep>, wallet: string | null): string =>
  Usdt.format(items.filter(({ destination }) => destination === wallet).reduce((sum, { usdt }) => sum + usdt, 0n))

const itemData = ({
  address,
  destination,
  energy,
  fee,
  fundingFee,
  index,
  missing,
  obstacle,
  sun,
  usdt
}: PlannedSweep) => ({
  index,
  address,
  usdt: Usdt.format(usdt),
  trx: trx(sun),
  energy,
  burntTrx: trx(fee + fundingFee),
  missingTrx: trx(missing),
  destination,
  obstacle
})

const surveyText = (page: Page, { items, open, treasury: own }: SweepSurvey): string => {
  const sums = total(items)
  const rows = table(page, items.map(itemData), [
    { title: "Index", value: ({ index }) => String(index), right: true },
    { title: "Address", value: ({ address }) => address },
    { title: "USDT", value: ({ usdt }) => usdt, right: true },
    { title: "TRX", value: ({ trx }) => trx, right: true },
    { title: "Energy", value: ({ energy }) => String(energy), right: true },
    { title: "Burns TRX", value: ({ burntTrx }) => burntTrx, right: true },
    { title: "Needs TRX first", value: ({ missingTrx }) => missingTrx, right: true },
    { title: "To", value: ({ destination }) => (destination === own.hot ? "hot" : "cold") },
    { title: "Obstacle", value: ({ obstacle }) => obstacle ?? "", yields: true }
  ])
  const summary = fields(page, [
    ["to", wallets(own)],
    ["addresses", items.length],
    ["USDT to move", sums.usdt],
    ["of them to the cold wallet", partOf(items, own.cold)],
    ["TRX burnt at most", sums.burntTrx],
    ["TRX to send first", sums.missingTrx],
    ["already on their way", open.length]
  ])
  return items.length === 0 ? summary : `${rows}\n\n${summary}`
}

const dryRun = (market: Treasury, terms: SweepTerms) =>
  Effect.gen(function* () {
    const survey = yield* onTreasury(market, surveySweep(market.connection, terms))
    const { items, open } = survey
    const data = {
      executed: false,
      ...walletData(survey.treasury),
      addresses: items.map(itemData),
      total: total(items),
      underWay: open.map(({ address, kind, transaction }) => ({ kind, address, txHash: transaction.txid }))
    }
    yield* report(data, (page) => surveyText(page, survey))
    yield* notice("Dry run: nothing was moved. Add --execute to send the transactions.")
  })

const amountOf = (event: Extract<SweepEvent, { readonly transfer: unknown }>["transfer"]): string => {
  if (event.kind === "return") return `the return of ${event.returns?.id ?? "another asset"}`
  return event.kind === "sweep"
    ? `${Usdt.format(event.amount)} USDT${event.destination === undefined ? "" : ` to ${event.destination}`}`
    : `${trx(Number(event.amount))} TRX`
}

const sentence = (event: SweepEvent): string => {
  switch (event._tag) {
    case "Started":
      return `${event.transfer.address}: ${amountOf(event.transfer)} in ${event.transfer.transaction.txid}`
    case "Ended":
      return `${event.transfer.address}: ${amountOf(event.transfer)} ${event.as}${event.reason === null ? "" : `, ${event.reason}`}`
    case "Skipped":
      return `${event.address}: left, ${event.reason}`
    case "Waiting":
      return `TRON: ${event.reason}`
  }
}

/** Repeated reports are printed once. */
const printer = (reported: Array<SweepEvent>) => {
  let last = ""
  return (event: SweepEvent) => {
    const text = sentence(event)
    if (text === last) return Effect.void
    last = text
    reported.push(event)
    return notice(text)
  }
}

const execute = (market: Treasury, terms: SweepTerms, yes: boolean) =>
  Effect.gen(function* () {
    const { connection, depositXpub, hotSigner } = market
    const deposits = depositKeys(yield* depositKey, depositXpub)
    if (Result.isFailure(deposits)) return yield* usageFailure(`the key ${deposits.failure}`)
    const own = yield* onTreasury(market, ownTreasury(terms.hotWallet))
    yield* notice(`Everything goes to ${wallets(own)}.`)
    const { canPrompt } = yield* CliContext
    if (canPrompt) yield* confirm(`Move the deposits to ${wallets(own)}?`, yes)
    const reported: Array<SweepEvent> = []
    const print = printer(reported)
    const context = yield* CliContext
    yield* onTreasury(
      market,
      sweep(connection, terms, { deposits: deposits.success, hotWallet: hotSigner }, (event) =>
        Effect.provideService(print(event), CliContext, context)
      )
    )
    const ended = reported.filter((event) => event._tag === "Ended")
    const moved = ended.filter(({ as, transfer }) => as === "done" && transfer.kind === "sweep")
    const left = reported.filter((event) => event._tag === "Skipped")
    const failed = ended.filter(({ as }) => as === "failed")
    const data = {
      executed: true,
      ...walletData(own),
      swept: moved.map(({ transfer: { address, amount, destination, transaction } }) => ({
        address,
        usdt: Usdt.format(amount),
        destination: destination ?? null,
        txHash: transaction.txid
      })),
      failed: failed.map(({ reason, transfer: { address, transaction } }) => ({
        address,
        txHash: transaction.txid,
        reason
      })),
      left: left.map(({ address, reason }) => ({ address, reason }))
    }
    const sumOf = (some: typeof moved) => Usdt.format(some.reduce((sum, { transfer }) => sum + transfer.amount, 0n))
    const toCold = moved.filter(({ transfer: { destination } }) => destination !== undefined && destination !== own.hot)
    yield* report(data, (page) =>
      fields(page, [
        ["to", wallets(own)],
        ["addresses swept", moved.length],
        ["USDT moved", sumOf(moved)],
        ["of them to the cold wallet", sumOf(toCold)],
        ["failed", failed.length],
        ["left", left.length]
      ])
    )
    const undone = failed.length + left.length
    if (undone === 0) return
    const message = `${undone} ${undone === 1 ? "address was" : "addresses were"} not swept`
    return yield* new CommandFailure({ code: "INCOMPLETE", message, exitCode: exitCodes.failure })
  })

const minimum = Flag.String("minimum").pipe(
  Flag.withDescription("Skip addresses that hold less USDT"),
  Flag.withDefault("10")
)

const all = Flag.Boolean("all").pipe(
  Flag.withoutNegation,
  Flag.withDescription("Check every assigned address, not only those with enough credited deposits"),
  Flag.withDefault(false)
)

const executeFlag = Flag.Boolean("execute").pipe(
  Flag.withoutNegation,
  Flag.withDescription(
    `Move the money; the account's private key comes from ${keyVariable}, a prompt or standard input`
  ),
  Flag.withDefault(false)
)

/** Moves deposits to the hot wallet, and above its ceiling to the cold one; without `--execute` it only reports the required transactions (CLI-13). */
export const sweepCommand = Command.make("sweep", { minimum, all, execute: executeFlag, yes: yesFlag }, (flags) =>
  Effect.gen(function* () {
    const least = Usdt.parse(flags.minimum)
    if (Result.isFailure(least)) return yield* usageFailure(`--minimum ${least.failure}`)
    const market = yield* treasury
    const { depositXpub, hotWallet } = market
    const addressAt = depositAddresses(depositXpub)
    const terms = { hotWallet, minimum: least.success, all: flags.all, addressAt }
    yield* flags.execute ? execute(market, terms, flags.yes) : dryRun(market, terms)
  })
).pipe(
  Command.withDescription(
    "Move the USDT of the deposit addresses to the hot wallet, or above its ceiling to the cold one (a dry run without --execute)"
  )
)
