import { newRevocation } from "@agent-marketplace/core/advisories/Revocation"
import type { Sha256 } from "@agent-marketplace/core/blobs/Sha256"
import { MarketClock } from "@agent-marketplace/core/clock/MarketClock"
import type { Timestamp } from "@agent-marketplace/core/clock/Timestamp"
import type { AccountFrozen, Conflict, QuotaExceeded } from "@agent-marketplace/core/errors/MarketError"
import type { StoreEffect } from "@agent-marketplace/core/errors/StoreEffect"
import type { ItemId, ListingId, ReleaseId, SoulId } from "@agent-marketplace/core/ids/Ids"
import type { AccountId } from "@agent-marketplace/core/ids/Ids"
import { isPublic } from "@agent-marketplace/core/listings/Listing"
import { isLicenseValid } from "@agent-marketplace/core/purchases/Purchase"
import { bytesPurged, purgedContent, purgedScan, withoutPurgedText } from "@agent-marketplace/core/releases/Purge"
import type { Release } from "@agent-marketplace/core/releases/Release"
import { awaitsOperator, stopsBytes, waitsSince } from "@agent-marketplace/core/releases/Release"
import type { FreeSkill, ItemReleasesRule } from "@agent-marketplace/core/releases/ReleaseStore"
import { ReleaseStore } from "@agent-marketplace/core/releases/ReleaseStore"
import type { ItemReleases, ItemReleasesChange, ReleasedItem } from "@agent-marketplace/core/releases/ItemReleases"
import { changedItemReleases, itemReleasesState } from "@agent-marketplace/core/releases/ItemReleases"
import { releasedListing, releasedSoul } from "@agent-marketplace/core/releases/ReleasedItems"
import { storableScan, withFindings } from "@agent-marketplace/core/releases/Verdict"
import { releaseVersionOf, soulVersionOf } from "@agent-marketplace/core/souls/SoulRelease"
import { publishedAt, resold } from "@agent-marketplace/core/souls/SoulRules"
import { entitlementKey } from "@agent-marketplace/core/settlement/MarketState"
import { Effect, Layer, Option, Result } from "effect"
import { dropBlobReferences, referBlobs } from "../blobs/referBlobs.ts"
import { ConstraintViolated } from "../ConstraintViolated.ts"
import { admitRecord } from "../identity/admitRecord.ts"
import { Index } from "../Index.ts"
import { storeListing } from "../listings/storeListing.ts"
import type { MarketTables, StoredRelease } from "../MarketTables.ts"
import { MemoryMarket } from "../MemoryMarket.ts"
import { Timeline } from "../paging/Timeline.ts"
import { namesakes } from "../catalogue/nameFindings.ts"
import { alikeReleases, recordOnSale } from "./alikeReleases.ts"
import {
  headOf,
  isPurged,
  isQuarantined,
  isQuarantinedElsewhere,
  putRelease,
  releaseHeads,
  scanKey
} from "./releaseTables.ts"
import { storeSoul } from "../souls/storeSoul.ts"

const releaseOf = (tables: MarketTables, stored: StoredRelease): Release => {
  const scan = stored.ruleset === null ? undefined : tables.scans.get(scanKey(stored.sha256, stored.ruleset))
  const verdict = scan === undefined ? null : withFindings(scan.verdict, stored.itemFindings)
  return { ...stored, verdict, capabilities: scan?.capabilities ?? null }
}

const referTo = (tables: MarketTables, { files, id, sha256 }: NonNullable<ItemReleasesChange["added"]>) =>
  referBlobs(tables, id, [sha256, ...files.map((file) => file.sha256)])

const itemOf = (tables: MarketTables, id: ItemId): ReleasedItem | undefined => {
  const listing = tables.listings.get(id as ListingId)?.listing
  if (listing !== undefined) return releasedListing(listing)
  const soul = tables.souls.get(id as SoulId)?.soul
  return soul === undefined ? undefined : releasedSoul(soul)
}

