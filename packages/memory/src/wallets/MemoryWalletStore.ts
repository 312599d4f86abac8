import type { AccountId } from "@agent-marketplace/core/ids/Ids"
import { Timestamp } from "@agent-marketplace/core/clock/Timestamp"
import { Usdt } from "@agent-marketplace/core/money/Usdt"
import { isUndecided } from "@agent-marketplace/core/screening/HeldDeposit"
import { depositKey } from "@agent-marketplace/core/settlement/MarketState"
import type { Escrow } from "@agent-marketplace/core/wallets/Escrow"
import type { EscrowDay, IssuedAddress, PayableWithdrawal } from "@agent-marketplace/core/wallets/WalletStore"
import { WalletStore } from "@agent-marketplace/core/wallets/WalletStore"
import type { Withdrawal } from "@agent-marketplace/core/wallets/Withdrawal"
import { openRules } from "@agent-marketplace/core/wallets/WithdrawalRules"
import { Effect, Layer, Option, Semaphore, Stream } from "effect"
import { ConstraintViolated } from "../ConstraintViolated.ts"
import { Index } from "../Index.ts"
import type { MarketTables } from "../MarketTables.ts"
import { MemoryMarket } from "../MemoryMarket.ts"
import { Timeline } from "../paging/Timeline.ts"
import { auditLedger, auditSinceCheckpoint, debtsOf, totals } from "./auditLedger.ts"
import { payoutPause } from "./MemoryTreasuryStore.ts"

const requested = ({ createdAt }: Pick<Withdrawal, "createdAt">) => createdAt

/** Pending deposits of the wallet, including held ones; a deposit that was credited is no longer pending, whatever the last scan found. */
const pendingOf = (tables: MarketTables, account: AccountId): Usdt => {
  let pending = 0n
  for (const deposits of tables.pending.values()) {
    for (const { accountId, amount, logIndex, network, txid } of deposits) {
      if (accountId === account && !tables.deposits.has(depositKey(network, txid, logIndex))) pending += amount
    }
  }
  for (const deposit of tables.heldDeposits.values()) {
    if (deposit.accountId === account && isUndecided(deposit)) pending += deposit.amount
  }
  return Usdt.of(pending)
}

const giveAddress = (tables: MarketTables, account: AccountId, address: string, index: number): string => {
  if (!tables.wallets.has(account)) throw new ConstraintViolated("addresses_account", account)
  if (tables.addressOwners.has(address)) throw new ConstraintViolated("addresses_once", address)
  tables.addresses.set(account, address)
  tables.addressIndexes.set(address, index)
  tables.addressOwners.set(address, account)
  return address
}

const escrowDays = (escrow: ReadonlyArray<Escrow>): ReadonlyArray<EscrowDay> => {
  const days = new Map<number, EscrowDay>()
  for (const { amount, releasedAt } of escrow) {
    const day = Math.floor(releasedAt / Timestamp.day)
    const before = days.get(day)
    days.set(day, {
      amount: Usdt.of((before?.amount ?? 0n) + amount),
      releasedAt: Math.max(before?.releasedAt ?? releasedAt, releasedAt)
    })
  }
  return [...days.values()].sort((one, other) => one.releasedAt - other.releasedAt)
}

const addressAssigner = (tables: MarketTables): WalletStore["Service"]["assignAddress"] => {
  const oneAtATime = Semaphore.makeUnsafe(1)
  let nextIndex = 0
  return (account, derive) =>
    oneAtATime.withPermit(
      Effect.suspend(() => {
        const assigned = tables.addresses.get(account)
        if (assigned !== undefined) return Effect.succeed(assigned)
        const index = nextIndex++
        return Effect.map(derive(index), (address) => giveAddress(tables, account, address, index))
      })
    )
}

/** One of each account, then a second one of each, and so on. */
const payable = (tables: MarketTables, now: Timestamp): ReadonlyArray<PayableWithdrawal> => {
  const due = ({ createdAt, id }: Withdrawal) => tables.payoutDeferrals.get(id)?.until ?? createdAt
  const all = [...tables.withdrawals.values()]
  const turns = new Map<AccountId, number>()
  const nextTurn = (account: AccountId): number => {
    const turn = (turns.get(account) ?? 0) + 1
    turns.set(account, turn)
    return turn
  }
  for (const { accountId, state } of all) if (state === "broadcasting") nextTurn(accountId)
  return all
    .filter(({ accountId, state }) => state === "queued" && (tables.accounts.get(accountId)?.frozen ?? null) === null)
    .filter(({ id }) => (tables.payoutDeferrals.get(id)?.until ?? now) <= now)
    .filter(({ id }) => (tables.screeningFailures.get(id)?.until ?? now) <= now)
    .sort((one, other) => due(one) - due(other))
    .map((withdrawal) => ({ withdrawal, turn: nextTurn(withdrawal.accountId) }))
    .sort((one, other) => one.turn - other.turn || due(one.withdrawal) - due(other.withdrawal))
    .map(({ withdrawal }) => ({
      withdrawal,
      refusals: tables.payoutDeferrals.get(withdrawal.id)?.refusals ?? 0,
      unscreened: tables.screeningFailures.has(withdrawal.id)
    }))
}

const withdrawalReads = (
  tables: MarketTables
): Pick<
  WalletStore["Service"],
  | "findWithdrawal"
  | "listWithdrawals"
  | "withdrawalsIn"
  | "payoutLoad"
  | "payableWithdrawals"
  | "deferPayouts"
  | "refusedPayouts"
  | "withdrawalRules"
  | "savedAddresses"
  | "payoutPause"
