import type { AccountId, HeldDepositId } from "@agent-marketplace/core/ids/Ids"
import type { HeldDeposit } from "@agent-marketplace/core/screening/HeldDeposit"
import { heldDepositStates } from "@agent-marketplace/core/screening/HeldDeposit"
import { Schema } from "effect"
import type { Row } from "../Columns.ts"
import { column, recordColumns } from "../RecordColumns.ts"

const evidenceColumns = recordColumns<{ source: string | null; reference: string | null }>(
  { source: column.orNull(column.text), reference: column.orNull(column.text) },
  "evidence_"
)

/** A bigint of the driver, and a number in JSON. */
const block = {
  schema: Schema.Int as unknown as Schema.Codec<unknown>,
  read: (value: bigint | number) => Number(value),
  write: (value: number) => value
}

export const heldDepositColumns = recordColumns<HeldDeposit>({
  id: column.id<HeldDepositId>(),
  accountId: column.id<AccountId>(),
  network: column.text,
  txid: column.text,
  logIndex: column.integer,
  address: column.text,
  sender: column.text,
  amount: column.amount,
  block,
  at: column.time,
  state: column.literals(heldDepositStates),
  evidence: {
    columns: evidenceColumns.columns,
    read: (row: Row) => {
      const { reference, source } = evidenceColumns.read(row)
      return source === null || reference === null ? null : { source, reference }
    },
    write: (evidence) =>
      evidenceColumns.write({ source: evidence?.source ?? null, reference: evidence?.reference ?? null })
  },
  heldAt: column.time,
  decidedAt: column.orNull(column.time)
})
