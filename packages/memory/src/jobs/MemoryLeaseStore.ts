import { Timestamp } from "@agent-marketplace/core/clock/Timestamp"
import { LeaseStore } from "@agent-marketplace/core/jobs/LeaseStore"
import { Clock, Effect, Layer } from "effect"
import { MemoryMarket } from "../MemoryMarket.ts"

export const MemoryLeaseStore: { readonly layer: Layer.Layer<LeaseStore, never, MemoryMarket> } = {
  layer: Layer.effect(
    LeaseStore,
    Effect.gen(function* () {
      const { tables } = yield* MemoryMarket
      return {
        acquire: (job, holder, seconds) =>
          Effect.map(Clock.currentTimeMillis, (now) => {
            const lease = tables.leases.get(job)
            if (lease !== undefined && lease.holder !== holder && lease.until > now) return false
            tables.leases.set(job, { holder, until: now + seconds * Timestamp.second })
            return true
          }),
        release: (job, holder) =>
          Effect.sync(() => {
            if (tables.leases.get(job)?.holder === holder) tables.leases.delete(job)
          })
      }
    })
  )
}
