import type { Soul } from "@agent-marketplace/core/souls/Soul"
import type { Conflict } from "@agent-marketplace/core/errors/MarketError"
import { bytesPurged } from "@agent-marketplace/core/releases/Purge"
import type { ReleaseHead } from "@agent-marketplace/core/releases/Release"
import type { SoulChange } from "@agent-marketplace/core/souls/SoulRules"
import type { NameFindings } from "@agent-marketplace/core/names/NameFindings"
import { noFindings } from "@agent-marketplace/core/names/NameFindings"
import type { SqlClient } from "effect/sql/SqlClient"
import { Effect, Option, Result } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import { appendActions } from "../admin/appendActions.ts"
import { nameFindings } from "../catalogue/nameFindings.ts"
import { appendEvents } from "../events/appendEvents.ts"
import type { Row } from "../Columns.ts"
import { sharePurged } from "../releases/purgeReleases.ts"
import { headOf, releaseHeads } from "../releases/ReleaseRow.ts"
import { recordOnSale } from "../releases/recordOnSale.ts"
import { soulColumns, soulOf } from "./SoulRow.ts"
import { insertSoulRelease, updateSouls } from "./writeSouls.ts"

/** The soul with its present text. */
export const soulBySlug = `
  SELECT ${soulColumns} FROM souls JOIN soul_versions v ON v.soul_id = souls.id AND v.version = souls.version
  WHERE souls.slug = $1::text`

const lock = "SELECT id FROM souls WHERE slug = $1::text FOR NO KEY UPDATE"

/** See `SoulStore.modify`; in the current transaction. */
export const modifySoul = Effect.fnUntraced(function* <E>(
  sql: SqlClient,
  slug: string,
  rule: (soul: Soul, names: NameFindings, releases: ReadonlyArray<ReleaseHead>) => Result.Result<SoulChange, E>,
  claims?: (soul: Soul) => string | null
): Effect.fn.Return<Option.Option<Result.Result<Soul, Conflict | E>>, SqlError> {
  // The text is in another table: only a statement after the lock is sure to read the text that belongs to the row.
  yield* sql.unsafe(lock, [slug])
  const [row] = yield* sql.unsafe<Row>(soulBySlug, [slug])
  if (row === undefined) return Option.none()
  const before = soulOf(row)
  const name = claims?.(before) ?? null
  const names = name === null ? noFindings : yield* nameFindings(sql, { name, creatorId: before.authorId })
  const releases = (yield* sql.unsafe<Row>(releaseHeads, [before.id])).map(headOf)
  const ruled = rule(before, names, releases)
  if (Result.isFailure(ruled)) return Option.some(Result.fail(ruled.failure))
  const { action, events, release, soul } = ruled.success
  if (release !== undefined && (yield* sharePurged(sql, release.head.sha256)))
    return Option.some(Result.fail(bytesPurged))
  yield* updateSouls(sql, [soul])
  yield* insertSoulRelease(sql, soul.id, release)
  yield* recordOnSale(sql, soul.id)
  yield* appendEvents(sql, events)
  yield* appendActions(sql, action === undefined ? [] : [action])
  return Option.some(Result.succeed(soul))
})
