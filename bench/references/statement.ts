/**
 * The rows that the market writes for a purchase as one statement for pgbench: the maximum rate of PostgreSQL with one transaction for each purchase. It leaves out
 * the sums of each minute: with one transaction for each purchase, all would wait for the same few rows.
 */
import { viralListings } from "../data.ts"
import type { Sizes } from "../data.ts"

export const pgbenchScript = ({ buyers, listings, sellers }: Sizes): string => `
\\set buyer random(${sellers}, ${sellers + buyers - 1})
\\set listing random(${viralListings}, ${listings - 1})
WITH item AS (
  SELECT l.*, price / 20 AS fee, b.id AS buyer, 'pur_' || gen_random_uuid() AS purchase, gen_random_uuid()::text AS license
  FROM bench.accounts b, bench.listings n JOIN listings l USING (id)
  WHERE b.n = :buyer AND n.n = :listing AND status = 'approved'
), debit AS (
  UPDATE reference.wallets SET available = available - price, total_spent = total_spent + price
  FROM item WHERE account_id = buyer
), credit AS (
  INSERT INTO reference.wallet_credits (account_id, available, locked, total_deposits, total_withdrawals, total_spent, total_earned, debt)
  SELECT creator_id, 0, price - fee, 0, 0, 0, price - fee, 0 FROM item
), escrow AS (
  INSERT INTO reference.escrow (account_id, reference, amount, released_at) SELECT creator_id, purchase, price - fee, now() + interval '1 day' FROM item
), entitlement AS (
  INSERT INTO reference.entitlements (buyer_id, item_id, purchase_id, state) SELECT buyer, id, purchase, 'owned' FROM item ON CONFLICT DO NOTHING
), stats AS (
  UPDATE reference.item_stats SET sales = sales + 1, popularity = popularity_of(sales + 1, aged_buyers, downloads) FROM item WHERE item_id = id
), lines AS (
  INSERT INTO reference.ledger_lines (type, debit, debit_account, credit, credit_account, amount, reference, at)
  SELECT 'purchase', 'wallet', buyer, 'wallet', creator_id, price, purchase, now() FROM item
  UNION ALL SELECT 'sale_fee', 'wallet', creator_id, 'platform', NULL, fee, purchase, now() FROM item
), event AS (
  INSERT INTO reference.events (type, at, subject, accounts, data)
  SELECT 'purchase.completed', now(), purchase, ARRAY[buyer, creator_id], json_build_object('purchaseId', purchase,
    'listingId', id, 'buyerId', buyer, 'amount', price::text, 'currency', 'USDT', 'licenseKey', license) FROM item
)
INSERT INTO reference.purchases (id, buyer_id, seller_id, item_id, item_kind, item_name, item_slug, item_description,
  item_category, item_creator, amount, fee, status, license_key, license_type, purchased_at)
SELECT purchase, buyer, creator_id, id, 'listing', name, slug, description, category, creator_name, price, fee, 'completed', license,
  'perpetual', now() FROM item;
`
