/** Inserts purchases in bulk, with every row that the market would have written for each. */
import type { Client } from "pg"
import type { Sizes } from "./data.ts"
import { viralListings } from "./data.ts"

/** Skips the numbers of existing purchases. The rounds do not overlap with measured purchases. */
const sales = ({ buyers, listings, sellers }: Sizes): string => `
  CREATE TEMP TABLE sale ON COMMIT DROP AS
  SELECT
    'pur_' || lpad(k::text, 9, '0') || substr(md5(k::text), 1, 16) AS id, buyer.id AS buyer, listing.creator_id AS seller,
    listing.id AS item, listing.name, listing.slug, listing.description, listing.category, listing.creator_name AS creator,
    listing.price AS amount, listing.price / 20 AS fee,
    regexp_replace(upper(substr(md5('license' || k), 1, 25)), '(.{5})(?=.)', '\\1-', 'g') AS license,
    market_now() - ((k * 7919 % $3)::float8 / $3) * $4::interval AS at
  FROM generate_series($1::bigint, $2::bigint - 1) k
    JOIN bench.accounts buyer ON buyer.n = ${sellers} + k % ${buyers}
    JOIN bench.listings wanted ON wanted.n =
      ${viralListings} + ((k % ${buyers}) * 31 + (${Math.floor((listings - viralListings) / 2)} + k / ${buyers}) * 17)
        % ${listings - viralListings}
    JOIN listings listing ON listing.id = wanted.id`

const writes: ReadonlyArray<string> = [
  `INSERT INTO purchases (id, buyer_id, seller_id, agent_id, item_id, item_kind, item_name, item_slug, item_description,
      item_category, item_creator, amount, fee, status, license_key, license_type, purchased_at)
    SELECT id, buyer, seller, NULL, item, 'listing', name, slug, description, category, creator, amount, fee,
    'completed', license, 'perpetual', at FROM sale ORDER BY at`,
  `INSERT INTO entitlements (buyer_id, item_id, purchase_id, state) SELECT buyer, item, id, 'owned' FROM sale`,
  `INSERT INTO ledger_lines (type, debit, debit_account, credit, credit_account, amount, reference, at)
    SELECT line.type, 'wallet', line.debit, line.credit, line.account, line.amount, sale.id, at FROM sale, LATERAL (VALUES
      ('purchase', buyer, 'wallet', seller, amount), ('sale_fee', seller, 'platform', NULL, fee)
    ) line (type, debit, credit, account, amount) ORDER BY at, line.type`,
  `INSERT INTO events (type, at, subject, accounts, data)
    SELECT 'purchase.completed', at, id, ARRAY[buyer, seller], json_build_object('purchaseId', id, 'listingId', item,
      'buyerId', buyer, 'sellerId', seller, 'amount', trim_scale(amount / 1e6)::text, 'fee', trim_scale(fee / 1e6)::text,
      'currency', 'USDT', 'name', name, 'licenseKey', license) FROM sale ORDER BY at`,
  `INSERT INTO trade_minutes AS t (minute, shard, trades, revenue)
    SELECT date_trunc('minute', at), 0, count(*), sum(amount) FROM sale GROUP BY 1
    ON CONFLICT (minute, shard) DO UPDATE SET trades = t.trades + EXCLUDED.trades, revenue = t.revenue + EXCLUDED.revenue`,
  `UPDATE item_stats SET sales = sales + sold FROM (SELECT item, count(*) AS sold FROM sale GROUP BY item) s WHERE item_id = item`,
  `UPDATE wallets SET available = available - spent, total_spent = total_spent + spent
    FROM (SELECT buyer, sum(amount) AS spent FROM sale GROUP BY buyer) s WHERE account_id = buyer`,
  `UPDATE wallets SET available = available + earned, total_earned = total_earned + earned
    FROM (SELECT seller, sum(amount - fee) AS earned FROM sale GROUP BY seller) s WHERE account_id = seller`
]

/** As the job does every minute. */
export const makePartitions = (client: Client): Promise<unknown> =>
  client.query(
    "SELECT make_numbered_partitions(parent) FROM (SELECT DISTINCT parent FROM numbered_partitions) AS numbered"
  )

/** Adds the purchases `from` to `to` with two postings each, spread over the days before now. */
export const fillLedger = async (
  client: Client,
  sizes: Sizes,
  from: number,
  to: number,
  days: number
): Promise<void> => {
  const step = 100_000
  await client.query("SET synchronous_commit = off")
  for (let first = from; first < to; first += step) {
    await makePartitions(client)
    await client.query("BEGIN")
    await client.query(sales(sizes), [first, Math.min(to, first + step), to, `${days} days`])
    for (const statement of writes) await client.query(statement)
    await client.query("COMMIT")
  }
}

/** Gives every account a policy with limits in every window that are never reached. */
export const limitEverybody = (client: Client): Promise<unknown> =>
  client.query(
    `INSERT INTO policies (subject_id, policy, window_days) SELECT id, jsonb_build_object('autoApprove', true, 'autoApproveThreshold', null,
      'perTransactionLimit', '1000000000000', 'dailyLimit', '1000000000000000', 'weeklyLimit', '1000000000000000',
      'monthlyLimit', '1000000000000000', 'allowedCategories', null, 'blockedSellers', null), 30 FROM accounts
    ON CONFLICT (subject_id) DO NOTHING`
  )
