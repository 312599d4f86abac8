import type {
  AccountFrozen,
  Conflict,
  QuotaExceeded,
  StoreUnavailable
} from "@agent-marketplace/core/errors/MarketError"
import type { AccountId, ItemId } from "@agent-marketplace/core/ids/Ids"
import type { Listing } from "@agent-marketplace/core/listings/Listing"
import type { ItemReleasesRule } from "@agent-marketplace/core/releases/ReleaseStore"
import { bytesPurged, withoutPurgedText } from "@agent-marketplace/core/releases/Purge"
import type { ItemReleases, ItemReleasesChange, ReleasedItem } from "@agent-marketplace/core/releases/ItemReleases"
import { changedItemReleases, itemReleasesState } from "@agent-marketplace/core/releases/ItemReleases"
import { releasedListing, releasedSoul } from "@agent-marketplace/core/releases/ReleasedItems"
import type { Soul } from "@agent-marketplace/core/souls/Soul"
import { soulVersionOf } from "@agent-marketplace/core/souls/SoulRelease"
import { publishedAt, resold } from "@agent-marketplace/core/souls/SoulRules"
import type { SqlClient } from "effect/sql/SqlClient"
import { Effect, Option, Result } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import { appendActions } from "../admin/appendActions.ts"
import { insertDrafts } from "../advisories/insertDrafts.ts"
import { insertRevocation } from "../advisories/insertRevocation.ts"
import type { Row } from "../Columns.ts"
import { appendEvents } from "../events/appendEvents.ts"
import { admitRecord, lockOwner } from "../identity/admitRecord.ts"
import { referBlobs } from "../blobs/referBlobs.ts"
import { listingColumns, listingOf } from "../listings/ListingRow.ts"
import { updateListings } from "../listings/writeListings.ts"
import { soulOf, soulsById } from "../souls/SoulRow.ts"
import type { VersionRow } from "../souls/SoulRow.ts"
import { versionOf } from "../souls/SoulRow.ts"
import { updateSouls } from "../souls/writeSouls.ts"
import { lockDigests, purgeReleases, sharePurged } from "./purgeReleases.ts"
import { recordOnSale } from "./recordOnSale.ts"
import {
  headOf,
  insertParameter,
  insertRelease,
  releaseHeads,
  stopsBytes,
  updateParameter,
  updateReleases
} from "./ReleaseRow.ts"

export const lockListing = `SELECT ${listingColumns} FROM listings WHERE id = $1::text FOR NO KEY UPDATE`

export const lockSoul = "SELECT id FROM souls WHERE id = $1::text FOR NO KEY UPDATE"

const soulText = `
  SELECT version, content, created_at FROM soul_versions WHERE soul_id = $1::text AND version = $2::int`

export const creatorOf = `
  SELECT creator_id AS id FROM listings WHERE id = $1::text UNION ALL SELECT author_id FROM souls WHERE id = $1::text`

const sold = "SELECT sales > 0 AS sold FROM item_stats WHERE item_id = $1::text"

const quarantinedBytes = `
  SELECT own.sha256, bool_or(stopped.item_id <> own.item_id) AS elsewhere
  FROM releases AS own JOIN releases AS stopped ON stopped.sha256 = own.sha256 AND ${stopsBytes("stopped")}
  WHERE own.item_id = $1::text GROUP BY own.sha256`

const setStatement = "UPDATE releases SET statement = $2::jsonb WHERE id = $1::text"

type Sql = SqlClient

/** A locked item: its fields for the rule, and how to store the columns that follow from its releases. */
interface LockedItem {
  readonly item: ReleasedItem
  readonly write: (itemReleases: ItemReleases, change: ItemReleasesChange) => Effect.Effect<void, SqlError>
}

const columnsOf = (itemReleases: ItemReleases) => ({
  ...itemReleasesState(itemReleases),
  quarantine: itemReleases.item.quarantine
})

const differs = (before: Listing | Soul, after: ReturnType<typeof columnsOf>): boolean =>
  before.releaseVersion !== after.releaseVersion ||
  before.trust !== after.trust ||
  before.quarantined !== after.quarantined ||
  JSON.stringify(before.quarantine) !== JSON.stringify(after.quarantine)

/** Stores the soul with the version that is on sale since, and the events of that. */
const writeSoul = Effect.fnUntraced(function* (
  sql: Sql,
  before: Soul,
  columns: ReturnType<typeof columnsOf>,
  change: ItemReleasesChange
): Effect.fn.Return<void, SqlError> {
  const version = columns.releaseVersion === null ? null : soulVersionOf(columns.releaseVersion)
  const moves = version !== null && version !== before.version
  const [text] = moves ? yield* sql.unsafe<VersionRow>(soulText, [before.id, version]) : []
  const shown = text === undefined ? undefined : versionOf(text)
  const { events, soul } = resold(before, columns, shown, publishedAt(change))
  yield* updateSouls(sql, [soul])
  yield* appendEvents(sql, events)
})

