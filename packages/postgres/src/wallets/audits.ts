import type { Timestamp } from "@agent-marketplace/core/clock/Timestamp"
import type { StoreUnavailable } from "@agent-marketplace/core/errors/MarketError"
import type { AccountId } from "@agent-marketplace/core/ids/Ids"
import { Usdt } from "@agent-marketplace/core/money/Usdt"
import { auditWarnings } from "@agent-marketplace/core/wallets/WalletStore"
import type { Debt, LedgerAudit, WalletStore } from "@agent-marketplace/core/wallets/WalletStore"
import { Data, Effect } from "effect"
import { advisoryLocks } from "../AdvisoryLocks.ts"
import type { Database } from "../Database.ts"
import type { Amount } from "../Row.ts"
import { amount, date } from "../Row.ts"
import { addCheckpoint, addToAuditedWallets, auditLedger, changedCheckpoints, lastCheckpoint } from "./auditQueries.ts"
import { settledPosition } from "./settledPosition.ts"
import { debts } from "./walletQueries.ts"

interface AuditRow {
  readonly wallets: bigint
  /** The lines that this statement read, and all lines. */
  readonly read: bigint
  readonly entries: bigint
  readonly platform: bigint
  readonly account_id: string | null
  readonly name: string
  readonly stored: string
  readonly recomputed: string
}

interface ChangedRow {
  readonly at: Date
  readonly position: bigint
  readonly audited: bigint
  readonly found: bigint
}

export interface DebtRow {
  readonly account_id: AccountId
  readonly debt: Amount
}

export const debtOf = ({ account_id, debt }: DebtRow): Debt => ({ accountId: account_id, amount: amount(debt) })

type Sql = Database["Service"]["sql"]

/** Ends the transaction without a checkpoint. */
class Unbalanced extends Data.TaggedError("Unbalanced")<{ readonly audit: LedgerAudit }> {}

const shown = (value: string): string => (/^-?\d+$/.test(value) ? Usdt.format(BigInt(value)) : value)

const differences = (rows: ReadonlyArray<AuditRow>): ReadonlyArray<string> =>
  rows.flatMap(({ account_id, stored, name, recomputed }) =>
    account_id === null ? [] : [`${account_id}: ${name} is ${shown(stored)}, its lines say ${shown(recomputed)}`]
  )

const changes = (rows: ReadonlyArray<ChangedRow>): ReadonlyArray<string> =>
  rows.map(
    ({ at, audited, found, position }) =>
      `ledger: the ${found} lines up to number ${position} are not the ${audited} lines audited at ${at.toISOString()}`
  )

/** The statements' parameters decide how much is read, so each is planned for its parameters. */
const planned = `SELECT set_config('plan_cache_mode', 'force_custom_plan', true)`

const auditAfter = Effect.fnUntraced(function* (sql: Sql, position: bigint) {
  const rows = yield* sql.unsafe<AuditRow>(auditLedger, [position])
  const owed = (yield* sql.unsafe<DebtRow>(debts)).map(debtOf)
  const [totals] = rows
  const found = differences(rows)
  return {
    balanced: found.length === 0,
    wallets: Number(totals?.wallets ?? 0n),
    entries: Number(totals?.entries ?? 0n),
    entriesRead: Number(totals?.read ?? 0n),
    since: null,
    differences: found,
    warnings: auditWarnings(BigInt(totals?.platform ?? 0n), owed)
  } satisfies LedgerAudit
})

const auditEverything = Effect.fnUntraced(function* (sql: Sql) {
  yield* sql.unsafe(planned)
  const audit = yield* auditAfter(sql, 0n)
  const changed = changes(yield* sql.unsafe<ChangedRow>(changedCheckpoints))
  return {
    ...audit,
    balanced: audit.balanced && changed.length === 0,
    differences: [...audit.differences, ...changed]
  }
})

/** Moves the checkpoint first, then compares: a difference rolls the move back. */
const auditNew = Effect.fnUntraced(function* (sql: Sql, settled: bigint, now: Timestamp) {
  yield* sql`SELECT pg_advisory_xact_lock(${advisoryLocks.ledgerCheckpoints}::bigint)`
  yield* sql.unsafe(planned)
  const [base] = yield* sql.unsafe<{ readonly position: bigint; readonly at: Date }>(lastCheckpoint)
  const from = BigInt(base?.position ?? 0n)
  const added =
    settled > from
      ? yield* sql.unsafe<{ readonly read: bigint }>(addCheckpoint, [from, settled, date(now)])
      : ([] as const)
  if (added.length > 0) yield* sql.unsafe(addToAuditedWallets, [from, settled])
  const rest = yield* auditAfter(sql, added.length > 0 ? settled : from)
  const audit: LedgerAudit = {
    ...rest,
    entriesRead: rest.entriesRead + Number(added[0]?.read ?? 0n),
    since: base === undefined ? null : base.at.getTime()
  }
  return audit.balanced ? audit : yield* new Unbalanced({ audit })
})

/** Both audits (OPERATOR-17, OPERATOR-31). */
export const audits = (
  database: Database["Service"]
): Pick<WalletStore["Service"], "audit" | "auditSinceCheckpoint"> => {
  const { longTransaction, sql } = database
  return {
    audit: longTransaction(auditEverything(sql)),
    auditSinceCheckpoint: (now): Effect.Effect<LedgerAudit, StoreUnavailable> =>
      Effect.flatMap(settledPosition(database), (settled) => longTransaction(auditNew(sql, settled, now))).pipe(
        Effect.catchTag("Unbalanced", ({ audit }) => Effect.succeed(audit))
      )
  }
}
