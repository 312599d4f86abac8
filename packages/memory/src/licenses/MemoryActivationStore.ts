import type { Activation } from "@agent-marketplace/core/licenses/Activation"
import { ActivationStore } from "@agent-marketplace/core/licenses/ActivationStore"
import type { ListingId } from "@agent-marketplace/core/ids/Ids"
import { Effect, Layer, Option, Result } from "effect"
import { MemoryMarket } from "../MemoryMarket.ts"
import { Timeline } from "../paging/Timeline.ts"

export const MemoryActivationStore: { readonly layer: Layer.Layer<ActivationStore, never, MemoryMarket> } = {
  layer: Layer.effect(
    ActivationStore,
    Effect.map(MemoryMarket, ({ tables: { activations, listings, purchases } }) => ({
      activate: (id, machine, rule) =>
        Effect.sync(() => {
          const purchase = purchases.get(id)
          if (purchase === undefined) return Option.none()
          const machines = activations.get(id) ?? new Map<string, Activation>()
          const limit = listings.get(purchase.item.id as ListingId)?.listing.maxActivations ?? null
          const result = rule({ purchase, limit, used: machines.size, known: machines.get(machine) ?? null })
          if (Result.isSuccess(result)) activations.set(id, new Map([...machines, [machine, result.success]]))
          return Option.some(result)
        }),
      deactivate: (id, machine) => Effect.sync(() => activations.get(id)?.delete(machine) ?? false),
      list: (id, page) =>
        Effect.sync(() => {
          const machines = [...(activations.get(id)?.values() ?? [])]
          return Timeline.page(
            Timeline.newestFirst(machines, ({ activatedAt }) => activatedAt),
            page
          )
        })
    }))
  )
}
