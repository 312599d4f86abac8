import type { Effect } from "effect"
import { Context } from "effect"
import type { StoreUnavailable } from "../errors/MarketError.ts"

/** Decides which process runs a job that must run only once (SYSTEM-5). */
export class LeaseStore extends Context.Service<
  LeaseStore,
  {
    /** Takes or renews the lease for `seconds` of real time (not the market's time). False while another holder's lease is valid. */
    readonly acquire: (job: string, holder: string, seconds: number) => Effect.Effect<boolean, StoreUnavailable>
    readonly release: (job: string, holder: string) => Effect.Effect<void, StoreUnavailable>
  }
>()("@agent-marketplace/core/jobs/LeaseStore") {}
