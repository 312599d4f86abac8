/** Fills a migrated database in bulk with the rows that the market would have written. */
import { ApiKeyToken } from "@agent-marketplace/core/identity/ApiKeyToken"
import type { AccountId, ListingId, SoulId } from "@agent-marketplace/core/ids/Ids"
import type { Listing } from "@agent-marketplace/core/listings/Listing"
import { listingRendering } from "@agent-marketplace/core/listings/ListingFields"
import { ListingJson } from "@agent-marketplace/core/listings/ListingJson"
import { Usdt } from "@agent-marketplace/core/money/Usdt"
import { nameKeys } from "@agent-marketplace/core/names/Skeleton"
import type { Soul } from "@agent-marketplace/core/souls/Soul"
import { soulRendering } from "@agent-marketplace/core/souls/SoulFields"
import { SoulJson } from "@agent-marketplace/core/souls/SoulJson"
import { soulShelf } from "@agent-marketplace/postgres/catalogue/Catalogue"
import { SearchVector } from "@agent-marketplace/postgres/catalogue/SearchVector"
import { createHash } from "node:crypto"
import type { Client } from "pg"
import { accountId, keyId, listingId, phrase, prose, sellerOf, soulId, soulSlug, tokenOf, wordPair } from "./data.ts"
import type { Sizes } from "./data.ts"

type Row = Readonly<Record<string, unknown>>

/** The deposit of every buyer, large enough for all purchases. */
const funds = 10_000_000_000_000n

const batch = 2000

const insert = async (client: Client, table: string, rows: ReadonlyArray<Row>): Promise<void> => {
  const columns = Object.keys(rows[0] ?? {}).join(", ")
  const text = `INSERT INTO ${table} (${columns}) SELECT ${columns} FROM json_populate_recordset(null::${table}, $1)`
  await client.query(text, [JSON.stringify(rows)])
}

const insertAll = async (client: Client, tables: ReadonlyMap<string, ReadonlyArray<Row>>): Promise<void> => {
  for (const [table, rows] of tables) await insert(client, table, rows)
}

/** Drops the indexes of tables (except those of constraints), fills the tables, and creates the indexes again. This is several times faster. */
const withoutIndexes = async (
  client: Client,
  tables: ReadonlyArray<string>,
  fill: () => Promise<void>
): Promise<void> => {
  const { rows } = await client.query<{ name: string; definition: string }>(
    `SELECT indexrelid::regclass AS name, pg_get_indexdef(indexrelid) AS definition FROM pg_index
    WHERE indrelid = ANY($1::regclass[]) AND NOT EXISTS (SELECT FROM pg_constraint WHERE conindid = indexrelid)`,
    [tables]
  )
  for (const { name } of rows) await client.query(`DROP INDEX ${name}`)
  await fill()
  await client.query("SET maintenance_work_mem = '1GB'")
  for (const { definition } of rows) await client.query(definition)
}

/** Creates the rows 0 to `count` and inserts them in batches of some thousands. The next batch is created while the previous one is inserted. */
const insertMany = async (
  client: Client,
  count: number,
  tablesOf: (n: number) => Readonly<Record<string, Row>>
): Promise<void> => {
  let sent: Promise<unknown> = Promise.resolve()
  for (let from = 0; from < count; from += batch) {
    const rows = new Map<string, Array<Row>>()
    for (let n = from; n < Math.min(count, from + batch); n++) {
      for (const [table, row] of Object.entries(tablesOf(n))) {
        const sofar = rows.get(table)
        if (sofar === undefined) rows.set(table, [row])
        else sofar.push(row)
      }
    }
    await sent
    sent = insertAll(client, rows)
  }
  await sent
}

const names = (n: number): string => `${phrase(n, 2)} ${n}`

