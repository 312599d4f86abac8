import type { ChainUnavailable } from "@agent-marketplace/core/chain/Chain"
import type { StoreUnavailable } from "@agent-marketplace/core/errors/MarketError"
import { Usdt } from "@agent-marketplace/core/money/Usdt"
import { SweepStore } from "@agent-marketplace/core/wallets/SweepStore"
import type { LedgerTotals } from "@agent-marketplace/core/wallets/WalletStore"
import { WalletStore } from "@agent-marketplace/core/wallets/WalletStore"
import type { WithdrawalTransaction } from "@agent-marketplace/core/wallets/Withdrawal"
import { TreasuryStore } from "@agent-marketplace/core/wallets/TreasuryStore"
import { Effect, Option, Stream } from "effect"
import { blocksAtOnce } from "../chain/Blocks.ts"
import { hasPaid } from "../chain/Payouts.ts"
import type { TronConnection } from "../chain/TronConnection.ts"
import { agreedBalance } from "./agreedBalance.ts"
import { ownChain } from "./ownChain.ts"
import { surveyConcurrency } from "./SweepSurvey.ts"

export interface ReconciliationTerms {
  readonly hotWallet: string
  /** The operator's own USDT in the hot and the cold wallet, which are not in the ledger; negative if earnings were withdrawn. */
  readonly own: bigint
}

/** A balance on which chain and ledger differ by `found` − `expected`: positive is too much, negative too little. */
export interface Difference {
  readonly where: "deposit address" | "hot wallet" | "hot and cold wallets" | "ledger"
  readonly address: string | null
  readonly expected: bigint
  readonly found: bigint
}

export interface Reconciliation {
  readonly network: string
  /** The final block up to which deposits were scanned. */
  readonly block: number
  readonly owed: LedgerTotals
  readonly own: bigint
  readonly held: {
    readonly addresses: Usdt
    readonly hotWallet: Usdt
    /** Null if the market has no cold wallet. */
    readonly coldWallet: Usdt | null
    /** Former hot and cold wallets that sweeps went to; null if there are none. */
    readonly formerWallets: Usdt | null
  }
  readonly addresses: number
  /** Final transfers that the ledger does not contain yet. They are not differences. */
  readonly underWay: { readonly deposits: Usdt; readonly withdrawals: Usdt; readonly sweeps: Usdt }
  readonly differences: ReadonlyArray<Difference>
}

/** Chain and ledger change during the comparison, so differing values are read again. A difference must persist through all readings. */
const readings = 5

/** The maximum number of open withdrawals that are looked up. */
const mostWithdrawals = 10_000

const span = 32

const sum = (amounts: Iterable<bigint>): Usdt => {
  let total = 0n
  for (const amount of amounts) total += amount
  return Usdt.of(total)
}

/** The state of the ledger and of the sweeps. */
const readBooks = Effect.fnUntraced(function* (network: string) {
  const wallets = yield* WalletStore
  const sweeps = yield* SweepStore
  const { cold } = yield* (yield* TreasuryStore).treasury
  return {
    cold,
    destinations: yield* sweeps.destinations,
    totals: yield* wallets.totals,
    swept: yield* sweeps.swept,
    sweeping: (yield* sweeps.open).filter(({ kind }) => kind === "sweep"),
    withdrawing: yield* wallets.withdrawalsIn("broadcasting", mostWithdrawals),
    cursor: Option.getOrUndefined(yield* wallets.cursor(network)),
    given: yield* Stream.runCollect(wallets.issuedAddresses(network))
  }
})

type Books = Effect.Success<ReturnType<typeof readBooks>>

/** Those of the given transfers whose transactions are final and have paid. */
const paidOf = <A extends { readonly transaction: WithdrawalTransaction | null }>(
  connection: TronConnection,
  some: ReadonlyArray<A>
) =>
  Effect.filter(
    some,
    ({ transaction }) => (transaction === null ? Effect.succeed(false) : hasPaid(connection, transaction)),
    { concurrency: surveyConcurrency }
  )

/** Final deposits above the scan position, by address: the scanner will credit them next. */
const uncredited = Effect.fnUntraced(function* (
  connection: TronConnection,
  { cursor, given }: Books,
  wallets: ReadonlyArray<string>
) {
  const { block } = yield* connection.finalHead
  const found = new Map<string, bigint>()
  if (cursor === undefined) return { block, found }
  const own = new Set([...given.map(({ address }) => address), ...wallets])
  const addresses = new Set(given.map(({ address }) => address))
  for (let from = cursor + 1; from <= block; from += span) {
    const range = Array.from({ length: Math.min(span, block - from + 1) }, (_, i) => from + i)
    for (const { transfers } of yield* Effect.forEach(range, connection.blocks.agreed, { concurrency: blocksAtOnce })) {
      for (const { amount, from: sender, to } of transfers) {
        if (addresses.has(to) && !own.has(sender)) found.set(to, (found.get(to) ?? 0n) + amount)
      }
    }
  }
  return { block, found }
})

/** The market's own wallets: the hot one, the cold one, and former ones that sweeps went to. */
const walletsOf = (hotWallet: string, { cold, destinations }: Books): ReadonlyArray<string> => [
  ...new Set([hotWallet, ...(cold === null ? [] : [cold]), ...destinations])
]

