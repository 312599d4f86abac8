import { partitionByNumber } from "./partitionByNumber.ts"

/**
 * Partitions the lines of the ledger by their number. Lines are kept forever: a partition keeps the indexes that a purchase writes small, and
 * those of the past are never written again. Lines without a partition go to the default one. The function runs as the owner of the tables,
 * because the role that serves requests may not change them.
 */
export const partitionedLedger: ReadonlyArray<string> = [
  // The constraints of a partition must be validated. Lines can be written during the validation.
  ...["type", "debit", "credit"].map(
    (column) => `ALTER TABLE ledger_lines VALIDATE CONSTRAINT ledger_lines_${column}_check`
  ),
  // First the locks of work that reads events in its transaction, then the tables in the order in which a settlement locks them.
  `SELECT pg_advisory_xact_lock(7236518942), pg_advisory_xact_lock(7236518946)`,
  `LOCK TABLE idempotent_results, ledger_lines, events IN ACCESS EXCLUSIVE MODE`,
  // Each row is a partition of \`parent\` with the rows numbered from \`first\` to before \`until\`, in the table with \`first\` in its name.
  `CREATE TABLE numbered_partitions (
    parent text NOT NULL,
    first bigint NOT NULL,
    until bigint NOT NULL CHECK (until > first),
    made_at timestamptz NOT NULL,
    -- The last number that was issued at that time.
    last bigint NOT NULL,
    PRIMARY KEY (parent, first),
    UNIQUE (parent, until)
  )`,
  ...partitionByNumber({
    name: "ledger_lines",
    primaryKey: false,
    indexes: {
      debit: `(debit_account, seq) WITH (deduplicate_items = off) WHERE debit = 'wallet'`,
      credit: `(credit_account, seq) WITH (deduplicate_items = off) WHERE credit = 'wallet'`,
      seq: `USING brin (seq) WITH (autosummarize = on)`
    }
  }),
  // A statement trigger fires only for the table that the statement names, so each partition needs its own.
  ...["ledger_lines", "ledger_lines_default"].map(
    (table) => `CREATE TRIGGER ledger_lines_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON ${table}
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change()`
  ),
  `CREATE FUNCTION last_number(parent text) RETURNS bigint LANGUAGE plpgsql AS $$
    DECLARE issued bigint;
    BEGIN
      EXECUTE format('SELECT CASE WHEN is_called THEN last_value ELSE 0 END FROM %I', parent || '_seq_seq') INTO issued;
      RETURN issued;
    END $$`,
  // Makes the partitions of a table for about the next two weeks, each for about a month at the present rate. Returns how many it made.
  `CREATE FUNCTION make_numbered_partitions(of_parent text) RETURNS int LANGUAGE plpgsql SECURITY DEFINER SET lock_timeout = '250ms' AS $$
    DECLARE
      least_width CONSTANT bigint := 5000000;
      margin CONSTANT bigint := 1000;
      issued bigint;
      width bigint;
      start bigint;
      part text;
      made int := 0;
    BEGIN
      PERFORM pg_advisory_xact_lock(7236518949);
      -- The rate since the newest partition that was made more than a day ago.
      issued := last_number(of_parent);
      SELECT greatest(least_width, (30 * 86400 * (issued - last)::numeric / greatest(extract(epoch FROM market_now() - made_at), 86400))::bigint)
        INTO width FROM numbered_partitions WHERE parent = of_parent
        ORDER BY made_at > market_now() - interval '1 day', CASE WHEN made_at > market_now() - interval '1 day' THEN first ELSE -first END LIMIT 1;
      IF NOT FOUND THEN RAISE EXCEPTION '% has no partitions by number', of_parent; END IF;
      LOOP
        SELECT max(until) INTO start FROM numbered_partitions WHERE parent = of_parent;
        EXIT WHEN made = 4 OR start > issued + width / 2;
        -- Numbers below may already be used by rows in the default partition. They remain there.
        start := greatest(start, CASE WHEN start <= issued THEN issued + margin ELSE 0 END);
        part := of_parent || '_' || start;
        EXECUTE format('CREATE TABLE %I (LIKE %I INCLUDING DEFAULTS INCLUDING CONSTRAINTS INCLUDING INDEXES)', part, of_parent);
        IF of_parent = 'ledger_lines' THEN
          EXECUTE format('CREATE TRIGGER ledger_lines_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON %I
            FOR EACH STATEMENT EXECUTE FUNCTION refuse_change()', part);
        END IF;
        EXECUTE format('ALTER TABLE %I ATTACH PARTITION %I FOR VALUES FROM (%s) TO (%s)', of_parent, part, start, start + width);
        INSERT INTO numbered_partitions (parent, first, until, made_at, last) VALUES (of_parent, start, start + width, market_now(), issued);
        made := made + 1;
      END LOOP;
      RETURN made;
    -- In use: a later call will make them. Or a row with one of these numbers found no partition at this moment.
    EXCEPTION WHEN lock_not_available OR check_violation THEN RETURN 0;
    END $$`,
  // A temporary table of the caller must not take the place of one of these.
  `DO $$ BEGIN
    EXECUTE format('ALTER FUNCTION make_numbered_partitions(text) SET search_path = %I, pg_temp', current_schema());
  END $$`,
  `SELECT make_numbered_partitions('ledger_lines')`
]