> => ({
  payoutLoad: (since) =>
    Effect.sync(() => {
      const all = [...tables.withdrawals.values()]
      const queued = all.filter(({ state }) => state === "queued")
      return {
        queued: queued.length,
        needed: Usdt.of(queued.reduce((sum, { amount }) => sum + amount, 0n)),
        completed: all.filter(({ completedAt }) => completedAt !== null && completedAt >= since).length
      }
    }),
  payableWithdrawals: (now, limit) => Effect.sync(() => payable(tables, now).slice(0, limit)),
  deferPayouts: (ids, until, refusal) =>
    Effect.sync(() => {
      for (const id of ids) {
        if (tables.withdrawals.get(id)?.state !== "queued") continue
        const before = tables.payoutDeferrals.get(id)
        const refusals = (before?.refusals ?? 0) + (refusal === null ? 0 : 1)
        tables.payoutDeferrals.set(id, { until, refusals, reason: refusal ?? before?.reason ?? "" })
      }
    }),
  refusedPayouts: (limit) =>
    Effect.sync(() =>
      Timeline.oldestFirst([...tables.withdrawals.values()], requested)
        .flatMap(({ id, state }) => {
          const deferral = tables.payoutDeferrals.get(id)
          return state === "queued" && (deferral?.refusals ?? 0) > 0 ? [{ id, reason: deferral?.reason ?? "" }] : []
        })
        .slice(0, limit)
    ),
  withdrawalRules: (account) => Effect.sync(() => tables.withdrawalRules.get(account) ?? openRules),
  savedAddresses: (account, page) =>
    Effect.sync(() => {
      const own = Index.records(tables.savedAddressesOf, account, tables.savedAddresses)
      return Timeline.page(Timeline.newestFirst(own, requested), page)
    }),
  payoutPause: Effect.sync(() => payoutPause(tables)),
  findWithdrawal: (id, account) =>
    Effect.sync(() =>
      Option.filter(
        Option.fromUndefinedOr(tables.withdrawals.get(id)),
        (withdrawal) => account === null || withdrawal.accountId === account
      )
    ),
  listWithdrawals: (account, page) =>
    Effect.sync(() => {
      const own = Index.records(tables.withdrawalsOf, account, tables.withdrawals)
      return Timeline.page(Timeline.newestFirst(own, requested), page)
    }),
  withdrawalsIn: (state, limit) =>
    Effect.sync(() => {
      const found = [...tables.withdrawals.values()].filter((withdrawal) => withdrawal.state === state)
      return Timeline.oldestFirst(found, requested).slice(0, limit)
    })
})

const issuedAddresses = (tables: MarketTables, network: string): ReadonlyArray<IssuedAddress> => {
  const credited = new Map<string, bigint>()
  for (const deposit of tables.deposits.values()) {
    if (deposit.network !== network) continue
    credited.set(deposit.address, (credited.get(deposit.address) ?? 0n) + deposit.amount)
  }
  return [...tables.addresses]
    .map(([account, address]) => ({
      index: tables.addressIndexes.get(address) ?? 0,
      address,
      account,
      credited: Usdt.of(credited.get(address) ?? 0n)
    }))
    .sort((one, other) => one.index - other.index)
}

export const MemoryWalletStore: { readonly layer: Layer.Layer<WalletStore, never, MemoryMarket> } = {
  layer: Layer.effect(
    WalletStore,
    Effect.gen(function* () {
      const { tables } = yield* MemoryMarket
      return {
        ...withdrawalReads(tables),
        find: (account) =>
          Effect.sync(() =>
            Option.map(Option.fromUndefinedOr(tables.wallets.get(account)), (balance) => ({
              ...balance,
              pending: pendingOf(tables, account),
              depositAddress: tables.addresses.get(account) ?? null,
              escrow: escrowDays(Index.records(tables.escrowOf, account, tables.escrow))
            }))
          ),
        transactions: (account, { limit, page }) =>
          Effect.sync(() => {
            const all = tables.transactions.get(account) ?? []
            const end = all.length - (page - 1) * limit
            return { items: end <= 0 ? [] : all.slice(Math.max(0, end - limit), end).toReversed(), total: all.length }
          }),
        exportTransactions: (account) =>
          Stream.suspend(() => Stream.fromIterable((tables.transactions.get(account) ?? []).toReversed())),
        assignAddress: addressAssigner(tables),
        ownersOf: (addresses) =>
          Effect.sync(() => {
            const owners = new Map<string, AccountId>()
            for (const address of addresses) {
              const owner = tables.addressOwners.get(address)
              if (owner !== undefined) owners.set(address, owner)
            }
            return owners
          }),
        replacePending: (network, deposits) => Effect.sync(() => void tables.pending.set(network, deposits)),
        scanned: Effect.sync(() => ({ networks: [...tables.cursors.keys()], addresses: tables.addresses.size > 0 })),
        cursor: (network) => Effect.sync(() => Option.fromUndefinedOr(tables.cursors.get(network)?.block)),
        scanPosition: (network) => Effect.sync(() => Option.fromUndefinedOr(tables.cursors.get(network))),
        dueEscrow: (now, limit) =>
          Effect.sync(() =>
            [...tables.escrow.values()]
              .filter((escrow) => escrow.releasedAt <= now)
              .sort((one, other) => one.releasedAt - other.releasedAt)
              .slice(0, limit)
          ),
        debts: Effect.sync(() => debtsOf(tables)),
        audit: Effect.sync(() => auditLedger(tables)),
        auditSinceCheckpoint: (now) => Effect.sync(() => auditSinceCheckpoint(tables, now)),
        totals: Effect.sync(() => totals(tables)),
        issuedAddresses: (network) => Stream.suspend(() => Stream.fromIterable(issuedAddresses(tables, network)))
      }
    })
  )
}
