import type { StoreUnavailable } from "@agent-marketplace/core/errors/MarketError"
import { Layer } from "effect"
import type { Effect } from "effect"
import { Database } from "../src/Database.ts"

/** A database that only has `read`; the test supplies the rows. */
export const stubDatabase = (read: () => Effect.Effect<ReadonlyArray<object>, StoreUnavailable>) =>
  Layer.succeed(Database, { read } as unknown as typeof Database.Service)
