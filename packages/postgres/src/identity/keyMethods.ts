import type { IdentityStore } from "@agent-marketplace/core/identity/IdentityStore"
import { Effect, Option } from "effect"
import type { Database } from "../Database.ts"
import type { PageRow } from "../paging/pageOf.ts"
import { pageOf, pageParameters, pageQuery } from "../paging/pageOf.ts"
import { date } from "../Row.ts"
import type { IdentityChanges } from "./IdentityChanges.ts"
import type { CallerRow, KeyRow } from "./IdentityRow.ts"
import { callerOf, keyColumns, keyOf } from "./IdentityRow.ts"
import { insertKey, keyParameters } from "./keyStatements.ts"

const find = `SELECT ${keyColumns} FROM api_keys WHERE id = $1::text`

const list = pageQuery(keyColumns, "api_keys", "account_id = $3::text", "created_at DESC, id DESC")

const findCaller = `
  SELECT k.id, k.scope, k.agent_id, k.account_id, k.expires_at, a.name AS account_name, a.seller, a.tier, a.hourly_limit
  FROM api_keys k LEFT JOIN accounts a ON a.id = k.account_id
  WHERE k.hash = $1::text AND k.status = 'active'`

const deactivate = `
  UPDATE api_keys SET status = 'deactivated' WHERE id = $1::text AND account_id = $2::text AND status = 'active' RETURNING id`

/** The key's parameters come last. Null is no expiry, and least() passes over it. */
const rotate = `
  WITH old AS (
    UPDATE api_keys SET expires_at = least(expires_at, $2::timestamptz) WHERE id = $1::text AND status = 'active' RETURNING id
  )
  ${insertKey(3, "FROM old")} RETURNING id`

/** The agent before its keys, as a claim locks them. */
const lockAgent = "SELECT id FROM agents WHERE id = $1::text FOR SHARE"

/** Locks in one order, so that processes that note the same keys do not wait in a circle. */
const touch = `
  WITH uses AS (
    SELECT id, max(at) AS at FROM unnest($1::text[], $2::timestamptz[]) AS uses (id, at) GROUP BY id
  ),
  locked AS MATERIALIZED (
    SELECT k.id, uses.at FROM api_keys k JOIN uses USING (id)
    WHERE k.last_used_at IS NULL OR k.last_used_at < uses.at ORDER BY k.id FOR NO KEY UPDATE OF k
  )
  UPDATE api_keys k SET last_used_at = locked.at FROM locked
  WHERE k.id = locked.id AND (k.last_used_at IS NULL OR k.last_used_at < locked.at)`

type Methods = Pick<
  IdentityStore["Service"],
  "createKey" | "listKeys" | "findKey" | "findCaller" | "deactivateKey" | "rotateKey" | "touchKeys"
>

export const keyMethods = (
  { attempt, read, sql, transaction }: Database["Service"],
  { announcing }: IdentityChanges
): Methods => ({
  createKey: (key) => Effect.asVoid(attempt(sql.unsafe(insertKey(1), keyParameters(key)))),

  listKeys: (owner, page) =>
    Effect.map(read<KeyRow & PageRow>(list, [...pageParameters(page), owner]), (rows) => pageOf(rows, keyOf)),

  findKey: (id) => Effect.map(read<KeyRow>(find, [id]), ([row]) => Option.map(Option.fromUndefinedOr(row), keyOf)),

  findCaller: (hash) =>
    Effect.map(read<CallerRow>(findCaller, [hash]), ([row]) => Option.map(Option.fromUndefinedOr(row), callerOf)),

  deactivateKey: (id, owner) =>
    announcing((say) =>
      transaction(
        Effect.gen(function* () {
          const rows = yield* sql.unsafe(deactivate, [id, owner])
          if (rows.length === 0) return false
          yield* say(id)
          return true
        })
      )
    ),

  rotateKey: (id, next, graceEnds) =>
    announcing((say) =>
      transaction(
        Effect.gen(function* () {
          if (next.agentId !== null) yield* sql.unsafe(lockAgent, [next.agentId])
          const rows = yield* sql.unsafe(rotate, [id, date(graceEnds), ...keyParameters(next)])
          if (rows.length === 0) return false
          yield* say(id)
          return true
        })
      )
    ),

  touchKeys: (uses) =>
    uses.length === 0
      ? Effect.void
      : Effect.asVoid(attempt(sql.unsafe(touch, [uses.map(([id]) => id), uses.map(([, at]) => date(at))])))
})
