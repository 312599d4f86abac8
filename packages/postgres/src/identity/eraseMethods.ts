import type { Timestamp } from "@agent-marketplace/core/clock/Timestamp"
import { AccountFrozen } from "@agent-marketplace/core/errors/MarketError"
import {
  erased,
  erasedAgentName,
  erasedKeyName,
  erasedName,
  obstacleToErasure
} from "@agent-marketplace/core/identity/Erasure"
import type { IdentityStore } from "@agent-marketplace/core/identity/IdentityStore"
import type { AccountId, KeyId } from "@agent-marketplace/core/ids/Ids"
import { Effect } from "effect"
import { advisoryLocks } from "../AdvisoryLocks.ts"
import type { Row } from "../Columns.ts"
import type { Database } from "../Database.ts"
import { listingColumns, listingOf } from "../listings/ListingRow.ts"
import { updateListings } from "../listings/writeListings.ts"
import type { Amount } from "../Row.ts"
import { amount, date } from "../Row.ts"
import { soulOf, soulsById } from "../souls/SoulRow.ts"
import { updateSouls } from "../souls/writeSouls.ts"
import { stillActive } from "./callingKey.ts"
import type { IdentityChanges, Say } from "./IdentityChanges.ts"
import type { AccountRow } from "./IdentityRow.ts"
import { accountOf, readAccount } from "./IdentityRow.ts"

const lockAccount = `
  SELECT ${readAccount}, erased_at IS NOT NULL AS erased FROM accounts WHERE id = $1::text FOR NO KEY UPDATE`

/** No event with the name is fanned out meanwhile. */
const stopFanOut = `SELECT pg_advisory_xact_lock(${advisoryLocks.eventFanOut})`

/** Waits for every settlement in progress; later ones wait for this transaction. */
const stopSettlements = `SELECT pg_advisory_xact_lock(${advisoryLocks.settlements})`

const openMoney = `
  SELECT
    (wallets.available + coalesce(credit.available, 0))::text AS available,
    (wallets.locked + coalesce(credit.locked, 0))::text AS locked,
    (wallets.debt + coalesce(credit.debt, 0))::text AS debt,
    (SELECT count(*)::int FROM withdrawals
      WHERE account_id = $1::text AND state NOT IN ('completed', 'failed', 'cancelled')) AS withdrawals,
    (SELECT count(*)::int FROM escrow WHERE account_id = $1::text) AS escrowed,
    (SELECT count(*)::int FROM pending_deposits WHERE account_id = $1::text) AS pending
  FROM wallets LEFT JOIN (
    SELECT sum(available)::bigint AS available, sum(locked)::bigint AS locked, sum(debt)::bigint AS debt
    FROM wallet_credits WHERE account_id = $1::text
  ) AS credit ON true
  WHERE wallets.account_id = $1::text`

interface OpenMoneyRow {
  readonly available: Amount
  readonly locked: Amount
  readonly debt: Amount
  readonly withdrawals: number
  readonly escrowed: number
  readonly pending: number
}

const someSouls = `
  SELECT id FROM souls WHERE author_id = $1::text AND id > $2::text ORDER BY id LIMIT 50 FOR NO KEY UPDATE`

const someListings = `
  SELECT ${listingColumns} FROM listings
  WHERE creator_id = $1::text AND id > $2::text ORDER BY id LIMIT 50 FOR NO KEY UPDATE`

/** A string field of stored JSON text, whatever its value: a name may have been changed since. */
const stringField = (name: string): string => `"${name}":"(?:[^"\\\\]|\\\\.)*"`

const withField = (column: string, name: string, value: string): string =>
  `regexp_replace(${column}, '${stringField(name)}', '"${name}":${value}', 'g')`

const withErasedName = (column: string, name: string): string => withField(column, name, `"${erasedName}"`)

const ofAccount = `(SELECT id FROM souls WHERE author_id = $1::text UNION ALL SELECT id FROM listings WHERE creator_id = $1::text)`

