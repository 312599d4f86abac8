/** A purchase in the usual way: one transaction with seven statements, on copies of the market's tables. */
import { randomBytes } from "node:crypto"
import type { Pool, PoolClient } from "pg"

/** Creates the tables and rows of the references from those of the market. */
export const referenceTables: ReadonlyArray<string> = [
  "CREATE SCHEMA reference",
  ...["wallets", "wallet_credits", "escrow", "entitlements", "item_stats", "purchases", "ledger_lines", "events"].map(
    (table) => `CREATE TABLE reference.${table} (LIKE public.${table} INCLUDING ALL)`
  ),
  "INSERT INTO reference.wallets SELECT * FROM public.wallets",
  "INSERT INTO reference.item_stats (item_id, shelf, listed_at) SELECT item_id, shelf, listed_at FROM public.item_stats",
  "INSERT INTO reference.wallets (account_id) VALUES ('platform')",
  `CREATE TABLE reference.listing_words AS SELECT id AS listing_id,
    to_tsvector('simple', concat_ws(' ', name, array_to_string(tags, ' '), creator_name, description)) AS words FROM listings`,
  "ALTER TABLE reference.listing_words ADD PRIMARY KEY (listing_id)",
  "CREATE INDEX ON reference.listing_words USING gin (words)"
]

interface ItemRow {
  readonly id: string
  readonly name: string
  readonly slug: string
  readonly description: string
  readonly category: string
  readonly creator_id: string
  readonly creator_name: string
  readonly price: string
}

const license = (): string => (randomBytes(13).toString("hex").toUpperCase().slice(1).match(/.{5}/g) ?? []).join("-")

const transaction = async <A>(pool: Pool, run: (client: PoolClient) => Promise<A>): Promise<A> => {
  const client = await pool.connect()
  try {
    await client.query("BEGIN")
    const result = await run(client)
    await client.query("COMMIT")
    return result
  } catch (error) {
    await client.query("ROLLBACK")
    throw error
  } finally {
    client.release()
  }
}

/** @param withFee also credits the platform's balance, which is stored in one row. */
export const buy = (pool: Pool, buyer: string, itemId: string, withFee: boolean): Promise<unknown> =>
  transaction(pool, async (client) => {
    const items = await client.query<ItemRow>({
      name: "item",
      text: `SELECT id, name, slug, description, category, creator_id, creator_name, price FROM listings
        WHERE id = $1 AND status = 'approved'`,
      values: [itemId]
    })
    const item = items.rows[0]
    if (item === undefined) return undefined
    const wallets = await client.query<{ available: string }>({
      name: "wallet",
      text: "SELECT available FROM reference.wallets WHERE account_id = $1 FOR UPDATE",
      values: [buyer]
    })
    const price = BigInt(item.price)
    const fee = price / 20n
    if (BigInt(wallets.rows[0]?.available ?? 0) < price) throw new Error("Insufficient balance")
    await client.query({
      name: "debit",
      text: "UPDATE reference.wallets SET available = available - $2, total_spent = total_spent + $2 WHERE account_id = $1",
      values: [buyer, price]
    })
    await client.query({
      name: "credit",
      text: "UPDATE reference.wallets SET available = available + $2, total_earned = total_earned + $2 WHERE account_id = $1",
      values: [item.creator_id, price - fee]
    })
    const id = `pur_${randomBytes(13).toString("hex")}`
    const licenseKey = license()
    await client.query({
      name: "purchase",
      text: insertPurchase,
      values: purchaseValues(id, buyer, item, fee, licenseKey)
    })
    await client.query({ name: "lines", text: insertLines, values: [buyer, item.creator_id, price, fee, id] })
    await client.query({ name: "event", text: insertEvent, values: eventValues(id, buyer, item, licenseKey) })
    if (withFee) {
      await client.query({
        name: "fee",
        text: "UPDATE reference.wallets SET available = available + $1 WHERE account_id = 'platform'",
        values: [fee]
      })
    }
    return { success: true, data: { purchaseId: id, skillId: item.id, licenseKey, status: "completed" } }
  })

const insertPurchase = `INSERT INTO reference.purchases (id, buyer_id, seller_id, item_id, item_kind, item_name, item_slug,
    item_description, item_category, item_creator, amount, fee, status, license_key, license_type, purchased_at)
  VALUES ($1, $2, $3, $4, 'listing', $5, $6, $7, $8, $9, $10, $11, 'completed', $12, 'perpetual', now())`

const purchaseValues = (id: string, buyer: string, item: ItemRow, fee: bigint, licenseKey: string) => [
  id,
  buyer,
  item.creator_id,
  item.id,
  item.name,
  item.slug,
  item.description,
  item.category,
  item.creator_name,
  item.price,
  fee,
  licenseKey
]

const insertLines = `INSERT INTO reference.ledger_lines (type, debit, debit_account, credit, credit_account, amount, reference, at)
  VALUES ('purchase', 'wallet', $1, 'wallet', $2, $3, $5, now()), ('sale_fee', 'wallet', $2, 'platform', NULL, $4, $5, now())`

const insertEvent = `INSERT INTO reference.events (type, at, subject, accounts, data)
  VALUES ('purchase.completed', now(), $1, $2, $3)`

const eventValues = (id: string, buyer: string, item: ItemRow, licenseKey: string) => [
  id,
  [buyer, item.creator_id],
  { purchaseId: id, listingId: item.id, buyerId: buyer, amount: item.price, currency: "USDT", licenseKey }
]
