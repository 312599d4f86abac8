import { MarketClock } from "@agent-marketplace/core/clock/MarketClock"
import type { CatalogueFilter } from "@agent-marketplace/core/catalogue/CatalogueFilter"
import type { AccountId, SoulId } from "@agent-marketplace/core/ids/Ids"
import { noFindings } from "@agent-marketplace/core/names/NameFindings"
import type { PageRequest } from "@agent-marketplace/core/paging/Page"
import type { Soul } from "@agent-marketplace/core/souls/Soul"
import { isListed } from "@agent-marketplace/core/souls/Soul"
import { SoulJson } from "@agent-marketplace/core/souls/SoulJson"
import { bytesPurged } from "@agent-marketplace/core/releases/Purge"
import type { SoulRelease } from "@agent-marketplace/core/souls/SoulRelease"
import type { ReleaseStatus } from "@agent-marketplace/core/releases/Release"
import { releaseVersionOf } from "@agent-marketplace/core/souls/SoulRelease"
import type { QueuedSouls, SoulVersion, UnreleasedVersion } from "@agent-marketplace/core/souls/SoulStore"
import { SoulStore } from "@agent-marketplace/core/souls/SoulStore"
import { Effect, Layer, Option, Result } from "effect"
import { NameTooSimilar } from "@agent-marketplace/core/errors/MarketError"
import { ConstraintViolated } from "../ConstraintViolated.ts"
import { admitRecord } from "../identity/admitRecord.ts"
import { Index } from "../Index.ts"
import type { MarketTables, StoredSoul } from "../MarketTables.ts"
import { MemoryMarket } from "../MemoryMarket.ts"
import { Timeline } from "../paging/Timeline.ts"
import { hasLiveLicense } from "../purchases/hasLiveLicense.ts"
import { isVerified } from "../domains/accountDomains.ts"
import { recordOnSale } from "../releases/alikeReleases.ts"
import { nameFindings } from "../catalogue/nameFindings.ts"
import { searchItems } from "../catalogue/searchItems.ts"
import { statsOf } from "../catalogue/statsOf.ts"
import { isPurged, releaseHeads } from "../releases/releaseTables.ts"
import { storeSoul, storeSoulRelease } from "./storeSoul.ts"

const bySlug = (tables: MarketTables, slug: string): StoredSoul | undefined => {
  const id = tables.soulsBySlug.get(slug)
  return id === undefined ? undefined : tables.souls.get(id)
}

const byIdOrSlug = (tables: MarketTables, idOrSlug: string): StoredSoul | undefined =>
  tables.souls.get(idOrSlug as SoulId) ?? bySlug(tables, idOrSlug)

const list = (tables: MarketTables, filter: CatalogueFilter) => {
  const { page, total } = searchItems(tables, tables.souls.values(), filter)
  const json = page.map(({ item: { itemHead, soul } }) =>
    SoulJson.close(filter.own === true ? itemHead + SoulJson.ownFields(soul) : itemHead, soul.downloads)
  )
  return { json: `[${json.join(",")}]`, total }
}

const releaseOfVersion = (tables: MarketTables, soul: SoulId, version: number) =>
  releaseHeads(tables, soul).find((release) => release.version === releaseVersionOf(version))

const statusOf = (tables: MarketTables, { id, version }: Soul): ReleaseStatus | null =>
  releaseOfVersion(tables, id, version)?.status ?? null

const unreleased = (tables: MarketTables): ReadonlyArray<UnreleasedVersion> =>
  Array.from(tables.souls.values()).flatMap(({ soul: { authorId: author, id: soul } }) =>
    (tables.soulVersions.get(soul) ?? [])
      .filter(({ version }) => releaseOfVersion(tables, soul, version) === undefined)
      .toReversed()
      .map((version) => ({ ...version, soul, author }))
  )

const versionsOf = (tables: MarketTables, idOrSlug: string) => {
  const stored = byIdOrSlug(tables, idOrSlug)
  return stored === undefined ? [] : (tables.soulVersions.get(stored.soul.id) ?? [])
}

const isQueued = (tables: MarketTables, { id, suspension }: Soul, which: QueuedSouls): boolean => {
  if (which !== "in_review") return (suspension !== null) === (which === "suspended")
  return releaseHeads(tables, id).some(({ status }) => status === "in_review")
}

