/** Reads in the usual way: rows are converted to objects and objects to JSON. Totals come from counts in the tables. */
import type { Pool } from "pg"

const money = (units: string): string => (Number(units) / 1e6).toFixed(2)

interface SoulRow {
  readonly id: string
  readonly slug: string
  readonly name: string
  readonly description: string
  readonly price: string
  readonly category: string
  readonly tags: ReadonlyArray<string>
  readonly author: string
  readonly downloads: number
  readonly created_at: Date
  readonly updated_at: Date
}

const soulColumns =
  "s.id, s.slug, s.name, s.description, s.price, s.category, s.tags, s.author, i.downloads, s.created_at, s.updated_at"

const soulJson = ({ created_at, updated_at, ...row }: SoulRow) => ({
  ...row,
  price: money(row.price),
  createdAt: created_at.toISOString(),
  updatedAt: updated_at.toISOString()
})

export const soul = async (pool: Pool, slug: string): Promise<unknown> => {
  const { rows } = await pool.query<SoulRow & { content: string }>({
    name: "soul",
    text: `SELECT ${soulColumns}, v.content FROM souls s JOIN item_stats i ON i.item_id = s.id
      JOIN soul_versions v ON v.soul_id = s.id AND v.version = s.version
      WHERE s.slug = $1 AND s.visibility = 'public' AND NOT s.deleted`,
    values: [slug]
  })
  return rows[0] === undefined ? undefined : { soul: soulJson(rows[0]) }
}

export const listSouls = async (pool: Pool, limit: number): Promise<unknown> => {
  const [souls, total] = await Promise.all([
    pool.query<SoulRow>({
      name: "souls",
      text: `SELECT ${soulColumns} FROM souls s JOIN item_stats i ON i.item_id = s.id
        WHERE s.visibility = 'public' AND NOT s.deleted ORDER BY s.created_at DESC, s.id DESC LIMIT $1`,
      values: [limit]
    }),
    pool.query<{ items: number }>({
      name: "souls total",
      text: "SELECT items::int FROM catalogue_counts WHERE kind = 'soul' AND category = ''"
    })
  ])
  const count = total.rows[0]?.items ?? 0
  return { souls: souls.rows.map(soulJson), pagination: { total: count, limit, offset: 0, hasMore: count > limit } }
}

interface ListingRow {
  readonly id: string
  readonly slug: string
  readonly name: string
  readonly description: string
  readonly short_desc: string | null
  readonly price: string
  readonly currency: string
  readonly category: string
  readonly tags: ReadonlyArray<string>
  readonly thumbnail_url: string | null
  readonly pricing_model: string
  readonly status: string
  readonly creator_id: string
  readonly creator_name: string
  readonly sales: number
  readonly rating: number
  readonly reviews: number
  readonly created_at: Date
}

export const skill = async (pool: Pool, id: string): Promise<unknown> => {
  const { rows } = await pool.query<ListingRow>({
    name: "skill",
    text: `SELECT l.id, l.slug, l.name, l.description, l.short_desc, l.price, l.currency, l.category, l.tags, l.thumbnail_url,
      l.pricing_model, l.status, l.creator_id, l.creator_name, i.sales, i.rating, i.reviews, l.created_at
      FROM listings l JOIN item_stats i ON i.item_id = l.id WHERE l.id = $1 AND l.status = 'approved'`,
    values: [id]
  })
  const row = rows[0]
  if (row === undefined) return undefined
  return {
    success: true,
    data: {
      id: row.id,
      slug: row.slug,
      title: row.name,
      shortDesc: row.short_desc ?? row.description.slice(0, 280),
      price: money(row.price),
      currency: row.currency,
      category: row.category,
      thumbnailUrl: row.thumbnail_url,
      description: row.description,
      tags: row.tags,
      pricingModel: row.pricing_model,
      creator: { id: row.creator_id, name: row.creator_name },
      status: row.status,
      createdAt: row.created_at.toISOString(),
      rating: row.rating,
      stats: { sales: row.sales, rating: row.rating, reviews: row.reviews }
    }
  }
}

/** PostgreSQL's own full-text search: every match is counted and ranked. */
export const searchListings = async (pool: Pool, search: string): Promise<unknown> => {
  const query = search
    .split(" ")
    .map((word) => `${word}:*`)
    .join(" & ")
  const { rows } = await pool.query<ListingRow & { total: string }>({
    name: "search",
    text: `SELECT l.id, l.name, l.description, l.price, l.currency, l.category, l.creator_id, l.creator_name,
        i.sales, i.rating, i.reviews, found.total
      FROM (
        SELECT listing_id, ts_rank(words, query) AS rank, count(*) OVER () AS total
        FROM reference.listing_words, to_tsquery('simple', $1) query WHERE words @@ query ORDER BY rank DESC LIMIT 20
      ) found JOIN listings l ON l.id = found.listing_id JOIN item_stats i ON i.item_id = l.id ORDER BY found.rank DESC`,
    values: [query]
  })
  const total = Number(rows[0]?.total ?? 0)
  return {
    listings: rows.map((row) => ({
      id: row.id,
      name: row.name,
      description: row.description,
      price: Number(row.price) / 1e6,
      currency: row.currency,
      category: row.category,
      creator: { id: row.creator_id, name: row.creator_name },
      stats: { sales: row.sales, rating: row.rating, reviews: row.reviews }
    })),
    pagination: { page: 1, limit: 20, total, pages: Math.ceil(total / 20) }
  }
}

interface EventRow {
  readonly seq: string
  readonly type: string
  readonly at: Date
  readonly data: Readonly<Record<string, string>>
}

const activity = ({ at, data, seq, type }: EventRow) => {
  const timestamp = at.toISOString()
  if (type === "agent.registered")
    return { id: `reg-${seq}`, type: "registration", message: "Agent registered", timestamp }
  if (type === "listing.approved") {
    return { id: `listing-${seq}`, type: "listing", message: `${data["creator"]} listed ${data["name"]}`, timestamp }
  }
  return {
    id: `purchase-${seq}`,
    type: "purchase",
    message: `traded ${data["name"]}`,
    timestamp,
    amount: data["amount"]
  }
}

/** Queries the database for each request, using indexes only. */
export const feed = async (pool: Pool): Promise<unknown> => {
  const [happenings, trades, agents] = await Promise.all([
    pool.query<EventRow>({
      name: "happenings",
      text: `SELECT e.seq, e.type, e.at, e.data FROM unnest('{purchase.completed,agent.registered,listing.approved}'::text[]) t,
        LATERAL (SELECT * FROM events WHERE type = t AND at > now() - interval '1 day' AND
          type IN ('purchase.completed', 'agent.registered', 'listing.approved') ORDER BY at DESC, seq DESC LIMIT 10) e
        ORDER BY e.at DESC LIMIT 10`
    }),
    pool.query<{ trades: string; revenue: string }>({
      name: "trades",
      text: `SELECT coalesce(sum(trades), 0) AS trades, coalesce(sum(revenue), 0) AS revenue FROM trade_minutes
        WHERE minute > now() - interval '1 day'`
    }),
    pool.query<{ agents: string }>({
      name: "agents",
      text: "SELECT count(DISTINCT account_id) AS agents FROM api_keys WHERE last_used_at > now() - interval '1 hour'"
    })
  ])
  return {
    activities: happenings.rows.map(activity),
    stats: {
      activeAgents: Number(agents.rows[0]?.agents ?? 0),
      tradesLast24h: Number(trades.rows[0]?.trades ?? 0),
      revenueLast24h: money(trades.rows[0]?.revenue ?? "0")
    }
  }
}
