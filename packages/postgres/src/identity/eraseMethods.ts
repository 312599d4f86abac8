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
import type { Database } from "../Database.ts"
import type { Amount } from "../Row.ts"
import { amount, date } from "../Row.ts"
import { openStates } from "../wallets/WalletRow.ts"
import { undecidedDeposits } from "../wallets/walletQueries.ts"
import { stillActive } from "./callingKey.ts"
import { dropClients } from "./keyMethods.ts"
import { changeItems } from "./changeItems.ts"
import type { IdentityChanges, Say } from "./IdentityChanges.ts"
import { endSessions } from "../sessions/endSessions.ts"
import { rewriteListings } from "../listings/writeListings.ts"
import { rewriteSouls } from "../souls/writeSouls.ts"
import type { AccountRow } from "./IdentityRow.ts"
import { accountOf, readAccount } from "./IdentityRow.ts"
import { lockAgents, lockKeys } from "./keyStatements.ts"

const lockAccount = `
  SELECT ${readAccount}, erased_at IS NOT NULL AS erased FROM accounts WHERE id = $1::text FOR NO KEY UPDATE`

/** No event with the name is fanned out meanwhile. */
const stopFanOut = `
  SELECT pg_advisory_xact_lock(${advisoryLocks.eventFanOut}), pg_advisory_xact_lock(${advisoryLocks.noticeFanOut})`

/** Waits for every settlement in progress; later ones wait for this transaction. */
const stopSettlements = `SELECT pg_advisory_xact_lock(${advisoryLocks.settlements})`

const openMoney = `
  SELECT
    (wallets.available + coalesce(credit.available, 0))::text AS available,
    (wallets.locked + coalesce(credit.locked, 0))::text AS locked,
    (wallets.debt + coalesce(credit.debt, 0))::text AS debt,
    (SELECT count(*)::int FROM withdrawals
      WHERE account_id = $1::text AND ${openStates}) AS withdrawals,
    (SELECT count(*)::int FROM escrow WHERE account_id = $1::text) AS escrowed,
    (SELECT count(*)::int FROM pending_deposits WHERE account_id = $1::text)
      + (SELECT count(*)::int FROM held_deposits WHERE account_id = $1::text AND ${undecidedDeposits}) AS pending
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

/** A string field of stored JSON text, whatever its value: a name may have been changed since. */
const stringField = (name: string): string => `"${name}":"(?:[^"\\\\]|\\\\.)*"`

const withField = (column: string, name: string, value: string): string =>
  `regexp_replace(${column}, '${stringField(name)}', '"${name}":${value}', 'g')`

const withErasedName = (column: string, name: string): string => withField(column, name, `"${erasedName}"`)

const ofAccount = `(SELECT id FROM souls WHERE author_id = $1::text UNION ALL SELECT id FROM listings WHERE creator_id = $1::text)`

/** Subscriptions before deliveries, each in the order of their ids, as all transactions lock them. */
const lockWebhooks = `SELECT id FROM webhooks WHERE account_id = $1::text ORDER BY id FOR UPDATE`

/**
 * Deliveries that contain the name. They have no index by item, which every delivery would have to update; they are kept for a
 * limited time and are read whole, before settlements wait. The account's own deliveries are locked in the same order, and deleted later.
 */
export const forgetInDeliveries = `
  WITH locked AS MATERIALIZED (
    SELECT id, webhook_id FROM webhook_deliveries
    WHERE webhook_id IN (SELECT id FROM webhooks WHERE account_id = $1::text)
      OR (event = ANY('{soul.created,soul.updated,soul.downloaded}')
        AND substring(payload FROM '"soulId":"([^"]+)"') IN ${ofAccount})
    ORDER BY id FOR UPDATE
  )
  UPDATE webhook_deliveries AS delivery SET payload = ${withErasedName("payload", "author")} FROM locked
  WHERE delivery.id = locked.id AND locked.webhook_id NOT IN (SELECT id FROM webhooks WHERE account_id = $1::text)`

