import { createEmptyDatabase } from "@agent-marketplace/fixtures/postgres/TestPostgres"
import * as NodeCrypto from "@effect/platform-node/NodeCrypto"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Logger, Redacted } from "effect"
import { Client } from "pg"
import { PostgresStores } from "../../src/PostgresStores.ts"
import { prepareRoles } from "../../src/roles/prepareRoles.ts"

/** The error's code, or undefined if the statement succeeds. */
const codeOf = (url: Redacted.Redacted, statement: string) =>
  Effect.promise(async () => {
    const client = new Client({ connectionString: Redacted.value(url) })
    await client.connect()
    try {
      await client.query(statement)
      return undefined
    } catch (error) {
      return (error as { readonly code: string }).code
    } finally {
      await client.end()
    }
  })

const denied = "42501"

const started = (config: Parameters<typeof PostgresStores.layer>[0], lines: Array<string> = []) => {
  const logger = Logger.make(({ message }) => void lines.push(String(message)))
  const stores = PostgresStores.layer(config).pipe(Layer.provide([NodeCrypto.layer, Logger.layer([logger])]))
  return Effect.scoped(Effect.asVoid(Layer.build(stores)))
}

const insertAction =
  "INSERT INTO operator_actions (id, at, actor, action, subject, request_id) VALUES ('act_1', now(), 'ada', 'a', 's', 'r')"

describe("the roles of a market's own database", () => {
  it.live(
    "serving requests needs no superuser and no right to the schema, and the operator's log only grows (CONFIG-22)",
    () =>
      Effect.gen(function* () {
        const superuser = Redacted.make(yield* Effect.promise(createEmptyDatabase))
        // An earlier release leaves its database like this: everything belongs to the superuser.
        yield* started({ url: superuser })
        const both = yield* Effect.all([prepareRoles(superuser), prepareRoles(superuser)], { concurrency: 2 })
        const { ownerUrl, url } = both[0]
        assert.strictEqual(Redacted.value(both[1].url), Redacted.value(url))
        yield* started({ ownerUrl, url })
        const own = (statement: string) => codeOf(ownerUrl, statement)
        const serve = (statement: string) => codeOf(url, statement)
        assert.isUndefined(yield* own("ALTER TABLE accounts ADD COLUMN probe text"))
        assert.isUndefined(yield* own("ALTER FUNCTION event_horizon() COST 200"))
        assert.strictEqual(yield* own("CREATE ROLE another"), denied)
        assert.isUndefined(yield* serve("UPDATE market_clock SET offset_seconds = offset_seconds"))
        assert.isUndefined(yield* serve(insertAction))
        // Partitions are made and dropped only by functions that decide themselves which ones (DELIVERY-16).
        assert.isUndefined(
          yield* serve(
            "SELECT make_delivery_partitions(), drop_delivery_partition('infinity'), prune_deliveries(now(), 1), make_numbered_partitions('ledger_lines')"
          )
        )
        for (const statement of [
          "UPDATE operator_actions SET actor = 'eve'",
          "DELETE FROM operator_actions",
          "TRUNCATE operator_actions",
          "ALTER TABLE operator_actions DISABLE TRIGGER ALL",
          "DROP TRIGGER operator_actions_only_grow ON operator_actions",
          "DELETE FROM migrations",
          "DELETE FROM delivery_partitions",
          "INSERT INTO numbered_partitions (parent, first, until, made_at, last) VALUES ('accounts', 0, 1, now(), 0)",
          "CREATE TABLE probe ()",
          "DROP TABLE webhook_deliveries_default",
          "ALTER TABLE webhook_deliveries DETACH PARTITION webhook_deliveries_default",
          "CREATE DATABASE probe",
          "CREATE ROLE probe",
          "COPY accounts TO PROGRAM 'cat'"
        ]) {
          assert.strictEqual(yield* serve(statement), denied, statement)
        }
      })
  )

  it.live(
    "a role that may not change the schema serves a current one, and refuses to start on an older one (CONFIG-23)",
    () =>
      Effect.gen(function* () {
        const superuser = Redacted.make(yield* Effect.promise(createEmptyDatabase))
        const { ownerUrl, url } = yield* prepareRoles(superuser)
        const refused = yield* Effect.exit(started({ url }))
        assert.include(String(refused), "market_runtime may not change the database's schema")
        yield* started({ ownerUrl, url })
        const lines: Array<string> = []
        yield* started({ url, warnOfSuperuser: true }, lines)
        assert.deepStrictEqual(lines, [])
        yield* started({ url: superuser, warnOfSuperuser: true }, lines)
        assert.include(lines.join(), "a superuser: use a role with fewer privileges")
      })
  )
})
