import { SoulStore } from "@agent-marketplace/core/souls/SoulStore"
import type { CatalogueFilter } from "@agent-marketplace/core/catalogue/CatalogueFilter"
import { Effect } from "effect"

/** The public souls that a filter finds. */
export const listedSouls = Effect.fnUntraced(function* (filter: Partial<CatalogueFilter>) {
  const souls = yield* SoulStore
  const { json, total } = yield* souls.list({ limit: 50, offset: 0, ...filter })
  const items = JSON.parse(json) as ReadonlyArray<{ readonly slug: string }>
  return { items, slugs: items.map(({ slug }) => slug), total }
})
