import { advisoryEvent, advisoryPosition } from "@agent-marketplace/core/advisories/Advisory"
import { AdvisoryStore } from "@agent-marketplace/core/advisories/AdvisoryStore"
import { Effect, Layer, Option, Semaphore } from "effect"
import { MemoryMarket } from "../MemoryMarket.ts"

/** The advisory at position n is the n-th of the array. */
export const MemoryAdvisoryStore: { readonly layer: Layer.Layer<AdvisoryStore, never, MemoryMarket> } = {
  layer: Layer.effect(
    AdvisoryStore,
    Effect.gen(function* () {
      const { append, tables } = yield* MemoryMarket
      const oneAtATime = yield* Semaphore.make(1)
      return {
        add: (draft) => Effect.sync(() => void tables.advisoryDrafts.push(draft)),
        publish: (limit, sign) =>
          oneAtATime.withPermits(1)(
            Effect.gen(function* () {
              const drafts = tables.advisoryDrafts.slice(0, limit)
              for (const draft of drafts) {
                const last = tables.advisories.at(-1) ?? null
                const advisory = yield* sign(draft, { position: tables.advisories.length, last })
                tables.advisoryDrafts.shift()
                tables.advisories.push(advisory)
                append([advisoryEvent(advisory, draft.creatorId)])
              }
              return drafts.length
            })
          ),
        list: (after, limit) =>
          Effect.sync(() => {
            const position = after === undefined ? 0 : advisoryPosition(after)
            if (position === undefined || position > tables.advisories.length) return Option.none()
            return Option.some(tables.advisories.slice(position, position + limit))
          })
      }
    })
  )
}