const locked = Effect.fnUntraced(function* (
  sql: Sql,
  id: ItemId
): Effect.fn.Return<Option.Option<LockedItem>, SqlError> {
  const [row] = yield* sql.unsafe<Row>(lockListing, [id])
  if (row !== undefined) {
    const listing = listingOf(row)
    const write = (itemReleases: ItemReleases) =>
      differs(listing, columnsOf(itemReleases))
        ? updateListings(sql, [{ ...listing, ...columnsOf(itemReleases) }])
        : Effect.void
    return Option.some({ item: releasedListing(listing), write })
  }
  if ((yield* sql.unsafe(lockSoul, [id])).length === 0) return Option.none()
  // After the lock, so that the text belongs to the row.
  const [soulRow] = yield* sql.unsafe<Row>(soulsById, [[id]])
  if (soulRow === undefined) return Option.none()
  const soul = soulOf(soulRow)
  return Option.some({
    item: releasedSoul(soul),
    write: (itemReleases, change) =>
      differs(soul, columnsOf(itemReleases)) || change.purged !== undefined
        ? writeSoul(sql, withoutPurgedText(soul, itemReleases.releases), columnsOf(itemReleases), change)
        : Effect.void
  })
})

const itemReleasesOf = Effect.fnUntraced(function* (
  sql: Sql,
  item: ReleasedItem
): Effect.fn.Return<ItemReleases, SqlError> {
  const releases = (yield* sql.unsafe<Row>(releaseHeads, [item.id])).map(headOf)
  const [stats] = yield* sql.unsafe<{ readonly sold: boolean }>(sold, [item.id])
  const stopped = yield* sql.unsafe<{ readonly sha256: string; readonly elsewhere: boolean }>(quarantinedBytes, [
    item.id
  ])
  return {
    item,
    releases,
    sold: stats?.sold ?? false,
    quarantinedBytes: new Set(stopped.map(({ sha256 }) => sha256)),
    quarantinedElsewhere: new Set(stopped.flatMap(({ elsewhere, sha256 }) => (elsewhere ? [sha256] : [])))
  }
})

const writeChange = Effect.fnUntraced(function* (
  sql: Sql,
  change: ItemReleasesChange
): Effect.fn.Return<void, SqlError> {
  const { action, added, advisory, changed = [], events = [], purged = [], revocation, statement } = change
  if (added !== undefined) yield* sql.unsafe(insertRelease, [insertParameter(added)])
  yield* lockDigests(
    sql,
    changed.filter(({ id }) => purged.includes(id)).map(({ sha256 }) => sha256)
  )
  if (changed.length > 0) yield* sql.unsafe(updateReleases, [updateParameter(changed)])
  yield* purgeReleases(sql, purged)
  if (statement !== undefined) {
    yield* sql.unsafe(setStatement, [statement.release, JSON.stringify(statement.envelope)])
  }
  yield* appendEvents(sql, events)
  yield* appendActions(sql, action === undefined ? [] : [action])
  yield* insertDrafts(sql, advisory === undefined ? [] : [advisory])
  if (revocation !== undefined) yield* insertRevocation(sql, revocation)
})

/** See `ReleaseStore.modify`; in the current transaction. `admit` can refuse what the rule returned. */
export const modifyItemReleases = Effect.fnUntraced(function* <E, R = never>(
  sql: Sql,
  id: ItemId,
  rule: ItemReleasesRule<E>,
  admit: (change: ItemReleasesChange) => Effect.Effect<void, R | SqlError> = () => Effect.void
): Effect.fn.Return<Option.Option<Result.Result<ItemReleases, E>>, R | SqlError> {
  const found = yield* locked(sql, id)
  if (Option.isNone(found)) return Option.none()
  const { item, write } = found.value
  const itemReleases = yield* itemReleasesOf(sql, item)
  const ruled = rule(itemReleases)
  if (Result.isFailure(ruled)) return Option.some(Result.fail(ruled.failure))
  const change = ruled.success
  yield* admit(change)
  yield* writeChange(sql, change)
  const after = changedItemReleases(itemReleases, change)
  yield* write(after, change)
  yield* recordOnSale(sql, id)
  return Option.some(Result.succeed(after))
})

/** See `ReleaseStore.upload`; in the current transaction. The account is locked before the item, as by a freeze. */
export const uploadToItem = Effect.fnUntraced(function* <E>(
  sql: Sql,
  id: ItemId,
  rule: ItemReleasesRule<E>
): Effect.fn.Return<
  Option.Option<Result.Result<ItemReleases, E>>,
  AccountFrozen | Conflict | QuotaExceeded | SqlError | StoreUnavailable
> {
  const [creator] = yield* sql.unsafe<{ readonly id: AccountId }>(creatorOf, [id])
  const owner = creator === undefined ? undefined : yield* lockOwner(sql, creator.id)
  const admit = Effect.fnUntraced(function* ({ added }: ItemReleasesChange) {
    if (added === undefined) return
    if (yield* sharePurged(sql, added.sha256)) return yield* bytesPurged
    yield* admitRecord(sql, owner, "releaseBytes", added.size)
    yield* referBlobs(sql, added.id, [added.sha256, ...added.files.map(({ sha256 }) => sha256)])
  })
  return yield* modifyItemReleases<E, Conflict | QuotaExceeded | StoreUnavailable>(sql, id, rule, admit)
})