/**
 * Where stored texts contain the name. Deliveries have no index by item, which every delivery would have to update; they are kept for a
 * limited time and are read whole, before the settlements wait.
 */
export const forgetInTexts = [
  `UPDATE item_reviews SET author = '${erasedName}' WHERE author_id = $1::text`,
  `UPDATE events SET data = ${withErasedName(withErasedName("data::text", "author"), "creator")}::json
    WHERE type = ANY('{soul.created,soul.updated,soul.downloaded,listing.approved,listing.rejected,listing.suspended}')
      AND subject IN ${ofAccount}`,
  `UPDATE webhook_deliveries SET payload = ${withErasedName("payload", "author")}
    WHERE event = ANY('{soul.created,soul.updated,soul.downloaded}')
      AND substring(payload FROM '"soulId":"([^"]+)"') IN ${ofAccount}`
]

/** Events that name the account's agents and keys. They have no index by subject, and are found before the settlements wait. */
const forgetNames = [
  `UPDATE events SET data = ${withField(withField("data::text", "name", `"${erasedAgentName}"`), "reason", "null")}::json
    WHERE type = 'agent.frozen' AND subject IN (SELECT id FROM agents WHERE owner_id = $1::text)`,
  `UPDATE events SET data = ${withField("data::text", "name", `"${erasedKeyName}"`)}::json
    WHERE type = 'key.rotation_due' AND subject IN (SELECT id FROM api_keys WHERE account_id = $1::text)`
]

/** Its webhooks with their deliveries. Once all deliveries are locked, nothing is added to them. */
const endWebhooks = [
  `WITH locked AS (
    SELECT delivery.id FROM webhook_deliveries AS delivery JOIN webhooks ON webhooks.id = webhook_id
    WHERE account_id = $1::text ORDER BY delivery.id FOR UPDATE OF delivery
  )
  DELETE FROM webhook_attempts USING locked WHERE delivery_id = locked.id`,
  `DELETE FROM webhook_queue USING webhooks WHERE webhooks.id = webhook_id AND account_id = $1::text`,
  `DELETE FROM webhook_deliveries USING webhooks WHERE webhooks.id = webhook_id AND account_id = $1::text`,
  `DELETE FROM webhooks WHERE account_id = $1::text`
]

/** While the settlements wait: what they write too. */
const forgetInMoney = [
  `UPDATE approvals SET item_creator = '${erasedName}' FROM purchases
    WHERE purchases.seller_id = $1::text AND approvals.account_id = purchases.buyer_id AND approvals.purchase_id = purchases.id`,
  `UPDATE purchases SET item_creator = '${erasedName}' WHERE seller_id = $1::text AND item_creator <> '${erasedName}'`,
  `UPDATE subscriptions SET item_creator = '${erasedName}' WHERE seller_id = $1::text AND item_creator <> '${erasedName}'`,
  `UPDATE purchases SET tracking_id = NULL WHERE buyer_id = $1::text AND tracking_id IS NOT NULL`,
  `DELETE FROM withdrawal_addresses WHERE account_id = $1::text`,
  `DELETE FROM withdrawal_policies WHERE account_id = $1::text`,
  `DELETE FROM idempotent_results WHERE account_id = $1::text`,
  `UPDATE idempotent_results SET result = ${withErasedName("result", "creator")}
    WHERE substring(result FROM '"item":\\{"id":"([^"]+)"') IN ${ofAccount}`
]

/** Before their keys, as everywhere. */
const lockAgents = `SELECT id FROM agents WHERE owner_id = $1::text ORDER BY id FOR NO KEY UPDATE`

/** Keys of a host's sessions get another hash, so that the host's user gets a new account on the next visit. */
const endKeys = [
  `UPDATE agents SET name = '${erasedAgentName}', frozen_reason = NULL,
    retired_at = coalesce(retired_at, $2::timestamptz), claim_code_hash = NULL
  WHERE owner_id = $1::text`,
  `WITH locked AS MATERIALIZED (
    SELECT id FROM api_keys WHERE account_id = $1::text ORDER BY id FOR NO KEY UPDATE
  )
  UPDATE api_keys SET status = 'deactivated', name = '${erasedKeyName}',
    hash = CASE WHEN hash LIKE 'host:%' THEN 'erased:' || api_keys.id ELSE hash END
  FROM locked WHERE api_keys.id = locked.id AND $2::timestamptz IS NOT NULL`
]

