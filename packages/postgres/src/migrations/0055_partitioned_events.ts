import { partitionByNumber } from "./partitionByNumber.ts"

/** Partitions events by their number. They are kept forever, because streams continue after any of them (DATABASE-12). */
export const partitionedEvents: ReadonlyArray<string> = [
  // The constraint of a partition must be validated. Events can be appended during the validation.
  `ALTER TABLE events VALIDATE CONSTRAINT events_audience_check`,
  // First the locks of the work that reads events in a transaction, because that work reads the last number before the events.
  `SELECT pg_advisory_xact_lock(7236518942), pg_advisory_xact_lock(7236518946)`,
  `LOCK TABLE events IN ACCESS EXCLUSIVE MODE`,
  // By name, because the table gets a new sequence.
  `CREATE OR REPLACE FUNCTION last_event() RETURNS bigint LANGUAGE sql VOLATILE AS
    $$ SELECT CASE WHEN is_called THEN last_value ELSE 0 END FROM events_seq_seq $$`,
  ...partitionByNumber({
    name: "events",
    primaryKey: true,
    indexes: {
      feed: `(type, at, seq) WHERE type IN
        ('purchase.completed', 'subscription.renewed', 'agent.registered', 'listing.approved', 'soul.created')`,
      items: `(subject) WHERE type IN
        ('soul.created', 'soul.updated', 'soul.downloaded', 'listing.approved', 'listing.rejected', 'listing.suspended')`,
      agents_and_keys: `(subject) WHERE type IN ('agent.frozen', 'key.rotation_due')`
    }
  }),
  `CREATE TRIGGER events_writer BEFORE INSERT ON events FOR EACH STATEMENT EXECUTE FUNCTION show_event_writer()`,
  `SELECT make_numbered_partitions('events')`
]