/** Balances on the chain. With `only`, reads only those addresses, each time from nodes that have reached the scan position. */
const readChain = Effect.fnUntraced(function* (
  connection: TronConnection,
  hotWallet: string,
  books: Books,
  only: ReadonlySet<string> | undefined
) {
  // All voting nodes have reached the scan position; another server behind the URL of one of them may not have.
  const since = only === undefined ? 0 : (books.cursor ?? 0)
  const balanceOf = (address: string) => agreedBalance(connection, address, since)
  const withdrawn = yield* paidOf(connection, books.withdrawing)
  const swept = yield* paidOf(connection, books.sweeping)
  const wallets = walletsOf(hotWallet, books)
  const walletsHeld = new Map(
    yield* Effect.forEach(wallets, (wallet) => Effect.map(balanceOf(wallet), (found) => [wallet, found] as const))
  )
  const looked = books.given.filter(({ address }) => only?.has(address) ?? true)
  const held = yield* Effect.forEach(looked, ({ address }) => balanceOf(address), { concurrency: surveyConcurrency })
  return {
    ...(yield* uncredited(connection, books, wallets)),
    looked,
    held: new Map(looked.map(({ address }, i) => [address, held[i] ?? 0n])),
    walletsHeld,
    /** Paid on the chain, but not recorded in the ledger yet. */
    withdrawn: sum(withdrawn.map(({ amount }) => amount)),
    swept: new Map(swept.map(({ address, amount }) => [address, amount]))
  }
})

type Seen = Effect.Success<ReturnType<typeof readChain>>

/** Every difference between chain and ledger. */
const compare = ({ hotWallet, own }: ReconciliationTerms, books: Books, seen: Seen): ReadonlyArray<Difference> => {
  const { given, swept, totals } = books
  const sweptTo = sum(swept.values()) + sum(seen.swept.values())
  const places: ReadonlyArray<Difference> = [
    {
      where: "ledger",
      address: null,
      expected: totals.deposits - totals.withdrawals,
      found: totals.wallets + totals.platform + totals.held + totals.unattributed
    },
    { where: "ledger", address: null, expected: totals.deposits, found: sum(given.map(({ credited }) => credited)) },
    {
      where: seen.walletsHeld.size === 1 ? "hot wallet" : "hot and cold wallets",
      address: hotWallet,
      expected: own + sweptTo - totals.withdrawals - seen.withdrawn,
      found: sum(seen.walletsHeld.values())
    },
    ...seen.looked.map(({ address, credited }): Difference => {
      const came = credited + (seen.found.get(address) ?? 0n)
      const went = (swept.get(address) ?? 0n) + (seen.swept.get(address) ?? 0n)
      return { where: "deposit address", address, expected: came - went, found: seen.held.get(address) ?? 0n }
    })
  ]
  return places.filter(({ expected, found }) => expected !== found)
}

/** The balances of the wallets, by kind. */
const heldBy = (hotWallet: string, { cold }: Books, { walletsHeld }: Seen) => {
  const former = [...walletsHeld].filter(([wallet]) => wallet !== hotWallet && wallet !== cold)
  return {
    hotWallet: Usdt.of(walletsHeld.get(hotWallet) ?? 0n),
    coldWallet: cold === null ? null : Usdt.of(walletsHeld.get(cold) ?? 0n),
    formerWallets: former.length === 0 ? null : sum(former.map(([, found]) => found))
  }
}

/**
 * Compares what the ledger owes with the final balances of the deposit addresses and the market's wallets (CHAIN-20). Each deposit address must hold
 * its recorded deposits less what was swept. The hot and the cold wallet together must hold what was swept less what was paid out, plus the operator's
 * own money: the operator moves money between the two, and the ledger does not contain that. A former wallet that sweeps went to counts too.
 * Only balances that all voting nodes report alike count (CHAIN-27). Changes nothing and needs no key.
 */
export const reconcile = (
  connection: TronConnection,
  terms: ReconciliationTerms
): Effect.Effect<Reconciliation, ChainUnavailable | StoreUnavailable, SweepStore | TreasuryStore | WalletStore> =>
  Effect.scoped(
    Effect.gen(function* () {
      const { hotWallet, own } = terms
      const { network } = yield* ownChain(connection)
      const held = new Map<string, bigint>()
      let doubtful: ReadonlySet<string> | undefined
      for (let reading = 1; ; reading++) {
        const books = yield* readBooks(network)
        const seen = yield* readChain(connection, hotWallet, books, doubtful)
        for (const [address, amount] of seen.held) held.set(address, amount)
        const differences = compare(terms, books, seen)
        if (differences.length === 0 || reading === readings)
          return {
            network,
            block: seen.block,
            owed: books.totals,
            own,
            held: { addresses: sum(held.values()), ...heldBy(hotWallet, books, seen) },
            addresses: books.given.length,
            underWay: {
              deposits: sum(seen.found.values()),
              withdrawals: seen.withdrawn,
              sweeps: sum(seen.swept.values())
            },
            differences
          }
        doubtful = new Set(differences.flatMap(({ address }) => (address === null ? [] : [address])))
        yield* Effect.sleep(connection.timings.fresh)
      }
    })
  )