/** Enterprise accounts: their requests are counted, but never refused. */
const accountTables = (n: number, sizes: Sizes, now: number): Readonly<Record<string, Row>> => {
  const id = accountId(n)
  const token = tokenOf(n)
  const at = new Date(now)
  const deposited = n < sizes.sellers ? 0n : funds
  return {
    accounts: { id, name: names(n), email: null, seller: n < sizes.sellers, tier: "enterprise", created_at: at },
    api_keys: {
      id: keyId(n),
      family_id: keyId(n),
      account_id: id,
      agent_id: null,
      name: "First key",
      scope: "FULL",
      prefix: ApiKeyToken.prefixOf(token),
      hash: createHash("sha256").update(token).digest("hex"),
      status: "active",
      created_at: at
    },
    wallets: {
      account_id: id,
      available: String(deposited),
      locked: "0",
      total_deposits: String(deposited),
      total_withdrawals: "0",
      total_spent: "0",
      total_earned: "0"
    },
    ...(deposited === 0n ? {} : depositTables(n, id, at))
  }
}

const depositTables = (n: number, id: string, at: Date): Readonly<Record<string, Row>> => ({
  deposits: {
    network: "simulated",
    txid: createHash("sha256").update(`deposit ${n}`).digest("hex"),
    log_index: 0,
    account_id: id,
    address: `T${createHash("sha256").update(id).digest("hex").slice(0, 33)}`,
    amount: String(funds),
    block: 1,
    at
  },
  // The table generates `seq`.
  ledger_lines: {
    type: "deposit",
    debit: "chain",
    debit_account: null,
    credit: "wallet",
    credit_account: id,
    amount: String(funds),
    reference: `simulated:${n}`,
    at
  }
})

const soulOf = (n: number, sizes: Sizes, now: number): Soul => {
  const seller = n % sizes.sellers
  const at = now - n * 1000
  const name = names(n)
  const description = prose(n, 12)
  return {
    id: soulId(n) as SoulId,
    slug: soulSlug(n),
    name,
    description,
    price: Usdt.of(BigInt((n % 20) * 500_000)),
    category: ["personas", "soul-developer", "soul-writer", "knowledge", "workflows"][n % 5] ?? "personas",
    tags: phrase(n + 1, 3).split(" "),
    authorId: accountId(seller) as AccountId,
    author: names(seller),
    content: `---\nname: ${name}\n---\n# SOUL\n\n## Identity\n\n${prose(n + 2, 500)}\n`,
    version: 1,
    visibility: "public",
    deleted: false,
    withheld: false,
    creatorVerified: false,
    releaseVersion: null,
    trust: null,
    quarantined: false,
    quarantine: null,
    thumbnailUrl: null,
    suspension: null,
    reasonCode: null,
    decidedAt: null,
    publishedAt: at,
    downloads: 0,
    createdAt: at,
    updatedAt: at
  }
}

/** With the current version of the rendering, so that no server renders the rows again while it is measured. */
const renderedAs = ({ createdAt, name, slug }: Soul | Listing, rendering: number): Row => ({
  name_keys: nameKeys(name, slug).keys,
  named_at: new Date(createdAt),
  rendering
})

const soulTables = (soul: Soul): Readonly<Record<string, Row>> => ({
  slugs: { kind: "soul", slug: soul.slug },
  item_stats: { item_id: soul.id, shelf: soulShelf(soul.category), listed_at: new Date(soul.createdAt) },
  soul_facets: {
    item_id: soul.id,
    creator_id: soul.authorId,
    approved: true,
    category: soul.category,
    price: String(soul.price),
    featured: false,
    pricing_model: soul.price === 0n ? "free" : "one_time",
    state: soul.visibility,
    tags: soul.tags,
    created_at: new Date(soul.createdAt),
    words: SearchVector.of({ ...soul, creatorName: soul.author }, true)
  },
  souls: {
    id: soul.id,
    slug: soul.slug,
    name: soul.name,
    description: soul.description,
    price: String(soul.price),
    category: soul.category,
    tags: soul.tags,
    author_id: soul.authorId,
    author: soul.author,
    version: soul.version,
    visibility: soul.visibility,
    deleted: soul.deleted,
    created_at: new Date(soul.createdAt),
    updated_at: new Date(soul.updatedAt),
    item_head: SoulJson.itemHead(soul),
    detail_head: SoulJson.detailHead(soul),
    skill_head: SoulJson.skillHead(soul),
    ...renderedAs(soul, soulRendering),
    published_at: new Date(soul.createdAt)
  },
  // Released, so that no server adopts, signs and scans the texts while it is measured.
  soul_versions: {
    soul_id: soul.id,
    version: 1,
    content: soul.content,
    created_at: new Date(soul.createdAt),
    released: true
  }
})

