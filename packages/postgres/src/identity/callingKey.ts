import { InvalidApiKey } from "@agent-marketplace/core/errors/MarketError"
import type { KeyId } from "@agent-marketplace/core/ids/Ids"
import type { SqlClient } from "effect/sql/SqlClient"
import { Effect } from "effect"
import type { SqlError } from "effect/sql/SqlError"

/** A session ends with the key that started it. */
const isActive = `
  SELECT id FROM api_keys WHERE id = $1::text AND status = 'active'
  UNION ALL
  SELECT s.id FROM sessions s LEFT JOIN api_keys k ON k.id = s.key_id
  WHERE s.id = $1::text AND (s.key_id IS NULL OR k.status = 'active')`

const ended = new InvalidApiKey({ reason: "invalid" })

/**
 * Fails if the calling key or session was ended. Runs after the account is locked, so that it sees the effect of a recovery, and no recovery can end
 * the key before the current transaction ends. Locks are taken in the order account, agent, keys.
 */
export const stillActive = Effect.fnUntraced(function* (
  sql: SqlClient,
  by: KeyId | null
): Effect.fn.Return<void, InvalidApiKey | SqlError> {
  if (by === null) return
  const rows = yield* sql.unsafe(isActive, [by])
  if (rows.length === 0) return yield* ended
})
