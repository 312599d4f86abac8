import type { Soul } from "@agent-marketplace/core/souls/Soul"
import { SoulStore } from "@agent-marketplace/core/souls/SoulStore"
import { Effect, Layer, Option } from "effect"
import { Database } from "../Database.ts"
import { eventsJson, insertEvents } from "../events/appendEvents.ts"
import { Notifications } from "../Notifications.ts"
import { liveLicense } from "../purchases/liveLicense.ts"
import { date } from "../Row.ts"
import { claimSlug } from "../slugs/claimSlug.ts"
import { listSouls } from "./listSouls.ts"
import { modifySoul, soulBySlug } from "./modifySoul.ts"
import type { Row } from "../Columns.ts"
import { soulOf } from "./SoulRow.ts"
import { insertSouls, renderStaleSouls } from "./writeSouls.ts"

const details = `
  SELECT wanted.slug AS key, soul.json FROM unnest($1::text[]) AS wanted (slug) CROSS JOIN LATERAL (
    SELECT detail_head || ',"downloads":' || downloads || '}' AS json
    FROM souls JOIN item_stats ON item_id = id
    WHERE souls.slug = wanted.slug AND visibility = 'public' AND NOT deleted OFFSET 0
  ) AS soul`

const versions = `
  SELECT v.version, v.content FROM souls JOIN soul_versions v ON v.soul_id = souls.id
  WHERE souls.slug = $1::text ORDER BY v.version DESC`

const download = `
  WITH counted AS (
    INSERT INTO soul_downloads (soul_id, account_id, at) VALUES ($1::text, $2::text, $3::timestamptz)
    ON CONFLICT DO NOTHING RETURNING soul_id
  ),
  stats AS (UPDATE item_stats SET downloads = downloads + 1 FROM counted WHERE item_id = soul_id),
  event AS (${insertEvents("(CASE WHEN EXISTS (SELECT FROM counted) THEN $4::text ELSE '[]' END)")})
  SELECT count(*)::int AS counted FROM counted`

const isLicensed = `SELECT ${liveLicense("$1::text", "$2::text")} AS licensed`

export const PostgresSoulStore: { readonly layer: Layer.Layer<SoulStore, never, Database | Notifications> } = {
  layer: Layer.effect(
    SoulStore,
    Effect.gen(function* () {
      const database = yield* Database
      const { hint } = yield* Notifications
      const { attempt, read, sql, transaction } = database
      const detail = yield* database.readEach<{ readonly key: string; readonly json: string }>(details)
      const happened = Effect.sync(() => hint("events"))

      return {
        insert: Effect.fn("SoulStore.insert")(function* (draft, request, event) {
          const written = Effect.gen(function* () {
            const { owner, slug } = yield* claimSlug(sql, "soul", request, draft.authorId)
            const soul: Soul = { ...draft, slug, author: owner ?? draft.author }
            yield* insertSouls(sql, [soul], [event(soul)])
            return soul
          })
          return yield* Effect.tap(transaction(written), happened)
        }),

        findBySlug: (slug) =>
          Effect.map(read<Row>(soulBySlug, [slug]), ([row]) => Option.map(Option.fromUndefinedOr(row), soulOf)),

        modify: (slug, rule) => Effect.tap(transaction(modifySoul(sql, slug, rule)), happened),

        list: (filter) => listSouls(database, filter),

        detailJson: (slug) =>
          Effect.map(
            detail(slug),
            Option.map(({ json }) => json)
          ),

        download: Effect.fn("SoulStore.download")(function* (soul, account, event) {
          const parameters = [soul.id, account, date(event.at), eventsJson([event])]
          const [row] = yield* attempt(sql.unsafe<{ readonly counted: number }>(download, parameters))
          const counted = row?.counted === 1
          if (counted) yield* happened
          return { counted }
        }),

        isLicensed: (soul, account) =>
          Effect.map(
            read<{ readonly licensed: boolean }>(isLicensed, [account, soul.id]),
            ([row]) => row?.licensed === true
          ),

        versions: (slug) => read<{ readonly version: number; readonly content: string }>(versions, [slug]),

        renderStale: transaction(renderStaleSouls(sql))
      }
    })
  )
}