const queue = (tables: MarketTables, which: QueuedSouls | undefined, page: PageRequest) => {
  const souls = Array.from(tables.souls.values(), ({ soul }) => soul).filter(
    (soul) => !soul.deleted && (which === undefined || isQueued(tables, soul, which))
  )
  return Timeline.page(
    Timeline.oldestFirst(souls, ({ createdAt }) => createdAt),
    page
  )
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

const hasPurgedText = (tables: MarketTables, release: SoulRelease | undefined): boolean =>
  release !== undefined && isPurged(tables, release.head.sha256)

const changes = ({ append, tables }: MemoryMarket["Service"]): Pick<SoulStore["Service"], "insert" | "modify"> => ({
  insert: (draft, request, rule) =>
    Effect.suspend((): ReturnType<SoulStore["Service"]["insert"]> => {
      const admitted = admitRecord(tables, draft.authorId, "souls", draft.createdAt)
      if (Result.isFailure(admitted)) return Effect.fail(admitted.failure)
      if (tables.souls.has(draft.id)) throw new ConstraintViolated("souls_id", draft.id)
      const names = nameFindings(tables, { name: draft.name, creatorId: draft.authorId })
      if (names.similar !== null) return Effect.fail(new NameTooSimilar({ conflictsWith: names.similar }))
      const { events, release, soul } = rule(
        { ...draft, slug: tables.soulSlugs.take(request), creatorVerified: isVerified(tables, draft.authorId) },
        names
      )
      if (hasPurgedText(tables, release)) return Effect.fail(bytesPurged)
      storeSoul(tables, soul)
      storeSoulRelease(tables, soul.id, release)
      recordOnSale(tables, soul.id)
      append(events)
      return Effect.succeed(soul)
    }),
  modify: (slug, rule, claims) =>
    Effect.sync(() => {
      const stored = bySlug(tables, slug)
      if (stored === undefined) return Option.none()
      const name = claims?.(stored.soul) ?? null
      const names = name === null ? noFindings : nameFindings(tables, { name, creatorId: stored.soul.authorId })
      const changed = rule(stored.soul, names, releaseHeads(tables, stored.soul.id))
      if (Result.isFailure(changed)) return Option.some(Result.fail(changed.failure))
      const { action, events, release, soul } = changed.success
      if (hasPurgedText(tables, release)) return Option.some(Result.fail(bytesPurged))
      storeSoul(tables, soul)
      storeSoulRelease(tables, soul.id, release)
      recordOnSale(tables, soul.id)
      append(events)
      if (action !== undefined) tables.actions.push(action)
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
        detail: (idOrSlug, viewer) =>
          Effect.map(clock.now, (now) => {
            const soul = byIdOrSlug(tables, idOrSlug)?.soul
            if (soul === undefined) return Option.none()
            const licensed = viewer !== null && hasLiveLicense(tables, viewer, soul.id, now)
            const listed = isListed(soul)
            const status = statusOf(tables, soul)
            return Option.some({ soul, stats: statsOf(tables, soul.id), licensed, listed, status })
          }),
        detailJson: (slug) =>
          Effect.sync(() => {
            const stored = bySlug(tables, slug)
            return stored !== undefined && isListed(stored.soul)
              ? Option.some(
                  SoulJson.closeDetail(stored.detailHead, stored.soul.downloads, statsOf(tables, stored.soul.id))
                )
              : Option.none()
          }),
        download: (soul, account, event) =>
          Effect.sync(() => {
            const counted = countDownload(tables, soul, account)
            const author = tables.souls.get(soul.id)?.soul.author ?? soul.author
            if (counted) append([event({ ...soul, author })])
            return { counted }
          }),
        versions: (slug, page, statuses) =>
          Effect.sync(() => {
            const id = bySlug(tables, slug)?.soul.id
            const shown = ({ version }: SoulVersion): boolean => {
              const release = id === undefined ? undefined : releaseOfVersion(tables, id, version)
              return statuses === undefined || release === undefined || statuses.includes(release.status)
            }
            return Timeline.page(versionsOf(tables, slug).filter(shown).toReversed(), page)
          }),
        findVersion: (idOrSlug, version) =>
          Effect.sync(() =>
            Option.fromUndefinedOr(versionsOf(tables, idOrSlug).find((kept) => kept.version === version))
          ),
        unreleased: (limit) => Effect.sync(() => unreleased(tables).slice(0, limit)),
        queue: (which, page) => Effect.sync(() => queue(tables, which, page)),
        // Data in memory was never written by an earlier version.
        renderStale: Effect.succeed(false)
      }
    })
  )
}
