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
  // A reader stands at (xid, seq) and reads only what is older than every running transaction: nothing commits behind it.
  `CREATE TABLE events (
    seq bigint GENERATED ALWAYS AS IDENTITY,
    xid xid8 NOT NULL DEFAULT pg_current_xact_id(),
    type text NOT NULL,
    at timestamptz NOT NULL,
    subject text NOT NULL,
    accounts text[] NOT NULL,
    data json NOT NULL,
    PRIMARY KEY (xid, seq)
  )`,
  // What the feed shows. Purchases come last in it, so that the busiest type is appended at the index's end.
  `CREATE INDEX events_feed ON events (type, at, seq)
    WHERE type IN ('purchase.completed', 'agent.registered', 'listing.approved')`
]