/** Events that name the creator of the account's items. The items are locked, so that no such event is appended concurrently. */
export const forgetInEvents = `
  UPDATE events SET data = ${withErasedName(withErasedName("data::text", "author"), "creator")}::json
  WHERE type = ANY('{soul.created,soul.updated,soul.downloaded,listing.approved,listing.rejected,listing.suspended}')
    AND subject IN ${ofAccount}`

/**
 * Events that name the account's agents and keys. The agents and keys are locked, so that no such event is appended concurrently.
 */
export const forgetNames = [
  `UPDATE events SET data = ${withField(withField("data::text", "name", `"${erasedAgentName}"`), "reason", "null")}::json
    WHERE type = 'agent.frozen' AND subject IN (SELECT id FROM agents WHERE owner_id = $1::text)`,
  `UPDATE events SET data = ${withField("data::text", "name", `"${erasedKeyName}"`)}::json
    WHERE type = 'key.rotation_due' AND subject IN (SELECT id FROM api_keys WHERE account_id = $1::text)`
]

/** Its webhooks with their deliveries, which are all locked: nothing is added to them. */
const endWebhooks = [
  `DELETE FROM webhook_attempts USING webhook_deliveries AS delivery, webhooks
    WHERE delivery_id = delivery.id AND webhooks.id = delivery.webhook_id AND account_id = $1::text`,
  `DELETE FROM webhook_queue USING webhooks WHERE webhooks.id = webhook_id AND account_id = $1::text`,
  `DELETE FROM webhook_deliveries USING webhooks WHERE webhooks.id = webhook_id AND account_id = $1::text`,
  `DELETE FROM webhooks WHERE account_id = $1::text`
]

/** Its items leave the lists and searches. All statistics of items are locked in the order of their ids. */
const leaveShop = (facets: "listing_facets" | "soul_facets") => `
  WITH gone AS MATERIALIZED (DELETE FROM ${facets} WHERE creator_id = $1::text RETURNING item_id),
  locked AS MATERIALIZED (
    SELECT item_id FROM item_stats WHERE item_id IN (SELECT item_id FROM gone) AND shelf IS NOT NULL ORDER BY item_id FOR UPDATE
  )
  UPDATE item_stats SET shelf = NULL, listed_at = NULL FROM locked WHERE item_stats.item_id = locked.item_id`

/** These tables are also written by settlements, so they are updated while settlements wait. */
export const forgetInMoney = [
  // ACTIVATION-8
  `UPDATE license_activations AS activation SET label = NULL FROM purchases
    WHERE purchases.id = activation.purchase_id AND purchases.buyer_id = $1::text AND activation.label IS NOT NULL`,
  leaveShop("soul_facets"),
  leaveShop("listing_facets"),
  `UPDATE item_reviews SET author = '${erasedName}' WHERE author_id = $1::text`,
  `UPDATE approvals SET item_creator = '${erasedName}' FROM purchases
    WHERE purchases.seller_id = $1::text AND approvals.account_id = purchases.buyer_id AND approvals.purchase_id = purchases.id`,
  `UPDATE purchases SET item_creator = '${erasedName}' WHERE seller_id = $1::text AND item_creator <> '${erasedName}'`,
  `UPDATE subscriptions SET item_creator = '${erasedName}' WHERE seller_id = $1::text AND item_creator <> '${erasedName}'`,
  `UPDATE purchases SET tracking_id = NULL WHERE buyer_id = $1::text AND tracking_id IS NOT NULL`,
  `DELETE FROM withdrawal_addresses WHERE account_id = $1::text`,
  `DELETE FROM withdrawal_policies WHERE account_id = $1::text`,
  `DELETE FROM idempotent_results WHERE account_id = $1::text`,
  `UPDATE idempotent_results SET result = ${withErasedName("result", "creator")}
    WHERE account_id IN (SELECT buyer_id FROM purchases WHERE seller_id = $1::text UNION SELECT 'admin')
      AND substring(result FROM '"item":\\{"id":"([^"]+)"') IN ${ofAccount}`
]

