import type { FeedEvent } from "@agent-marketplace/core/activity/ActivityStore"
import { ActivityStore } from "@agent-marketplace/core/activity/ActivityStore"
import { MarketClock } from "@agent-marketplace/core/clock/MarketClock"
import { Timestamp } from "@agent-marketplace/core/clock/Timestamp"
import { Usdt } from "@agent-marketplace/core/money/Usdt"
import { Effect, Layer, Result } from "effect"
import { Database } from "../Database.ts"
import { eventId } from "../events/EventRow.ts"
import { amount, date, time } from "../Row.ts"
import type { Amount, Time } from "../Row.ts"

const minute = 60 * Timestamp.second

const shownListing = `EXISTS (SELECT FROM listings
              WHERE listings.id = events.subject AND listings.status = 'approved' AND NOT listings.withheld
              AND NOT listings.quarantined)`

const shownSoul = `EXISTS (SELECT FROM souls WHERE souls.id = events.subject AND souls.visibility = 'public'
              AND NOT souls.deleted AND souls.suspension IS NULL AND NOT souls.withheld
              AND NOT souls.quarantined)`

/**
 * Whether the item of a sale is shown (FEED-19). A scalar subquery is evaluated for each row that is read; EXISTS could be planned as a
 * hash of all items.
 */
const shownSale = `coalesce(
              (SELECT status = 'approved' AND NOT withheld AND NOT quarantined FROM listings
                WHERE listings.id = data ->> 'listingId'),
              (SELECT visibility = 'public' AND NOT deleted AND suspension IS NULL AND NOT withheld AND NOT quarantined
                FROM souls WHERE souls.id = data ->> 'listingId'),
              false)`

/** Events of SQL for rows of the log, with the names that the feed shows. */
const named = (rows: string) => `
      SELECT seq, event.type, at, data ->> 'amount' AS amount, data ->> 'fee' AS fee,
        coalesce(listings.name, souls.name, data ->> 'name') AS name,
        coalesce(listings.creator_name, souls.author) AS creator
      FROM (${rows}) AS event
      LEFT JOIN listings ON event.type = 'listing.approved' AND listings.id = event.subject
      LEFT JOIN souls ON event.type = 'soul.created' AND souls.id = event.subject`

const newest = (type: string, more: string) => `(
    SELECT type, seq, at, subject, data FROM events
    WHERE type = '${type}' AND at > $2::timestamptz ${more} ORDER BY at DESC, seq DESC LIMIT $1::int)`

/** Reads at most the newest 1,000 sales, even if many of them are not shown. */
const newestSales = `(
    SELECT type, seq, at, subject, data FROM (
      SELECT type, seq, at, subject, data FROM events
      WHERE type = 'purchase.completed' AND at > $2::timestamptz ORDER BY at DESC, seq DESC LIMIT 1000
    ) AS sales WHERE ${shownSale} ORDER BY at DESC, seq DESC LIMIT $1::int)`

/**
 * The feed in one statement. It reads the newest events of each type since `$2`, one row for each minute since `$3`, and each single
 * sale of the minute before, in which the day started. Keys count as active if they were used since `$4`. Whether a listing, a soul or
 * a sale of them is shown depends on the item's present state.
 */
const recent = `
  SELECT
    (SELECT json_agg(feed_event) FROM (${named(`
        ${newestSales} UNION ALL ${newest("subscription.renewed", "")} UNION ALL ${newest("agent.registered", "")} UNION ALL
        ${newest("listing.approved", `AND ${shownListing}`)} UNION ALL
        ${newest("soul.created", `AND ${shownSoul}`)}`)}
      ORDER BY at DESC, seq DESC LIMIT $1::int
    ) AS feed_event) AS events,
    (SELECT count(DISTINCT coalesce(agent_id, account_id)) FROM api_keys
      WHERE used_hour >= date_bin('1 hour', $4::timestamptz, 'epoch') AND last_used_at > $4::timestamptz)::int AS "activeAgents",
    (SELECT json_build_object('trades', coalesce(sum(trades), 0)::text, 'revenue', coalesce(sum(revenue), 0)::text)
      FROM trade_minutes WHERE minute >= $3::timestamptz) AS whole,
    (SELECT json_build_object('trades', count(*)::text, 'revenue', coalesce(sum(sale.amount), 0)::text)
      FROM events CROSS JOIN LATERAL (
        SELECT amount FROM purchases WHERE id = events.subject AND status = 'completed' OFFSET 0
      ) AS sale
      WHERE events.type = 'purchase.completed' AND events.at > $2::timestamptz AND events.at < $3::timestamptz) AS part,
    (SELECT coalesce(sum(amount), 0)::text FROM renewals
      WHERE status = 'completed' AND at > $2::timestamptz AND at < $3::timestamptz) AS renewed`

