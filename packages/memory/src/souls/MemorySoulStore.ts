import { MarketClock } from "@agent-marketplace/core/clock/MarketClock"
import type { AccountId } from "@agent-marketplace/core/ids/Ids"
import type { Soul } from "@agent-marketplace/core/souls/Soul"
import { SoulJson } from "@agent-marketplace/core/souls/SoulJson"
import type { SoulFilter } from "@agent-marketplace/core/souls/SoulStore"
import { SoulStore } from "@agent-marketplace/core/souls/SoulStore"
import { Effect, Layer, Option, Result } from "effect"
import { ConstraintViolated } from "../ConstraintViolated.ts"
import { admitRecord } from "../identity/admitRecord.ts"
import { Index } from "../Index.ts"
import type { MarketTables, StoredSoul } from "../MarketTables.ts"
import { MemoryMarket } from "../MemoryMarket.ts"
import { Timeline } from "../paging/Timeline.ts"
import { hasLiveLicense } from "../purchases/hasLiveLicense.ts"
import { storeSoul } from "./storeSoul.ts"

const published = ({ soul }: StoredSoul) => soul.createdAt

const isPublic = (soul: Soul): boolean => soul.visibility === "public" && !soul.deleted && !soul.withheld

const passes = (soul: Soul, { categories, tags }: SoulFilter): boolean =>
  isPublic(soul) &&
  (categories === undefined || categories.includes(soul.category)) &&
  (tags === undefined || tags.some((tag) => soul.tags.includes(tag)))

const bySlug = (tables: MarketTables, slug: string): StoredSoul | undefined => {
  const id = tables.soulsBySlug.get(slug)
  return id === undefined ? undefined : tables.souls.get(id)
}

const list = (tables: MarketTables, filter: SoulFilter) => {
  const found = [...tables.souls.values()].filter(({ soul }) => passes(soul, filter))
  const page = Timeline.newestFirst(found, published).slice(filter.offset, filter.offset + filter.limit)
  const json = page.map(({ itemHead, soul }) => SoulJson.close(itemHead, soul.downloads))
  return { json: `[${json.join(",")}]`, total: found.length }
}

/** Whether it is the account's first download of the soul. */
const countDownload = (tables: MarketTables, { id }: Soul, account: AccountId): boolean => {
  const stored = tables.souls.get(id)
  if (stored === undefined) throw new ConstraintViolated("downloads_soul", id)
  if (tables.downloads.get(id)?.has(account) === true) return false
  Index.add(tables.downloads, id, account)
  tables.souls.set(id, { ...stored, soul: { ...stored.soul, downloads: stored.soul.downloads + 1 } })
  return true
}

const changes = ({ append, tables }: MemoryMarket["Service"]): Pick<SoulStore["Service"], "insert" | "modify"> => ({
  insert: (draft, request, event) =>
    Effect.suspend(() => {
      const admitted = admitRecord(tables, draft.authorId, "souls", draft.createdAt)
      if (Result.isFailure(admitted)) return Effect.fail(admitted.failure)
      if (tables.souls.has(draft.id)) throw new ConstraintViolated("souls_id", draft.id)
      const soul: Soul = { ...draft, slug: tables.soulSlugs.take(request) }
      const created = event(soul)
      storeSoul(tables, soul)
      append([created])
      return Effect.succeed(soul)
    }),
  modify: (slug, rule) =>
    Effect.sync(() => {
      const stored = bySlug(tables, slug)
      if (stored === undefined) return Option.none()
      const changed = rule(stored.soul)
      if (Result.isFailure(changed)) return Option.some(Result.fail(changed.failure))
      const { events, soul } = changed.success
      storeSoul(tables, soul)
      append(events)
      return Option.some(Result.succeed(soul))
    })
})

export const MemorySoulStore: { readonly layer: Layer.Layer<SoulStore, never, MarketClock | MemoryMarket> } = {
  layer: Layer.effect(
    SoulStore,
    Effect.gen(function* () {
      const market = yield* MemoryMarket
      const clock = yield* MarketClock
      const { append, tables } = market
      return {
        ...changes(market),
        findBySlug: (slug) => Effect.sync(() => Option.fromUndefinedOr(bySlug(tables, slug)?.soul)),
        list: (filter) => Effect.sync(() => list(tables, filter)),
        detailJson: (slug) =>
          Effect.sync(() => {
            const stored = bySlug(tables, slug)
            return stored !== undefined && isPublic(stored.soul)
              ? Option.some(SoulJson.close(stored.detailHead, stored.soul.downloads))
              : Option.none()
          }),
        download: (soul, account, event) =>
          Effect.sync(() => {
            const counted = countDownload(tables, soul, account)
            if (counted) append([event])
            return { counted }
          }),
        isLicensed: (soul, account) => Effect.map(clock.now, (now) => hasLiveLicense(tables, account, soul.id, now)),
        versions: (slug) =>
          Effect.sync(() => {
            const stored = bySlug(tables, slug)
            return stored === undefined ? [] : (tables.soulVersions.get(stored.soul.id) ?? []).toReversed()
          }),
        // Nothing here was written by an earlier version.
        renderStale: Effect.succeed(false)
      }
    })
  )
}
