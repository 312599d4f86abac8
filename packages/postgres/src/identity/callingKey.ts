import { InvalidApiKey } from "@agent-marketplace/core/errors/MarketError"
import type { AccountId, KeyId } from "@agent-marketplace/core/ids/Ids"
import type { PgClient } from "@effect/sql-pg"
import { Effect } from "effect"
import type { SqlError } from "effect/sql/SqlError"

const lockAccount = "SELECT id FROM accounts WHERE id = $1::text FOR SHARE"

const isActive = "SELECT id FROM api_keys WHERE id = $1::text AND status = 'active'"

const ended = new InvalidApiKey({ reason: "invalid" })

/**
 * Holds off a recovery of the account until the transaction that is under way has ended, and fails where the calling key was ended before.
 * Locks are taken in the order account, agent, keys.
 */
export const stillActive = Effect.fnUntraced(function* (
  sql: PgClient.PgClient,
  account: AccountId | null,
  by: KeyId | null
): Effect.fn.Return<void, InvalidApiKey | SqlError> {
  if (account !== null) yield* sql.unsafe(lockAccount, [account])
  if (by === null) return
  // In a statement after the lock, so that it sees what the recovery has ended.
  const rows = yield* sql.unsafe(isActive, [by])
  if (rows.length === 0) return yield* ended
})
