/** The class of the advisory locks of transactions that append to the log of events. */
export const eventWriters = 723_651

/** The market's time, leases of jobs, and the log of events. */
export const foundation: ReadonlyArray<string> = [
  `CREATE TABLE market_clock (
    only_one boolean PRIMARY KEY DEFAULT true CHECK (only_one),
    -- Only ever moved forward (contract 7).
    offset_seconds bigint NOT NULL CHECK (offset_seconds >= 0)
  )`,
  `INSERT INTO market_clock (offset_seconds) VALUES (0)`,
  // The market's time at the start of the transaction, in whole milliseconds.
  `CREATE FUNCTION market_now() RETURNS timestamptz LANGUAGE sql STABLE PARALLEL SAFE
    RETURN date_trunc('milliseconds', now()) + (SELECT make_interval(secs => offset_seconds) FROM market_clock)`,
  `CREATE TABLE leases (
    job text PRIMARY KEY,
    holder text NOT NULL,
    -- In real time, not the market's.
    until timestamptz NOT NULL
  )`,
  `CREATE TABLE events (
    seq bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    type text NOT NULL,
    at timestamptz NOT NULL,
    subject text NOT NULL,
    accounts text[] NOT NULL,
    data json NOT NULL
  )`,
  // Numbers are given before the commit, and a later one may commit first. So every transaction shows, from before it takes its
  // first number to its end, the last number that cannot be its own: a lock that all share and readers look at (PostgresEventLog).
  `CREATE FUNCTION show_event_writer() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      PERFORM pg_advisory_xact_lock_shared(${eventWriters}, (CASE WHEN is_called THEN last_value ELSE 0 END)::bit(32)::int)
        FROM events_seq_seq;
      RETURN NULL;
    END $$`,
  `CREATE TRIGGER events_writer BEFORE INSERT ON events FOR EACH STATEMENT EXECUTE FUNCTION show_event_writer()`,
  // The number up to which nothing will appear any more, for a statement that comes after this one: the last that was given or, where
  // transactions are still running, the one before which they began to take theirs. First the one, then the other: who
  // begins in between takes higher ones. Of a number the locks show 32 bits.
  `CREATE FUNCTION event_horizon() RETURNS bigint LANGUAGE plpgsql AS $$
    DECLARE
      given bigint;
      behind bigint;
    BEGIN
      SELECT CASE WHEN is_called THEN last_value ELSE 0 END INTO given FROM events_seq_seq;
      SELECT max(numbers) INTO behind
        FROM pg_locks CROSS JOIN LATERAL (SELECT (given - objid::bigint) & 4294967295 AS numbers) AS distance
        WHERE locktype = 'advisory' AND classid = ${eventWriters} AND objsubid = 2 AND numbers < 2147483648
          AND database = (SELECT oid FROM pg_database WHERE datname = current_database());
      RETURN given - coalesce(behind, 0);
    END $$`,
  // What the feed shows. Purchases come last in it, so that the busiest type is appended at the index's end.
  `CREATE INDEX events_feed ON events (type, at, seq)
    WHERE type IN ('purchase.completed', 'agent.registered', 'listing.approved')`
]