const happened = `
  SELECT coalesce(json_agg(feed_event), '[]') AS events FROM (${named(`
        SELECT type, seq, at, subject, data FROM events
        WHERE seq > $1::bigint AND seq <= $2::bigint AND (
          type IN ('subscription.renewed', 'agent.registered') OR (type = 'purchase.completed' AND ${shownSale})
          OR (type = 'listing.approved' AND ${shownListing}) OR (type = 'soul.created' AND ${shownSoul})
        )`)}
    ORDER BY seq
  ) AS feed_event`

interface FeedEventRow {
  readonly seq: number
  readonly type:
    "purchase.completed" | "subscription.renewed" | "agent.registered" | "listing.approved" | "soul.created"
  readonly at: Time
  readonly amount: string | null
  readonly fee: string | null
  readonly name: string | null
  readonly creator: string | null
}

interface Trades {
  readonly trades: Amount
  readonly revenue: Amount
}

interface FeedRow {
  readonly events: ReadonlyArray<FeedEventRow> | null
  readonly activeAgents: number
  readonly whole: Trades
  readonly part: Trades
  /** The renewals of the minute in which the day started. */
  readonly renewed: Amount
}

const units = (text: string | null): Usdt => Result.getOrElse(Usdt.parse(text ?? "0"), () => Usdt.zero)

const feedEventsOf = (row: FeedEventRow): ReadonlyArray<FeedEvent> => {
  const common = { key: eventId(BigInt(row.seq)), at: time(row.at), name: row.name ?? "", creator: row.creator ?? "" }
  switch (row.type) {
    case "purchase.completed": {
      const price = units(row.amount)
      const trade: FeedEvent = { ...common, type: "purchase", amount: price }
      const net = Usdt.of(price - units(row.fee))
      // A free purchase makes no earning item (FEED-8).
      return net === 0n ? [trade] : [trade, { ...common, type: "earning", amount: net }]
    }
    case "subscription.renewed": {
      const net = Usdt.of(units(row.amount) - units(row.fee))
      return net === 0n ? [] : [{ ...common, type: "earning", name: "", amount: net }]
    }
    case "agent.registered":
      return [{ ...common, type: "registration", name: "", amount: Usdt.zero }]
    case "listing.approved":
    case "soul.created":
      return [{ ...common, type: "listing", amount: Usdt.zero }]
  }
}

export const PostgresActivityStore: { readonly layer: Layer.Layer<ActivityStore, never, Database | MarketClock> } = {
  layer: Layer.effect(
    ActivityStore,
    Effect.gen(function* () {
      const { read, replica } = yield* Database
      const clock = yield* MarketClock
      return {
        happened: (after, upTo) =>
          Effect.map(
            read<{ readonly events: ReadonlyArray<FeedEventRow> }>(happened, [BigInt(after), BigInt(upTo)]),
            ([row]) => (row?.events ?? []).flatMap(feedEventsOf)
          ),
        recent: Effect.fnUntraced(function* (limit) {
          const now = yield* clock.now
          const start = now - Timestamp.day
          const firstWhole = start - (start % minute) + minute
          const [row] = yield* replica.read<FeedRow>(recent, [
            limit,
            date(start),
            date(firstWhole),
            date(now - Timestamp.hour)
          ])
          if (row === undefined) return yield* Effect.die("the query of the feed returned no row")
          return {
            events: (row.events ?? []).flatMap(feedEventsOf).slice(0, limit),
            activeAgents: row.activeAgents,
            trades: Number(amount(row.whole.trades) + amount(row.part.trades)),
            revenue: Usdt.of(amount(row.whole.revenue) + amount(row.part.revenue) + amount(row.renewed))
          }
        })
      }
    })
  )
}
