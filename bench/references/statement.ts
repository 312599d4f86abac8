/** The writes of a purchase as one statement for pgbench: the maximum rate of PostgreSQL with one transaction for each purchase. */
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
  UPDATE reference.wallets SET available = available + price - fee, total_earned = total_earned + price - fee
  FROM item WHERE account_id = creator_id
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
