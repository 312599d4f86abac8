/** The market's time, leases of jobs, and the log of events. */
export const foundation: ReadonlyArray<string> = [
  `CREATE TABLE market_clock (
    only_one boolean PRIMARY KEY DEFAULT true CHECK (only_one),
    -- Only ever moved forward (contract 7).
    offset_seconds bigint NOT NULL CHECK (offset_seconds >= 0)
  )`,
  `INSERT INTO market_clock (offset_seconds) VALUES (0)`,
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
  `CREATE FUNCTION show_event_writer() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      PERFORM pg_advisory_xact_lock_shared(723651, (CASE WHEN is_called THEN last_value ELSE 0 END)::bit(32)::int)
        FROM events_seq_seq;
      RETURN NULL;
    END $$`,
  `CREATE TRIGGER events_writer BEFORE INSERT ON events FOR EACH STATEMENT EXECUTE FUNCTION show_event_writer()`,
  `CREATE FUNCTION event_horizon() RETURNS bigint LANGUAGE plpgsql AS $$
    DECLARE
      given bigint;
      behind bigint;
    BEGIN
      SELECT CASE WHEN is_called THEN last_value ELSE 0 END INTO given FROM events_seq_seq;
      SELECT max(numbers) INTO behind
        FROM pg_locks CROSS JOIN LATERAL (SELECT (given - objid::bigint) & 4294967295 AS numbers) AS distance
        WHERE locktype = 'advisory' AND classid = 723651 AND objsubid = 2 AND numbers < 2147483648
          AND database = (SELECT oid FROM pg_database WHERE datname = current_database());
      RETURN given - coalesce(behind, 0);
    END $$`,
  `CREATE INDEX events_feed ON events (type, at, seq)
    WHERE type IN ('purchase.completed', 'agent.registered', 'listing.approved')`
]
