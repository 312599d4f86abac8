import type { ApiKey } from "@agent-marketplace/core/identity/ApiKey"
import { date, nullableDate } from "../Row.ts"
import { keyColumns } from "./IdentityRow.ts"

/** An account's agents. Agents are locked before their keys, as in every other transaction. */
export const lockAgents = "SELECT id FROM agents WHERE owner_id = $1::text ORDER BY id FOR NO KEY UPDATE"

/** All keys of an account, in the order of their ids, as all other statements lock them. */
export const lockKeys = "SELECT id FROM api_keys WHERE account_id = $1::text ORDER BY id FOR NO KEY UPDATE"

const types =
  "text, text, text, text, text, text, text, text, timestamptz, text, text, timestamptz, timestamptz, timestamptz".split(
    ", "
  )

/**
 * Inserts a key whose parameters, {@link keyParameters}, start at `first`. The key of an agent that is being claimed waits for the
 * claim, and belongs to the owner.
 */
export const insertKey = (first: number, from = ""): string => {
  const [id, account, agent, ...others] = types.map((type, index) => `$${first + index}::${type}`)
  const owner = `coalesce(${account}, (SELECT owner_id FROM agents WHERE id = ${agent} FOR SHARE))`
  return `INSERT INTO api_keys (${keyColumns}) SELECT ${[id, owner, agent, ...others].join(", ")} ${from}`
}

export const keyParameters = (key: ApiKey): ReadonlyArray<unknown> => [
  key.id,
  key.accountId,
  key.agentId,
  key.name,
  key.scope,
  key.prefix,
  key.hash,
  key.status,
  nullableDate(key.expiresAt),
  key.rotatedFrom,
  key.familyId,
  nullableDate(key.familyEndsAt),
  nullableDate(key.lastUsedAt),
  date(key.createdAt)
]
