import type { Revocation } from "@agent-marketplace/core/advisories/Revocation"
import { revocationSteps } from "@agent-marketplace/core/advisories/Revocation"
import type { AccountId, ItemId, RevocationId } from "@agent-marketplace/core/ids/Ids"
import { column, recordColumns } from "../RecordColumns.ts"

export const revocationColumns = recordColumns<Revocation>({
  id: column.id<RevocationId>(),
  itemId: column.id<ItemId>(),
  sellerId: column.id<AccountId>(),
  versions: column.list(),
  reason: column.text,
  operator: recordColumns<Revocation["operator"]>({ name: column.text, requestId: column.text }, "operator_"),
  at: column.time,
  refundDays: column.orNull(column.integer),
  rejectsWaiting: column.flag,
  until: column.orNull(column.time),
  step: column.literals(revocationSteps),
  position: column.orNull(column.text),
  refunded: column.integer,
  amount: column.amount,
  covered: column.amount,
  rejected: column.integer,
  finishedAt: column.orNull(column.time)
})