const itemReleasesOf = (tables: MarketTables, id: ItemId): ItemReleases | undefined => {
  const item = itemOf(tables, id)
  if (item === undefined) return undefined
  const releases = releaseHeads(tables, id)
  const digests = releases.map(({ sha256 }) => sha256).filter((sha256) => isQuarantined(tables, sha256))
  return {
    item,
    releases,
    sold: (tables.sold.get(id) ?? 0) > 0,
    quarantinedBytes: new Set(digests),
    quarantinedElsewhere: new Set(digests.filter((sha256) => isQuarantinedElsewhere(tables, sha256, id)))
  }
}

const created = ({ createdAt }: StoredRelease) => createdAt

const checkConstraints = (tables: MarketTables, { added, changed = [] }: ItemReleasesChange): void => {
  if (added !== undefined) {
    const known = Index.records(tables.releasesOf, added.itemId, tables.releases)
    if (known.some(({ version }) => version === added.version)) {
      throw new ConstraintViolated("releases_version", `${added.itemId} ${added.version}`)
    }
  }
  for (const { ruleset, sha256 } of changed) {
    if (ruleset !== null && !tables.scans.has(scanKey(sha256, ruleset)))
      throw new ConstraintViolated("releases_verdict", scanKey(sha256, ruleset))
  }
}

const storeItem = (
  { append, tables }: MemoryMarket["Service"],
  { item, releases }: ItemReleases,
  change: ItemReleasesChange
): void => {
  const columns = { ...itemReleasesState({ item, releases }), quarantine: item.quarantine }
  const listing = tables.listings.get(item.id as ListingId)?.listing
  if (listing !== undefined) storeListing(tables, { ...listing, ...columns })
  const stored = tables.souls.get(item.id as SoulId)?.soul
  if (stored === undefined) return
  const soul = withoutPurgedText(stored, releases)
  const version = columns.releaseVersion === null ? null : soulVersionOf(columns.releaseVersion)
  const text = tables.soulVersions.get(soul.id)?.find((known) => known.version === version)
  const sold = resold(soul, columns, text?.version === soul.version ? undefined : text, publishedAt(change))
  storeSoul(tables, sold.soul)
  append(sold.events)
}

/** Whether every release with this digest was purged, and there is one. */
const isErased = (tables: MarketTables, sha256: Sha256): boolean =>
  isPurged(tables, sha256) &&
  !Array.from(tables.releases.values()).some((one) => one.sha256 === sha256 && one.purgedAt === null)

const emptyText = (tables: MarketTables, { itemId, version }: StoredRelease): void => {
  const versions = tables.soulVersions.get(itemId as SoulId)
  if (versions === undefined) return
  const emptied = versions.map((one) => (releaseVersionOf(one.version) === version ? { ...one, content: "" } : one))
  tables.soulVersions.set(itemId as SoulId, emptied)
}

/** Removes what is stored of the content of releases that are marked as purged (PURGE-2, PURGE-4, PURGE-7). */
const purgeReleases = (tables: MarketTables, ids: ReadonlyArray<ReleaseId>): void => {
  const releases = ids.flatMap((id) => tables.releases.get(id) ?? [])
  for (const release of releases) {
    putRelease(tables, { ...release, ...purgedContent(release), statement: null })
    emptyText(tables, release)
  }
  const erased = new Set(releases.map(({ sha256 }) => sha256).filter((sha256) => isErased(tables, sha256)))
  for (const [key, scan] of tables.scans) {
    if (!erased.has(key.slice(0, key.indexOf(" ")) as Sha256)) continue
    tables.scans.set(key, purgedScan(scan))
    tables.sketches.delete(key)
  }
  dropBlobReferences(tables, ids)
}

const storeReleases = (
  tables: MarketTables,
  { added, changed = [], purged = [], statement }: ItemReleasesChange
): void => {
  if (added !== undefined) {
    putRelease(tables, { ...added, statement: null })
  }
  for (const head of changed) {
    const before = tables.releases.get(head.id)
    if (before !== undefined) putRelease(tables, { ...before, ...head })
  }
  const signed = statement === undefined ? undefined : tables.releases.get(statement.release)
  if (signed !== undefined && statement !== undefined) {
    putRelease(tables, { ...signed, statement: statement.envelope })
  }
  purgeReleases(tables, purged)
}

