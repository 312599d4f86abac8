import { Context } from "effect"
import type { StoreEffect } from "../errors/StoreEffect.ts"

/** Decides which process runs a job that must run only once (SYSTEM-5). */
export class LeaseStore extends Context.Service<
  LeaseStore,
  {
    /** Takes or renews the lease for `seconds` of real time (not the market's time). False while another holder's lease is valid. */
    readonly acquire: (job: string, holder: string, seconds: number) => StoreEffect<boolean>
    readonly release: (job: string, holder: string) => StoreEffect<void>
  }
>()("@agent-marketplace/core/jobs/LeaseStore") {}
