import { StoreHealth } from "@agent-marketplace/core/health/StoreHealth"
import { Effect, Layer } from "effect"
import { Database } from "../Database.ts"

/** With this setting the rows below do not fit into memory. */
const littleMemory = "SELECT set_config('work_mem', '64kB', true)"

/**
 * One row for all processes, written each time, and a temporary file of half a megabyte. The row alone would not notice a full disk: its
 * new version fits into a page that exists.
 */
const probe = `
  WITH written AS (
    INSERT INTO leases (job, holder, until) VALUES ('write-probe', '', clock_timestamp())
    ON CONFLICT (job) DO UPDATE SET until = EXCLUDED.until
  )
  SELECT count(*) FROM generate_series(1, 30000)`

export const PostgresStoreHealth: { readonly layer: Layer.Layer<StoreHealth, never, Database> } = {
  layer: Layer.effect(
    StoreHealth,
    Effect.map(Database, ({ sql, transaction }) => ({
      writable: Effect.asVoid(transaction(Effect.andThen(sql.unsafe(littleMemory), sql.unsafe(probe))))
    }))
  )
}
