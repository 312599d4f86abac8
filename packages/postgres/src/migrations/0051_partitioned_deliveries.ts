/**
 * Partitions deliveries and their attempts by the number of the event, with which the id of a delivery starts. Old partitions are
 * dropped as a whole. Rows without a partition go to the default one: deliveries of tests, whose ids are random, and deliveries of events for
 * which no partition was made ahead. The functions run as the owner of the tables, because the role that serves requests may not change them.
 */
export const partitionedDeliveries: ReadonlyArray<string> = [
  // Readers and writers of deliveries lock the tables in this order.
  `LOCK TABLE webhook_deliveries, webhook_attempts IN ACCESS EXCLUSIVE MODE`,
  // The smallest id of a delivery of this event or a later one.
  `CREATE FUNCTION delivery_bound(number bigint) RETURNS text LANGUAGE sql IMMUTABLE
    RETURN (SELECT 'dlv_' || string_agg(substr('0123456789abcdefghijklmnopqrstuv', (number >> 5 * digit & 31)::int + 1, 1), '' ORDER BY digit DESC)
      FROM generate_series(0, 12) AS digit)`,
  // Each row is a partition with the deliveries of the events from \`first\` to before \`until\`, in the tables with \`first\` in their names.
  `CREATE TABLE delivery_partitions (
    first bigint PRIMARY KEY,
    until bigint NOT NULL UNIQUE CHECK (until > first),
    made_at timestamptz NOT NULL,
    -- The number of the last event at that time.
    last_event bigint NOT NULL
  )`,
  // The former tables become the first partition. It also takes the deliveries of the next events, which are appended while this runs.
  `INSERT INTO delivery_partitions (first, until, made_at, last_event) VALUES (0, last_event() + 100000, market_now(), last_event())`,

  // Not used any more.
  `ALTER TABLE webhook_deliveries DROP COLUMN seq`,
  `ALTER TABLE webhook_deliveries RENAME TO webhook_deliveries_0`,
  `ALTER INDEX webhook_deliveries_pkey RENAME TO webhook_deliveries_0_pkey`,
  `ALTER INDEX webhook_deliveries_webhook RENAME TO webhook_deliveries_0_webhook`,
  `ALTER INDEX webhook_deliveries_age RENAME TO webhook_deliveries_0_age`,
  `CREATE TABLE webhook_deliveries (LIKE webhook_deliveries_0 INCLUDING DEFAULTS INCLUDING CONSTRAINTS, PRIMARY KEY (id)) PARTITION BY RANGE (id)`,
  `CREATE INDEX webhook_deliveries_webhook ON webhook_deliveries (webhook_id, event_at, id)`,
  `CREATE INDEX webhook_deliveries_age ON webhook_deliveries (event_at)`,
  `CREATE TABLE webhook_deliveries_default PARTITION OF webhook_deliveries DEFAULT WITH (fillfactor = 70)`,

  `ALTER TABLE webhook_attempts RENAME TO webhook_attempts_0`,
  `ALTER INDEX webhook_attempts_pkey RENAME TO webhook_attempts_0_pkey`,
  `CREATE TABLE webhook_attempts (LIKE webhook_attempts_0 INCLUDING CONSTRAINTS, PRIMARY KEY (delivery_id, seq)) PARTITION BY RANGE (delivery_id)`,
  `CREATE TABLE webhook_attempts_default PARTITION OF webhook_attempts DEFAULT`,
  `DO $$ DECLARE
    last bigint;
    bound text := delivery_bound((SELECT until FROM delivery_partitions));
  BEGIN
    SELECT last_value INTO last FROM webhook_attempts_seq_seq;
    -- A table with an identity cannot be attached.
    ALTER TABLE webhook_attempts_0 ALTER seq DROP IDENTITY;
    EXECUTE format('ALTER TABLE webhook_attempts ALTER seq ADD GENERATED ALWAYS AS IDENTITY (START WITH %s)', last + 1);
    WITH tests AS (DELETE FROM webhook_deliveries_0 WHERE id >= bound RETURNING *)
      INSERT INTO webhook_deliveries SELECT * FROM tests;
    WITH tests AS (DELETE FROM webhook_attempts_0 WHERE delivery_id >= bound RETURNING *)
      INSERT INTO webhook_attempts OVERRIDING SYSTEM VALUE SELECT * FROM tests;
    EXECUTE format('ALTER TABLE webhook_deliveries ATTACH PARTITION webhook_deliveries_0 FOR VALUES FROM (MINVALUE) TO (%L)', bound);
    EXECUTE format('ALTER TABLE webhook_attempts ATTACH PARTITION webhook_attempts_0 FOR VALUES FROM (MINVALUE) TO (%L)', bound);
  END $$`,
  // Roles that may use the former tables may use the new ones.
  `DO $$ DECLARE one text; BEGIN
    FOR one IN
      SELECT format('GRANT %s ON %I TO %s', privilege_type, name, CASE grantee WHEN 0 THEN 'PUBLIC' ELSE quote_ident(pg_get_userbyid(grantee)) END)
      FROM unnest('{webhook_deliveries,webhook_attempts}'::text[]) AS name
        JOIN pg_class ON pg_class.oid = to_regclass(name || '_0'), aclexplode(relacl)
    LOOP
      EXECUTE one;
    END LOOP;
  END $$`,

  // Makes partitions for the events of about the next two weeks, each for about one week at the present rate. Returns how many it made.
  `CREATE FUNCTION make_delivery_partitions() RETURNS int LANGUAGE plpgsql SECURITY DEFINER SET lock_timeout = '250ms' AS $$
    DECLARE
      least_width CONSTANT bigint := 2000000;
      margin CONSTANT bigint := 100000;
      issued bigint;
      width bigint;
      start bigint;
      made int := 0;
    BEGIN
      PERFORM pg_advisory_xact_lock(7236518948);
      issued := last_event();
      SELECT greatest(least_width, (7 * 86400 * (issued - last_event)::numeric / greatest(extract(epoch FROM market_now() - made_at), 3600))::bigint)
        INTO width FROM delivery_partitions
        ORDER BY made_at > market_now() - interval '1 day', CASE WHEN made_at > market_now() - interval '1 day' THEN first ELSE -first END LIMIT 1;
      width := coalesce(width, least_width);
      LOOP
        SELECT coalesce(max(until), 0) INTO start FROM delivery_partitions;
        EXIT WHEN made = 4 OR start > issued + 2 * width;
        -- Numbers below may already be used by deliveries in the default partition. They remain there.
        start := greatest(start, CASE WHEN start <= issued THEN issued + margin ELSE 0 END);
        EXECUTE format('CREATE TABLE webhook_deliveries_%s (LIKE webhook_deliveries INCLUDING DEFAULTS INCLUDING CONSTRAINTS INCLUDING INDEXES)
          WITH (fillfactor = 70)', start);
        EXECUTE format('CREATE TABLE webhook_attempts_%s (LIKE webhook_attempts INCLUDING CONSTRAINTS INCLUDING INDEXES)', start);
        EXECUTE format('ALTER TABLE webhook_deliveries ATTACH PARTITION webhook_deliveries_%s FOR VALUES FROM (%L) TO (%L)',
          start, delivery_bound(start), delivery_bound(start + width));
        EXECUTE format('ALTER TABLE webhook_attempts ATTACH PARTITION webhook_attempts_%s FOR VALUES FROM (%L) TO (%L)',
          start, delivery_bound(start), delivery_bound(start + width));
        INSERT INTO delivery_partitions (first, until, made_at, last_event) VALUES (start, start + width, market_now(), issued);
        made := made + 1;
      END LOOP;
      RETURN made;
    -- In use: a later call will make them. Or a delivery of one of these events found no partition at this moment.
    EXCEPTION WHEN lock_not_available OR check_violation THEN RETURN 0;
    END $$`,

  // Whether every delivery of a partition is older than \`before\`, none waits for an attempt, and none can be added.
  `CREATE FUNCTION delivery_partition_ended(part delivery_partitions, before timestamptz) RETURNS boolean LANGUAGE plpgsql AS $$
    DECLARE found_newer boolean;
    BEGIN
      IF part.until > (SELECT min(seq) + 1 FROM webhook_cursor) THEN RETURN false; END IF;
      EXECUTE format('SELECT EXISTS (SELECT FROM webhook_deliveries_%s WHERE event_at >= $1)', part.first) USING before INTO found_newer;
      IF found_newer THEN RETURN false; END IF;
      RETURN NOT EXISTS (SELECT FROM webhook_queue
        WHERE delivery_id >= delivery_bound(part.first) AND delivery_id < delivery_bound(part.until)
          AND (next_attempt_at IS NOT NULL OR claimed_until > clock_timestamp()));
    END $$`,

  // Drops the first partition that has ended, or none while its tables are in use. Deliveries of the last 30 days are never dropped.
  `CREATE FUNCTION drop_delivery_partition(given timestamptz) RETURNS boolean LANGUAGE plpgsql SECURITY DEFINER SET lock_timeout = '250ms' AS $$
    DECLARE
      before CONSTANT timestamptz := least(given, market_now() - interval '30 days');
      part delivery_partitions;
    BEGIN
      PERFORM pg_advisory_xact_lock(7236518948);
      SELECT * INTO part FROM delivery_partitions AS each WHERE delivery_partition_ended(each, before) ORDER BY first LIMIT 1;
      IF NOT FOUND THEN RETURN false; END IF;
      LOCK TABLE webhook_deliveries, webhook_attempts IN ACCESS EXCLUSIVE MODE;
      -- A replay may have been committed before the lock.
      IF NOT delivery_partition_ended(part, before) THEN RETURN false; END IF;
      DELETE FROM webhook_queue WHERE delivery_id >= delivery_bound(part.first) AND delivery_id < delivery_bound(part.until);
      EXECUTE format('DROP TABLE webhook_deliveries_%s, webhook_attempts_%s', part.first, part.first);
      DELETE FROM delivery_partitions WHERE first = part.first;
      RETURN true;
    EXCEPTION WHEN lock_not_available THEN RETURN false;
    END $$`,

  // Deletes at most \`most\` deliveries that are older than \`before\` and do not wait, except from partitions that will be dropped within a week.
  `CREATE FUNCTION prune_deliveries(before timestamptz, most int) RETURNS int LANGUAGE plpgsql SECURITY DEFINER AS $$
    DECLARE
      one text;
      gone int;
      total int := 0;
    BEGIN
      PERFORM pg_advisory_xact_lock_shared(7236518948);
      FOR one IN
        SELECT 'webhook_deliveries_default' UNION ALL (
          SELECT 'webhook_deliveries_' || first FROM delivery_partitions AS each
          WHERE NOT delivery_partition_ended(each, before + interval '7 days') ORDER BY first)
      LOOP
        EXECUTE format('WITH old AS (
            DELETE FROM %1$I WHERE id IN (
              SELECT id FROM %1$I AS delivery WHERE event_at < $1 AND NOT EXISTS (
                SELECT FROM webhook_queue WHERE delivery_id = delivery.id
                  AND (next_attempt_at IS NOT NULL OR claimed_until > clock_timestamp())
              ) ORDER BY event_at LIMIT $2 FOR UPDATE SKIP LOCKED
            ) RETURNING id
          ), log AS (
            DELETE FROM webhook_attempts USING old WHERE delivery_id = old.id
          ), queue AS (
            DELETE FROM webhook_queue USING old WHERE delivery_id = old.id
          )
          SELECT count(*)::int FROM old', one) USING before, most - total INTO gone;
        total := total + gone;
        EXIT WHEN total >= most;
      END LOOP;
      RETURN total;
    END $$`,
  // A temporary table of the caller must not take the place of one of these.
  `DO $$ DECLARE one text; BEGIN
    FOREACH one IN ARRAY '{make_delivery_partitions(),drop_delivery_partition(timestamptz),"prune_deliveries(timestamptz,int)"}'::text[] LOOP
      EXECUTE format('ALTER FUNCTION %s SET search_path = %I, pg_temp', one, current_schema());
    END LOOP;
  END $$`,
  `SELECT make_delivery_partitions()`
]