const due = (tables: MarketTables, ruleset: string): ReadonlyArray<StoredRelease> => {
  const all = Timeline.oldestFirst(tables.releases.values(), created)
  const incomplete = `${ruleset}+incomplete`
  return [
    ...all.filter(({ status }) => status === "scanning"),
    ...all.filter(({ rescanDue }) => rescanDue),
    ...all.filter(
      (one) => !one.rescanDue && one.status === "published" && one.ruleset !== ruleset && one.ruleset !== incomplete
    ),
    ...all.filter(
      ({ awaits, itemId, rescanDue }) => !rescanDue && awaits === "listing" && itemOf(tables, itemId)?.approved === true
    )
  ]
}

const affectedByBytes = (tables: MarketTables): ReadonlyArray<StoredRelease> => {
  const all = Timeline.oldestFirst(tables.releases.values(), created)
  const stopped = new Set(all.filter(stopsBytes).map(({ sha256 }) => sha256))
  return [
    ...all.filter(({ sha256, status }) => (status === "published" || status === "in_review") && stopped.has(sha256)),
    ...all.filter(
      ({ reason, sha256, status }) => status === "quarantined" && reason?.copied === true && !stopped.has(sha256)
    )
  ]
}

const licensedBefore = (tables: MarketTables, account: AccountId, item: ItemId, at: Timestamp, now: Timestamp) =>
  Index.records(tables.purchasesOfItem, entitlementKey(account, item), tables.purchases).some(
    (purchase) => isLicenseValid(purchase, now) && purchase.purchasedAt < at
  )

const freeSkills = (tables: MarketTables, limit: number, only?: string): ReadonlyArray<FreeSkill> =>
  Timeline.newestFirst(
    [...tables.listings.values()].map(({ listing }) => listing),
    ({ createdAt }) => createdAt
  )
    .filter((listing) => isPublic(listing) && listing.price === 0n)
    .filter(({ id, slug }) => only === undefined || only === id || only === slug)
    .toSorted((a, b) => (tables.sold.get(b.id) ?? 0) - (tables.sold.get(a.id) ?? 0))
    .flatMap(({ id, releaseVersion, slug }) =>
      Index.records(tables.releasesOf, id, tables.releases)
        .filter(({ sha256, version }) => version === releaseVersion && !isQuarantined(tables, sha256))
        .map(({ version }) => ({ itemId: id, slug, version }))
    )
    .slice(0, limit)

/** See `ReleaseStore.modify`; part of a step. */
export const changeItemReleases = <E>(
  market: MemoryMarket["Service"],
  id: ItemId,
  rule: ItemReleasesRule<E>
): Option.Option<Result.Result<ItemReleases, E>> => {
  const { append, tables } = market
  const itemReleases = itemReleasesOf(tables, id)
  if (itemReleases === undefined) return Option.none()
  const ruled = rule(itemReleases)
  if (Result.isFailure(ruled)) return Option.some(Result.fail(ruled.failure))
  const change = ruled.success
  checkConstraints(tables, change)
  storeReleases(tables, change)
  const after = changedItemReleases(itemReleases, change)
  append(change.events ?? [])
  storeItem(market, after, change)
  recordOnSale(tables, id)
  if (change.action !== undefined) tables.actions.push(change.action)
  if (change.advisory !== undefined) tables.advisoryDrafts.push(change.advisory)
  if (change.revocation !== undefined) tables.revocations.set(change.revocation.id, newRevocation(change.revocation))
  return Option.some(Result.succeed(after))
}

