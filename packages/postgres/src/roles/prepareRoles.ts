import type { StoreUnavailable } from "@agent-marketplace/core/errors/MarketError"
import { Effect, Redacted } from "effect"
import { createHmac } from "node:crypto"
import { advisoryLocks } from "../AdvisoryLocks.ts"
import { Database } from "../Database.ts"

/** Connections to one database as the role that owns and changes its tables, and as the role that serves requests. */
export interface RoleUrls {
  readonly ownerUrl: Redacted.Redacted
  readonly url: Redacted.Redacted
}

const owner = "market_owner"
const runtime = "market_runtime"

/** Each role has a password of its own, drawn from the superuser's, so that no further secret has to be stored. */
const urlAs = (superuser: URL, role: string): URL => {
  const url = new URL(superuser)
  url.username = role
  url.password = createHmac("sha256", superuser.password).update(role).digest("hex")
  return url
}

const make = (role: string, password: string): ReadonlyArray<string> => [
  `DO $$ BEGIN
    IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = '${role}') THEN CREATE ROLE ${role}; END IF;
  END $$`,
  `ALTER ROLE ${role} LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOREPLICATION NOBYPASSRLS PASSWORD '${password}'`
]

/** Transfers everything in the schema that an earlier release created as superuser. A sequence of a column follows its table. */
const transfer = `DO $$ DECLARE one text; BEGIN
  EXECUTE format('ALTER DATABASE %I OWNER TO ${owner}', current_database());
  EXECUTE format('REVOKE TEMPORARY ON DATABASE %I FROM PUBLIC', current_database());
  ALTER SCHEMA public OWNER TO ${owner};
  FOR one IN
    SELECT format('ALTER TABLE %s', oid::regclass) FROM pg_class
    WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p', 'v', 'm') AND relowner <> '${owner}'::regrole
    UNION ALL
    SELECT format('ALTER SEQUENCE %s', oid::regclass) FROM pg_class
    WHERE relnamespace = 'public'::regnamespace AND relkind = 'S' AND relowner <> '${owner}'::regrole
      AND NOT EXISTS (SELECT FROM pg_depend WHERE objid = pg_class.oid AND deptype IN ('a', 'i'))
    UNION ALL
    SELECT format('ALTER ROUTINE %s', oid::regprocedure) FROM pg_proc
    WHERE pronamespace = 'public'::regnamespace AND proowner <> '${owner}'::regrole
    UNION ALL
    SELECT format('ALTER TYPE %s', oid::regtype) FROM pg_type
    WHERE typnamespace = 'public'::regnamespace AND typtype IN ('e', 'd') AND typowner <> '${owner}'::regrole
  LOOP
    EXECUTE one || ' OWNER TO ${owner}';
  END LOOP;
END $$`

/**
 * The roles of a database that the market has for itself (CONFIG-22), made or renewed as its superuser: one that owns the tables, and one
 * that serves requests, whose privileges `grantRuntime` gives. Neither is a superuser. Processes that start at
 * the same time do this one after another.
 */
export const prepareRoles = Effect.fnUntraced(function* (
  superuserUrl: Redacted.Redacted
): Effect.fn.Return<RoleUrls, StoreUnavailable> {
  const superuser = new URL(Redacted.value(superuserUrl))
  const [asOwner, asRuntime] = [urlAs(superuser, owner), urlAs(superuser, runtime)]
  const statements = [...make(owner, asOwner.password), ...make(runtime, asRuntime.password), transfer]
  yield* Effect.flatMap(Database, ({ longTransaction, sql }) =>
    longTransaction(
      Effect.andThen(
        sql`SELECT pg_advisory_xact_lock(${advisoryLocks.migrations}::bigint)`,
        Effect.forEach(statements, (statement) => sql.unsafe(statement), { discard: true })
      )
    )
  ).pipe(Effect.provide(Database.layer({ url: superuserUrl, ...oneConnection })))
  return { ownerUrl: Redacted.make(asOwner.href), url: Redacted.make(asRuntime.href) }
})

/** For work at the start. */
export const oneConnection = { readConnections: 1, listConnections: 1, writeConnections: 1 } as const

/**
 * Gives a role what serving requests needs, and no more: rows of the tables, none of the schema. The operator's log, the verdicts and the checkpoints of the audit only grow, and the lists
 * of migrations and partitions are only read. To be run by the owner after each migration.
 */
export const grantRuntime = (role: string): Effect.Effect<void, StoreUnavailable, Database> => {
  const name = `"${role.replaceAll('"', '""')}"`
  const statements = [
    `GRANT USAGE ON SCHEMA public TO ${name}`,
    `GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO ${name}`,
    `GRANT USAGE, SELECT ON ALL SEQUENCES IN SCHEMA public TO ${name}`,
    `REVOKE UPDATE, DELETE ON operator_actions FROM ${name}`,
    `REVOKE UPDATE, DELETE ON verdicts FROM ${name}`,
    `REVOKE UPDATE, DELETE ON ledger_checkpoints FROM ${name}`,
    `REVOKE INSERT, UPDATE, DELETE ON migrations, delivery_partitions, numbered_partitions FROM ${name}`
  ]
  return Effect.flatMap(Database, ({ longTransaction, sql }) =>
    longTransaction(Effect.forEach(statements, (statement) => sql.unsafe(statement), { discard: true }))
  )
}

/** Warns where the connection is that of a superuser, which the market does not need (CONFIG-23). */
export const warnOfSuperuser: Effect.Effect<void, StoreUnavailable, Database> = Effect.gen(function* () {
  const { read } = yield* Database
  const rows = yield* read<{ readonly role: string }>(
    "SELECT rolname AS role FROM pg_roles WHERE rolname = current_user AND rolsuper"
  )
  for (const { role } of rows)
    yield* Effect.logWarning(`DATABASE_URL connects as ${role}, a superuser: use a role with fewer privileges`)
})