const eraseRow = `
  UPDATE accounts SET name = $2::text, email = $3::text, seller = $4::boolean, frozen_at = $5::timestamptz,
    frozen_reason = $6::text, erased_at = $5::timestamptz
  WHERE id = $1::text`

/** Ends an account and removes its name, its e-mail address and the names and labels that its owner gave from every stored record (ACCOUNT-7, ACCOUNT-8, ACCOUNT-9, ACCOUNT-10). */
export const eraseMethods = (
  { longTransaction, sql }: Database["Service"],
  { announcing }: IdentityChanges
): Pick<IdentityStore["Service"], "eraseAccount"> => {
  const checkMoney = Effect.fnUntraced(function* (id: AccountId) {
    const [row] = yield* sql.unsafe<OpenMoneyRow>(openMoney, [id])
    if (row === undefined) return
    const obstacle = obstacleToErasure({
      available: amount(row.available),
      locked: amount(row.locked),
      debt: amount(row.debt),
      openWithdrawals: row.withdrawals,
      escrowed: row.escrowed,
      pendingDeposits: row.pending
    })
    if (obstacle !== undefined) return yield* obstacle
  })

  const takeDown = Effect.fnUntraced(function* (id: AccountId) {
    for (let after = ""; ;) {
      const ids = (yield* sql.unsafe<{ readonly id: string }>(someSouls, [id, after])).map((row) => row.id)
      if (ids.length === 0) break
      // After the lock, so that each text belongs to its row.
      const souls = (yield* sql.unsafe<Row>(soulsById, [ids])).map(soulOf)
      yield* updateSouls(
        sql,
        souls.map((soul) => ({ ...soul, author: erasedName, deleted: true }))
      )
      after = ids.at(-1) ?? ""
    }
    for (let after = ""; ;) {
      const listings = (yield* sql.unsafe<Row>(someListings, [id, after])).map(listingOf)
      if (listings.length === 0) return
      yield* updateListings(
        sql,
        listings.map((listing) => ({
          ...listing,
          creatorName: erasedName,
          status: "deleted" as const,
          waitingSince: null
        }))
      )
      after = listings.at(-1)?.id ?? ""
    }
  })

  const erase = Effect.fnUntraced(function* (say: Say, id: AccountId, at: Timestamp, by: KeyId | null) {
    const [row] = yield* sql.unsafe<AccountRow & { readonly erased: boolean }>(lockAccount, [id])
    if (row === undefined) return false
    if (row.erased) return true
    const account = accountOf(row)
    if (account.frozen !== null) return yield* new AccountFrozen(account.frozen)
    yield* stillActive(sql, by)
    // Most refusals are found here, before anything waits.
    yield* checkMoney(id)
    yield* sql.unsafe(stopFanOut)
    // None is frozen meanwhile, which would log its name.
    yield* sql.unsafe(lockAgents, [id])
    for (const statement of [...forgetInTexts, ...forgetNames, ...endWebhooks]) yield* sql.unsafe(statement, [id])
    yield* sql.unsafe(stopSettlements)
    yield* checkMoney(id)
    yield* takeDown(id)
    for (const statement of forgetInMoney) yield* sql.unsafe(statement, [id])
    for (const statement of endKeys) yield* sql.unsafe(statement, [id, date(at)])
    const { email, frozen, name, seller } = erased(account, at)
    yield* sql.unsafe(eraseRow, [id, name, email, seller, date(at), frozen?.reason ?? null])
    yield* say(id)
    return true
  })

  return { eraseAccount: (id, at, by) => announcing((say) => longTransaction(erase(say, id, at, by))) }
}
