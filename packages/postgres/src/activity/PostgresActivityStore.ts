import type { Happening } from "@agent-marketplace/core/activity/ActivityStore"
import { ActivityStore } from "@agent-marketplace/core/activity/ActivityStore"
import { Usdt } from "@agent-marketplace/core/money/Usdt"
import { Effect, Layer, Result } from "effect"
import { Database } from "../Database.ts"
import { eventId } from "../events/PostgresEventLog.ts"
import { amount } from "../Row.ts"
import type { Amount, Time } from "../Row.ts"
import { time } from "../Row.ts"

const newest = (type: string) => `(
    SELECT type, seq, at, subject, data FROM events
    WHERE type = '${type}' AND at > clock.now - interval '24 hours' ORDER BY at DESC, seq DESC LIMIT $1::int)`

/**
 * The feed in one statement, which looks at the newest events of each type and at a row for each minute of the day. The minute in which
 * the day began is counted one by one. What a listing is now decides whether it shows.
 */
const recent = `
  WITH clock AS MATERIALIZED (
    SELECT now, date_trunc('minute', now - interval '24 hours') + interval '1 minute' AS whole FROM (SELECT market_now() AS now) AS m
  )
  SELECT
    (SELECT json_agg(happening) FROM (
      SELECT seq, event.type, at, data ->> 'amount' AS amount, data ->> 'fee' AS fee,
        coalesce(listings.name, data ->> 'name') AS name, listings.creator_name AS creator
      FROM clock, LATERAL (
        ${newest("purchase.completed")} UNION ALL ${newest("agent.registered")} UNION ALL (
          SELECT type, seq, at, subject, data FROM events
          WHERE type = 'listing.approved' AND at > clock.now - interval '24 hours'
            AND EXISTS (SELECT FROM listings WHERE listings.id = events.subject AND listings.status = 'approved')
          ORDER BY at DESC, seq DESC LIMIT $1::int)
      ) AS event LEFT JOIN listings ON event.type = 'listing.approved' AND listings.id = event.subject
      ORDER BY at DESC, seq DESC LIMIT $1::int
    ) AS happening) AS happenings,
    (SELECT count(DISTINCT coalesce(agent_id, account_id)) FROM api_keys, clock
      WHERE last_used_at > clock.now - interval '1 hour')::int AS "activeAgents",
    (SELECT json_build_object('trades', coalesce(sum(trades), 0)::text, 'revenue', coalesce(sum(revenue), 0)::text)
      FROM trade_minutes, clock WHERE minute >= clock.whole) AS whole,
    (SELECT json_build_object('trades', count(*)::text, 'revenue', coalesce(sum(purchases.amount), 0)::text)
      FROM clock, events JOIN purchases ON purchases.id = events.subject
      WHERE events.type = 'purchase.completed' AND events.at > clock.now - interval '24 hours' AND events.at < clock.whole
        AND purchases.status = 'completed') AS part`

interface HappeningRow {
  readonly seq: number
  readonly type: "purchase.completed" | "agent.registered" | "listing.approved"
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
  readonly happenings: ReadonlyArray<HappeningRow> | null
  readonly activeAgents: number
  readonly whole: Trades
  readonly part: Trades
}

const units = (text: string | null): Usdt => Result.getOrElse(Usdt.parse(text ?? "0"), () => Usdt.zero)

const happeningsOf = (row: HappeningRow): ReadonlyArray<Happening> => {
  const common = { key: eventId(BigInt(row.seq)), at: time(row.at), name: row.name ?? "", creator: row.creator ?? "" }
  switch (row.type) {
    case "purchase.completed": {
      const price = units(row.amount)
      return [
        { ...common, type: "purchase", amount: price },
        { ...common, type: "earning", amount: Usdt.of(price - units(row.fee)) }
      ]
    }
    case "agent.registered":
      return [{ ...common, type: "registration", name: "", amount: Usdt.zero }]
    case "listing.approved":
      return [{ ...common, type: "listing", amount: Usdt.zero }]
  }
}

export const PostgresActivityStore: { readonly layer: Layer.Layer<ActivityStore, never, Database> } = {
  layer: Layer.effect(
    ActivityStore,
    Effect.map(Database, ({ read }) => ({
      recent: Effect.fnUntraced(function* (limit) {
        const [row] = yield* read<FeedRow>(recent, [limit])
        if (row === undefined) return yield* Effect.die("the feed gave no row")
        return {
          happenings: (row.happenings ?? []).flatMap(happeningsOf).slice(0, limit),
          activeAgents: row.activeAgents,
          trades: Number(amount(row.whole.trades) + amount(row.part.trades)),
          revenue: Usdt.of(amount(row.whole.revenue) + amount(row.part.revenue))
        }
      })
    }))
  )
}
