/** Nothing used these: a withdrawal is found by its transaction, and a transfer has the time of its block. */
export const outgoingColumns: ReadonlyArray<string> = [
  `ALTER TABLE outgoing_transfers DROP COLUMN found_at, DROP COLUMN withdrawal_id`
]
