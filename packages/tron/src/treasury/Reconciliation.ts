import type { ChainUnavailable } from "@agent-marketplace/core/chain/Chain"
import type { StoreUnavailable } from "@agent-marketplace/core/errors/MarketError"
import { Usdt } from "@agent-marketplace/core/money/Usdt"
import { SweepStore } from "@agent-marketplace/core/wallets/SweepStore"
import type { GivenAddress, LedgerTotals } from "@agent-marketplace/core/wallets/WalletStore"
import { ownNetwork } from "@agent-marketplace/core/wallets/ownNetwork"
import { WalletStore } from "@agent-marketplace/core/wallets/WalletStore"
import type { WithdrawalTransaction } from "@agent-marketplace/core/wallets/Withdrawal"
import { Effect, Option, Stream } from "effect"
import { finalTransfers } from "../chain/Blocks.ts"
import { payouts } from "../chain/Payouts.ts"
import { tokenBalance } from "../chain/TokenCalls.ts"
import type { TronConnection } from "../chain/TronConnection.ts"
import { hexOf } from "../nodes/Base58Check.ts"
import { askedAtOnce } from "./SweepSurvey.ts"

export interface ReconciliationTerms {
  readonly hotWallet: string
  /** What of the hot wallet's USDT is the operator's own and never came through the ledger; below zero where earnings were taken out. */
  readonly own: bigint
}

/** A place where the chain and the ledger do not agree. `found` − `expected` is what is too much, or below zero too little. */
export interface Difference {
  readonly where: "deposit address" | "hot wallet" | "ledger"
  readonly address: string | null
  readonly expected: bigint
  readonly found: bigint
}

export interface Reconciliation {
  readonly network: string
  /** The final block up to which deposits were looked at. */
  readonly block: number
  readonly owed: LedgerTotals
  readonly own: bigint
  readonly held: { readonly addresses: Usdt; readonly hotWallet: Usdt }
  readonly addresses: number
  /** What is final on the chain and not in the ledger yet, which is no difference. */
  readonly underWay: { readonly deposits: Usdt; readonly withdrawals: Usdt; readonly sweeps: Usdt }
  readonly differences: ReadonlyArray<Difference>
}

/** Chain and ledger move while they are read: what disagrees is read again, and is a difference only where it always does. */
const readings = 5

/** How many open withdrawals are asked about. */
const withdrawalsLooked = 10_000

const span = 32

const sum = (amounts: Iterable<bigint>): Usdt => {
  let total = 0n
  for (const amount of amounts) total += amount
  return Usdt.of(total)
}

/** What the ledger and the sweeps say. */
const readBooks = Effect.fnUntraced(function* (network: string) {
  const wallets = yield* WalletStore
  const sweeps = yield* SweepStore
  return {
    totals: yield* wallets.totals,
    swept: yield* sweeps.swept,
    sweeping: (yield* sweeps.open).filter(({ kind }) => kind === "sweep"),
    withdrawing: yield* wallets.withdrawalsIn("broadcasting", withdrawalsLooked),
    cursor: Option.getOrUndefined(yield* wallets.cursor(network)),
    given: yield* Stream.runCollect(wallets.givenAddresses(network))
  }
})

type Books = Effect.Success<ReturnType<typeof readBooks>>

/** The transactions among them that are final and have paid. */
const paidOf = <A extends { readonly transaction: WithdrawalTransaction | null }>(
  connection: TronConnection,
  some: ReadonlyArray<A>
) => {
  const { fate } = payouts({ ...connection, signer: undefined })
  const isPaid = ({ transaction }: A) =>
    transaction === null ? Effect.succeed(false) : Effect.map(fate(transaction), ({ _tag }) => _tag === "Confirmed")
  return Effect.filter(some, isPaid, { concurrency: askedAtOnce })
}

