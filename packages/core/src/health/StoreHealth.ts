import type { Effect } from "effect"
import { Context } from "effect"
import type { StoreUnavailable } from "../errors/MarketError.ts"

/** Whether the store can do its work (SYSTEM-8). */
export class StoreHealth extends Context.Service<
  StoreHealth,
  {
    /**
     * Writes a little and allocates a little space on the disk. Fails while the store refuses writes, for example because the disk is full
     * or the database is read-only. To be called every few seconds, not for each request.
     */
    readonly writable: Effect.Effect<void, StoreUnavailable>
    /**
     * Prepares the store for the rows of the coming weeks, for example with partitions (DATABASE-10). Returns a message for the operator if rows are being
     * stored without such preparation, otherwise null. To be called every minute.
     */
    readonly prepare: Effect.Effect<string | null, StoreUnavailable>
  }
>()("@agent-marketplace/core/health/StoreHealth") {}