/** The channels are locked by their deletion, so no message about the account is claimed afterwards. */
const endNotifications = [
  `DELETE FROM notification_channels WHERE account_id = $1::text`,
  `DELETE FROM notification_preferences WHERE account_id = $1::text`,
  `DELETE FROM notification_confirmations WHERE account_id = $1::text`
]

/** A domain names its owner. */
const dropDomains = "DELETE FROM account_domains WHERE account_id = $1::text"

const endAgents = `
  UPDATE agents SET name = '${erasedAgentName}', frozen_reason = NULL,
    retired_at = coalesce(retired_at, $2::timestamptz), claim_code_hash = NULL
  WHERE owner_id = $1::text`

/** Keys of a host's sessions get another hash, so that the host's user gets a new account on the next visit. */
const endKeys = `
  UPDATE api_keys SET status = 'deactivated', name = '${erasedKeyName}',
    hash = CASE WHEN hash LIKE 'host:%' THEN 'erased:' || id ELSE hash END
  WHERE account_id = $1::text`

const eraseRow = `
  UPDATE accounts SET name = $2::text, email = $3::text, seller = $4::boolean, frozen_at = $5::timestamptz,
    frozen_reason = $6::text, operator = false, erased_at = $5::timestamptz
  WHERE id = $1::text`

/** Ends an account and removes its name, its e-mail address and the names and labels that its owner gave from every stored record (ACCOUNT-7, ACCOUNT-8, ACCOUNT-9, ACCOUNT-10, ACCOUNT-13). */
export const eraseMethods = (
  { longTransaction, sql }: Database["Service"],
  { announcing }: IdentityChanges
): Pick<IdentityStore["Service"], "eraseAccount"> => {
  const checkMoney = Effect.fnUntraced(function* (id: AccountId) {
    const [row] = yield* sql.unsafe<OpenMoneyRow>(openMoney, [id])
    if (row === undefined) return yield* Effect.die(`no wallet: ${id}`)
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

  const takeDown = (id: AccountId) =>
    changeItems(
      sql,
      id,
      {
        soul: (soul) => ({ ...soul, author: erasedName, creatorVerified: false, deleted: true }),
        listing: (listing) => ({
          ...listing,
          creatorName: erasedName,
          creatorVerified: false,
          status: "deleted",
          waitingSince: null
        })
      },
      { souls: rewriteSouls, listings: rewriteListings }
    )

  const erase = Effect.fnUntraced(function* (say: Say, id: AccountId, at: Timestamp, by: KeyId | null) {
    const [row] = yield* sql.unsafe<AccountRow & { readonly erased: boolean }>(lockAccount, [id])
    if (row === undefined) return false
    if (row.erased) return true
    const account = accountOf(row)
    if (account.frozen !== null) return yield* new AccountFrozen(account.frozen)
    yield* stillActive(sql, by)
    // Most refusals are found here, before anything waits.
    yield* checkMoney(id)
    const run = (...statements: ReadonlyArray<string>) =>
      Effect.forEach(statements, (statement) => sql.unsafe(statement, [id]), { discard: true })
    // What takes long comes first: no settlement writes these rows, and nobody else sees them before the commit.
    yield* takeDown(id)
    yield* run(forgetInEvents, dropDomains, dropClients, lockAgents, lockKeys, ...forgetNames)
    yield* sql.unsafe(stopFanOut)
    yield* run(lockWebhooks, forgetInDeliveries, ...endWebhooks, ...endNotifications)
    yield* sql.unsafe(stopSettlements)
    yield* checkMoney(id)
    yield* run(...forgetInMoney)
    yield* sql.unsafe(endAgents, [id, date(at)])
    yield* run(endKeys, ...endSessions)
    const { email, frozen, name, seller } = erased(account, at)
    yield* sql.unsafe(eraseRow, [id, name, email, seller, date(at), frozen?.reason ?? null])
    yield* say(id)
    return true
  })

  return { eraseAccount: (id, at, by) => announcing((say) => longTransaction(erase(say, id, at, by))) }
}