/** Final deposits above the cursor, which the scanner is about to credit, by their address. */
const uncredited = Effect.fnUntraced(function* (
  connection: TronConnection,
  { cursor, given }: Books,
  hotWallet: string
) {
  const { block } = yield* connection.finalHead
  const found = new Map<string, bigint>()
  if (cursor === undefined) return { block, found }
  const own = new Set([...given.map(({ address }) => address), hotWallet])
  const addresses = new Set(given.map(({ address }) => address))
  const read = finalTransfers(connection.nodes, hexOf(connection.contract).slice(2), yield* Effect.scope)
  for (let from = cursor + 1; from <= block; from += span) {
    for (const { amount, from: sender, to } of yield* read(from, Math.min(block, from + span - 1), block)) {
      if (addresses.has(to) && !own.has(sender)) found.set(to, (found.get(to) ?? 0n) + amount)
    }
  }
  return { block, found }
})

/** One reading of everything, the addresses in `only` alone where it is given. */
const reading = Effect.fnUntraced(function* (
  connection: TronConnection,
  { hotWallet, own }: ReconciliationTerms,
  only: ReadonlySet<string> | undefined
) {
  const network = yield* ownNetwork(connection.network)
  const books = yield* readBooks(network)
  const { given, swept, totals } = books
  const balanceOf = (address: string) => tokenBalance(connection.nodes, connection.contract, address)
  const paid = yield* paidOf(connection, books.withdrawing)
  const sweeping = yield* paidOf(connection, books.sweeping)
  const hotHeld = yield* balanceOf(hotWallet)
  const looked = given.filter(({ address }) => only?.has(address) ?? true)
  const held = yield* Effect.forEach(looked, ({ address }) => balanceOf(address), { concurrency: askedAtOnce })
  const { block, found } = yield* uncredited(connection, books, hotWallet)

  const gone = new Map(sweeping.map(({ address, amount }) => [address, amount]))
  const expectedAt = ({ address, credited }: GivenAddress) =>
    credited + (found.get(address) ?? 0n) - (swept.get(address) ?? 0n) - (gone.get(address) ?? 0n)
  const withdrawn = sum(paid.map(({ amount }) => amount))
  const hotExpected = own + sum(swept.values()) + sum(gone.values()) - totals.withdrawals - withdrawn
  const booked = totals.deposits - totals.withdrawals
  const all: ReadonlyArray<Difference> = [
    { where: "ledger", address: null, expected: booked, found: totals.wallets + totals.platform },
    { where: "ledger", address: null, expected: totals.deposits, found: sum(given.map(({ credited }) => credited)) },
    { where: "hot wallet", address: hotWallet, expected: hotExpected, found: hotHeld },
    ...looked.map((each, i): Difference => {
      const { address } = each
      return { where: "deposit address", address, expected: expectedAt(each), found: held[i] ?? 0n }
    })
  ]
  return {
    network,
    block,
    owed: totals,
    own,
    balances: new Map(looked.map(({ address }, i) => [address, held[i] ?? 0n])),
    hotWallet: Usdt.of(hotHeld),
    addresses: given.length,
    underWay: { deposits: sum(found.values()), withdrawals: withdrawn, sweeps: sum(gone.values()) },
    differences: all.filter(({ expected, found }) => expected !== found)
  }
})

/**
 * Compares what the ledger owes with what the addresses and the hot wallet hold, as of final blocks. Each deposit address must hold what was
 * credited for it less what was swept; the hot wallet what was swept less what was paid out, and the operator's own. Changes nothing
 * and needs no key.
 */
export const reconcile = (
  connection: TronConnection,
  terms: ReconciliationTerms
): Effect.Effect<Reconciliation, ChainUnavailable | StoreUnavailable, SweepStore | WalletStore> =>
  Effect.scoped(
    Effect.gen(function* () {
      const first = yield* reading(connection, terms, undefined)
      const balances = new Map(first.balances)
      let last = first
      for (let i = 1; i < readings && last.differences.length > 0; i++) {
        yield* Effect.sleep(connection.pace.fresh)
        const doubtful = new Set(last.differences.flatMap(({ address }) => (address === null ? [] : [address])))
        last = yield* reading(connection, terms, doubtful)
        for (const [address, held] of last.balances) balances.set(address, held)
      }
      const { balances: _, hotWallet, ...told } = last
      return { ...told, held: { addresses: sum(balances.values()), hotWallet } }
    })
  )
