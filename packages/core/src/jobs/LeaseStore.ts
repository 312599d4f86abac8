import type { Effect } from "effect"
import { Context } from "effect"
import type { StoreUnavailable } from "../errors/MarketError.ts"

/** Which process may run a job that must run once (SYSTEM-5). */
export class LeaseStore extends Context.Service<
  LeaseStore,
  {
    /** Takes or prolongs the lease for `seconds` of real time (not the market's); false while another holder's still runs. */
    readonly acquire: (job: string, holder: string, seconds: number) => Effect.Effect<boolean, StoreUnavailable>
    readonly release: (job: string, holder: string) => Effect.Effect<void, StoreUnavailable>
  }
>()("@agent-marketplace/core/jobs/LeaseStore") {}
