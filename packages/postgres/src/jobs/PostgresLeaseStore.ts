import { LeaseStore } from "@agent-marketplace/core/jobs/LeaseStore"
import { Effect, Layer } from "effect"
import { Database } from "../Database.ts"

export const PostgresLeaseStore: { readonly layer: Layer.Layer<LeaseStore, never, Database> } = {
  layer: Layer.effect(
    LeaseStore,
    Effect.gen(function* () {
      const { attempt, sql } = yield* Database
      return {
        acquire: Effect.fn("PostgresLeaseStore.acquire")(function* (job, holder, seconds) {
          const taken = yield* attempt(sql`
            INSERT INTO leases (job, holder, until)
            VALUES (${job}, ${holder}, clock_timestamp() + make_interval(secs => ${seconds}::float8))
            ON CONFLICT (job) DO UPDATE SET holder = EXCLUDED.holder, until = EXCLUDED.until
            WHERE leases.holder = EXCLUDED.holder OR leases.until <= clock_timestamp()
            RETURNING job`)
          return taken.length > 0
        }),
        release: Effect.fn("PostgresLeaseStore.release")(function* (job, holder) {
          yield* attempt(sql`DELETE FROM leases WHERE job = ${job} AND holder = ${holder}`)
        })
      }
    })
  )
}