export const MemoryReleaseStore: { readonly layer: Layer.Layer<ReleaseStore, never, MarketClock | MemoryMarket> } = {
  layer: Layer.effect(
    ReleaseStore,
    Effect.gen(function* () {
      const market = yield* MemoryMarket
      const { tables } = market
      const clock = yield* MarketClock

      const modify = <E>(id: ItemId, rule: ItemReleasesRule<E>) => changeItemReleases(market, id, rule)
      return {
        modify: (id, rule) => Effect.sync(() => modify(id, rule)),
        upload: <E>(id: ItemId, rule: ItemReleasesRule<E>) =>
          Effect.flatMap(
            clock.now,
            (
              now
            ): StoreEffect<Option.Option<Result.Result<ItemReleases, E>>, AccountFrozen | Conflict | QuotaExceeded> => {
              const itemReleases = itemReleasesOf(tables, id)
              const ruled = itemReleases === undefined ? undefined : rule(itemReleases)
              const added = ruled !== undefined && Result.isSuccess(ruled) ? ruled.success.added : undefined
              if (added !== undefined && isPurged(tables, added.sha256)) return Effect.fail(bytesPurged)
              const admitted = admitRecord(
                tables,
                itemReleases?.item.creatorId ?? null,
                "releaseBytes",
                now,
                added?.size ?? 0
              )
              if (Result.isFailure(admitted)) return Effect.fail(admitted.failure)
              return Effect.map(added === undefined ? Effect.void : referTo(tables, added), () => modify(id, rule))
            }
          ),
        find: (item, version) =>
          Effect.sync(() =>
            Option.map(
              Option.fromUndefinedOr(
                Index.records(tables.releasesOf, item, tables.releases).find((release) => release.version === version)
              ),
              (stored) => releaseOf(tables, stored)
            )
          ),
        findEach: (item, versions) =>
          Effect.sync(() =>
            Index.records(tables.releasesOf, item, tables.releases)
              .filter(({ version }) => versions.includes(version))
              .map((stored) => releaseOf(tables, stored))
          ),
        creatorOf: (item) =>
          Effect.sync(() => Option.map(Option.fromUndefinedOr(itemOf(tables, item)), ({ creatorId }) => creatorId)),
        list: (item, page) =>
          Effect.sync(() => {
            const all = Timeline.newestFirst(Index.records(tables.releasesOf, item, tables.releases), created)
            const { items, total } = Timeline.page(all, page)
            return { items: items.map((stored) => releaseOf(tables, stored)), total }
          }),
        waiting: (status, page) =>
          Effect.sync(() => {
            const all = [...tables.releases.values()].filter(
              (one) =>
                awaitsOperator(one) &&
                (status === undefined || one.status === status) &&
                itemOf(tables, one.itemId)?.deleted === false
            )
            const { items, total } = Timeline.page(Timeline.oldestFirst(all, waitsSince), page)
            return { items: items.map(headOf), total }
          }),
        keepScan: (sha256, scan, sketch = null) =>
          Effect.sync(() => {
            const key = scanKey(sha256, scan.verdict.ruleset)
            const kept = tables.scans.get(key)
            if (kept !== undefined) return kept
            const erased = isErased(tables, sha256)
            const stored = erased ? purgedScan(scan) : storableScan(scan)
            tables.scans.set(key, stored)
            if (sketch !== null && !erased) tables.sketches.set(key, sketch)
            return stored
          }),
        findScan: (sha256, ruleset) =>
          Effect.sync(() => Option.fromUndefinedOr(tables.scans.get(scanKey(sha256, ruleset)))),
        due: (ruleset, limit, except = []) =>
          Effect.sync(() => {
            const excluded = new Set(except)
            const all = due(tables, ruleset).filter(({ id }) => !excluded.has(id))
            return all.slice(0, limit).map(headOf)
          }),
        affectedByBytes: (limit) => Effect.sync(() => affectedByBytes(tables).slice(0, limit).map(headOf)),
        isPurged: (sha256) => Effect.sync(() => isPurged(tables, sha256)),
        isQuarantined: (sha256) => Effect.sync(() => isQuarantined(tables, sha256)),
        freeSkills: (limit, only) => Effect.sync(() => freeSkills(tables, limit, only)),
        alike: ({ creatorId, ruleset, sha256 }) =>
          Effect.sync(() => alikeReleases(tables, tables.sketches.get(scanKey(sha256, ruleset)), creatorId)),
        namesakes: (item) => Effect.sync(() => namesakes(tables, item)),
        licensedBefore: (account, item, at) =>
          Effect.map(clock.now, (now) => licensedBefore(tables, account, item, at, now))
      }
    })
  )
}