const listingOf = (n: number, sizes: Sizes, now: number): Listing => {
  const seller = sellerOf(n, sizes)
  const at = now - n * 1000
  const name = `${wordPair(n)} ${n}`
  return {
    id: listingId(n) as ListingId,
    slug: name.replaceAll(" ", "-"),
    name,
    description: prose(n, 18),
    shortDesc: null,
    longDescription: prose(n + 1, 80),
    price: Usdt.of(BigInt(2 + (n % 40)) * 1_000_000n),
    currency: "USD",
    category: ["productivity", "automation", "creative", "data", "development"][n % 5] ?? "data",
    tags: phrase(n + 1, 3).split(" "),
    installUrl: `https://example.com/${n}`,
    documentationUrl: null,
    thumbnailUrl: null,
    screenshots: [],
    videoUrl: null,
    pricingModel: "one_time",
    maxActivations: null,
    status: "approved",
    rejectionReason: null,
    reasonCode: null,
    decidedAt: null,
    featured: false,
    withheld: false,
    creatorVerified: false,
    releaseVersion: null,
    trust: null,
    quarantined: false,
    quarantine: null,
    pendingChanges: null,
    changedSinceReview: false,
    waitingSince: null,
    creatorId: accountId(seller) as AccountId,
    creatorName: names(seller),
    createdAt: at,
    updatedAt: at
  }
}

const listingTables = (listing: Listing): Readonly<Record<string, Row>> => {
  const shared = {
    creator_id: listing.creatorId,
    category: listing.category,
    price: String(listing.price),
    featured: listing.featured,
    tags: listing.tags,
    created_at: new Date(listing.createdAt)
  }
  return {
    slugs: { kind: "listing", slug: listing.slug },
    item_stats: { item_id: listing.id, shelf: listing.category, listed_at: new Date(listing.createdAt) },
    listings: {
      ...shared,
      id: listing.id,
      slug: listing.slug,
      name: listing.name,
      description: listing.description,
      short_desc: listing.shortDesc,
      long_description: listing.longDescription,
      currency: listing.currency,
      install_url: listing.installUrl,
      screenshots: listing.screenshots,
      pricing_model: listing.pricingModel,
      status: listing.status,
      creator_name: listing.creatorName,
      updated_at: new Date(listing.updatedAt),
      listing_head: ListingJson.listingHead(listing),
      skill_head: ListingJson.skillHead(listing),
      skill_detail_head: ListingJson.skillDetailHead(listing),
      ...renderedAs(listing, listingRendering)
    },
    listing_facets: {
      ...shared,
      currency: listing.currency,
      item_id: listing.id,
      approved: true,
      pricing_model: listing.pricingModel,
      state: listing.status,
      words: SearchVector.of(listing, true)
    }
  }
}

/** The order of numbers, for statements that make purchases in bulk. */
const remember = (client: Client) =>
  client.query(`
    CREATE SCHEMA bench;
    CREATE TABLE bench.accounts AS SELECT row_number() OVER (ORDER BY id) - 1 AS n, id FROM accounts;
    CREATE TABLE bench.listings AS SELECT row_number() OVER (ORDER BY id) - 1 AS n, id FROM listings;
    CREATE UNIQUE INDEX ON bench.accounts (n);
    CREATE UNIQUE INDEX ON bench.listings (n)`)

/** Accounts with keys and funds, souls and listings. `now` is the market's time in milliseconds. */
export const fillCatalogue = async (client: Client, sizes: Sizes, now: number): Promise<void> => {
  await client.query("SET synchronous_commit = off")
  await insertMany(client, sizes.sellers + sizes.buyers, (n) => accountTables(n, sizes, now - 3_600_000))
  await insertMany(client, sizes.souls, (n) => soulTables(soulOf(n, sizes, now)))
  await withoutIndexes(client, ["listings", "listing_facets", "item_stats"], () =>
    insertMany(client, sizes.listings, (n) => listingTables(listingOf(n, sizes, now)))
  )
  await remember(client)
}
