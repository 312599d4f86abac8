/** Checkpoints of the audit. The index holds a few bytes for each megabyte of the ledger, so that a new line costs nothing more. */
export const ledgerCheckpoints: ReadonlyArray<string> = [
  `CREATE INDEX ledger_lines_seq ON ledger_lines USING brin (seq) WITH (autosummarize = on)`,
  // Every line up to \`position\` is included. The digest is that of the lines since the previous checkpoint; all other columns are totals.
  `CREATE TABLE ledger_checkpoints (
    position bigint PRIMARY KEY,
    entries bigint NOT NULL CHECK (entries > 0),
    platform bigint NOT NULL,
    held bigint NOT NULL,
    unattributed bigint NOT NULL,
    digest numeric NOT NULL,
    at timestamptz NOT NULL
  )`,
  `CREATE TRIGGER ledger_checkpoints_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON ledger_checkpoints
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change()`,
  // The sums of each wallet's lines up to the last checkpoint.
  `CREATE TABLE audited_wallets (
    account_id text PRIMARY KEY,
    available bigint NOT NULL,
    locked bigint NOT NULL,
    total_deposits bigint NOT NULL,
    total_withdrawals bigint NOT NULL,
    total_spent bigint NOT NULL,
    total_earned bigint NOT NULL,
    debt bigint NOT NULL
  ) WITH (fillfactor = 70)`
]
