import { ActionStore } from "@agent-marketplace/core/admin/ActionStore"
import { Effect, Layer } from "effect"
import { MemoryMarket } from "../MemoryMarket.ts"
import { Timeline } from "../paging/Timeline.ts"

/** See `ActionStore`. Entries are pushed and never replaced. */
export const MemoryActionStore: { readonly layer: Layer.Layer<ActionStore, never, MemoryMarket> } = {
  layer: Layer.effect(
    ActionStore,
    Effect.map(MemoryMarket, ({ tables }) => ({
      append: (action) => Effect.sync(() => void tables.actions.push(action)),
      list: ({ actor, subject }, page) =>
        Effect.sync(() => {
          const wanted = tables.actions.filter(
            (each) =>
              (actor === undefined || each.actor === actor) && (subject === undefined || each.subject === subject)
          )
          return Timeline.page(wanted.toReversed(), page)
        })
    }))
  )
}
