import { conditionEvent } from "@agent-marketplace/core/health/Condition"
import { ConditionStore } from "@agent-marketplace/core/health/ConditionStore"
import { Effect, Layer } from "effect"
import { MemoryMarket } from "../MemoryMarket.ts"
import { Timeline } from "../paging/Timeline.ts"

export const MemoryConditionStore: { readonly layer: Layer.Layer<ConditionStore, never, MemoryMarket> } = {
  layer: Layer.effect(
    ConditionStore,
    Effect.map(MemoryMarket, ({ append, tables: { conditions } }) => ({
      open: Effect.sync(() => conditions.filter(({ endedAt }) => endedAt === null)),
      list: ({ open }, page) =>
        Effect.sync(() => {
          const wanted = conditions.filter(({ endedAt }) => open === undefined || (endedAt === null) === open)
          return Timeline.page(wanted.toReversed(), page)
        }),
      raise: ({ at, detail, kind }) =>
        Effect.sync(() => {
          const index = conditions.findIndex((each) => each.kind === kind && each.endedAt === null)
          const known = conditions[index]
          if (known === undefined) {
            const condition = { kind, detail, since: at, endedAt: null }
            conditions.push(condition)
            append([conditionEvent(condition)])
            return "raised"
          }
          if (known.detail === detail) return "unchanged"
          conditions.splice(index, 1, { ...known, detail })
          return "changed"
        }),
      clear: (kind, at) =>
        Effect.sync(() => {
          const index = conditions.findIndex((each) => each.kind === kind && each.endedAt === null)
          const known = conditions[index]
          if (known === undefined) return false
          const ended = { ...known, endedAt: at }
          conditions.splice(index, 1, ended)
          append([conditionEvent(ended)])
          return true
        })
    }))
  )
}
