import { Conflict } from "@agent-marketplace/core/errors/MarketError"
import type { Row } from "../Columns.ts"
import { rotationDue } from "@agent-marketplace/core/identity/IdentityEvents"
import type { IdentityStore } from "@agent-marketplace/core/identity/IdentityStore"
import type { ApiKey } from "@agent-marketplace/core/identity/ApiKey"
import { tokenDigest } from "@agent-marketplace/core/oauth/OauthSecret"
import type { AccountId, KeyId } from "@agent-marketplace/core/ids/Ids"
import { Effect, Option } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import { appendActions } from "../admin/appendActions.ts"
import type { Database } from "../Database.ts"
import { appendEvents } from "../events/appendEvents.ts"
import type { PageRow } from "../paging/pageOf.ts"
import { pageOf, pageParameters, pageQuery } from "../paging/pageOf.ts"
import { date } from "../Row.ts"
import { admitRecord, lockOwner } from "./admitRecord.ts"
import { stillActive } from "./callingKey.ts"
import type { IdentityChanges, Say } from "./IdentityChanges.ts"
import { endSessions } from "../sessions/endSessions.ts"
import type { CallerRow, TokenCallerRow } from "./IdentityRow.ts"
import { callerOf, keyColumns, keyOf, tokenCallerOf } from "./IdentityRow.ts"
import { insertKey, keyParameters, lockAgents } from "./keyStatements.ts"

const find = `SELECT ${keyColumns} FROM api_keys WHERE id = $1::text`

const list = pageQuery(keyColumns, "api_keys", "account_id = $3::text", "created_at DESC, id DESC")

const findCaller = `
  SELECT k.id, k.scope, k.agent_id, k.account_id, k.expires_at, a.name AS account_name, a.seller, a.tier, a.hourly_limit,
    a.frozen_at, a.frozen_reason, g.frozen_at AS agent_frozen_at, g.frozen_reason AS agent_frozen_reason
  FROM api_keys k LEFT JOIN accounts a ON a.id = k.account_id LEFT JOIN agents g ON g.id = k.agent_id
  WHERE k.hash = $1::text AND k.status = 'active'`

/** With the scopes, the resource and the end of the access token, for as long as the key of its grant is active. */
const findTokenCaller = `
  SELECT k.id, t.scopes, t.resource, k.agent_id, k.account_id, t.expires_at, a.name AS account_name, a.seller, a.tier, a.hourly_limit,
    a.frozen_at, a.frozen_reason, g.frozen_at AS agent_frozen_at, g.frozen_reason AS agent_frozen_reason
  FROM oauth_tokens t JOIN oauth_grants o ON o.id = t.grant_id JOIN api_keys k ON k.id = o.key_id
    JOIN accounts a ON a.id = k.account_id JOIN agents g ON g.id = k.agent_id
  WHERE t.hash = $1::text AND t.kind = 'access' AND k.status = 'active'`

const deactivate = `
  UPDATE api_keys SET status = 'deactivated' WHERE id = $1::text AND account_id = $2::text AND status = 'active' RETURNING id`

/** The active keys that meet the condition, in the order of their ids, as all other locks take them. */
const endKeys = (condition: string): string => `
  WITH locked AS MATERIALIZED (
    SELECT id FROM api_keys WHERE status = 'active' AND ${condition} ORDER BY id FOR NO KEY UPDATE
  )
  UPDATE api_keys SET status = 'deactivated' FROM locked WHERE api_keys.id = locked.id RETURNING api_keys.id`

const endFamily = endKeys("account_id = $2::text AND family_id = (SELECT family_id FROM api_keys WHERE id = $1::text)")

/** A host ends the sessions of its users itself. */
const endAll = endKeys("account_id = $1::text AND hash NOT LIKE 'host:%'")

/** Exclusive: a rotation or creation that shares the lock ends first, and later ones see that the keys were ended. */
const lockAccount = "SELECT id FROM accounts WHERE id = $1::text AND erased_at IS NULL FOR NO KEY UPDATE"

/** Applications that the account registered act for it with their secrets. */
export const dropClients = "DELETE FROM oauth_clients WHERE owner_id = $1::text"

/** Shared: rotations of one account do not wait for one another. */
const shareAccount = "SELECT id FROM accounts WHERE id = $1::text FOR SHARE"

/** The key's parameters come last. Null means no expiry, and least() ignores it. */
const rotate = `
  WITH old AS (
    UPDATE api_keys SET expires_at = least(expires_at, $2::timestamptz) WHERE id = $1::text AND status = 'active' RETURNING id
  )
  ${insertKey(3, "FROM old")} RETURNING id`

/** Locks the agent before its keys, as a claim does. */
const lockAgent = "SELECT retired_at IS NOT NULL AS retired FROM agents WHERE id = $1::text FOR SHARE"

/** Each key is reported once; keys with a successor or past their expiry are not reported. */
const noteRotations = `
  WITH due AS MATERIALIZED (
    SELECT id FROM api_keys
    WHERE status = 'active' AND rotation_noted_at IS NULL AND account_id IS NOT NULL AND created_at <= $1::timestamptz
    ORDER BY created_at, id LIMIT $3::int FOR NO KEY UPDATE SKIP LOCKED
  )
  UPDATE api_keys k SET rotation_noted_at = $2::timestamptz FROM due WHERE k.id = due.id
  RETURNING ${keyColumns
    .split(", ")
    .map((column) => `k.${column}`)
    .join(", ")},
    k.hash NOT LIKE 'host:%' AND k.hash NOT LIKE 'oauth:%' AND (k.expires_at IS NULL OR k.expires_at > $2::timestamptz)
      AND NOT EXISTS (SELECT FROM api_keys n WHERE n.family_id = k.family_id AND n.rotated_from = k.id) AS announced`

/** Locks in a fixed order, so that processes that record uses of the same keys cannot deadlock. */
const touch = `
  WITH uses AS (
    SELECT id, max(at) AS at FROM unnest($1::text[], $2::timestamptz[]) AS uses (id, at) GROUP BY id
  ),
  locked AS MATERIALIZED (
    SELECT k.id, uses.at FROM api_keys k JOIN uses USING (id)
    WHERE k.last_used_at IS NULL OR k.last_used_at <= uses.at - interval '1 minute' ORDER BY k.id FOR NO KEY UPDATE OF k
  )
  UPDATE api_keys k SET last_used_at = locked.at FROM locked
  WHERE k.id = locked.id AND (k.last_used_at IS NULL OR k.last_used_at <= locked.at - interval '1 minute')`

type Reads = Pick<IdentityStore["Service"], "listKeys" | "findKey" | "findCaller" | "touchKeys">

const reads = ({ attempt, read, sql }: Database["Service"]): Reads => ({
  listKeys: (owner, page) =>
    Effect.map(read<Row & PageRow>(list, [...pageParameters(page), owner]), (rows) => pageOf(rows, keyOf)),

  findKey: (id) => Effect.map(read<Row>(find, [id]), ([row]) => Option.map(Option.fromUndefinedOr(row), keyOf)),

  findCaller: (hash) => {
    const accessToken = tokenDigest.hashIn(hash)
    return accessToken === undefined
      ? Effect.map(read<CallerRow>(findCaller, [hash]), ([row]) => Option.map(Option.fromUndefinedOr(row), callerOf))
      : Effect.map(read<TokenCallerRow>(findTokenCaller, [accessToken]), ([row]) =>
          Option.map(Option.fromUndefinedOr(row), tokenCallerOf)
        )
  },

  touchKeys: (uses) =>
    uses.length === 0
      ? Effect.void
      : Effect.asVoid(attempt(sql.unsafe(touch, [uses.map(([id]) => id), uses.map(([, at]) => date(at))])))
})

type Ends = Pick<IdentityStore["Service"], "deactivateKey" | "deactivateFamily" | "endKey" | "recover">

const ends = ({ sql, transaction }: Database["Service"], { announcing }: IdentityChanges): Ends => {
  const endOne = Effect.fnUntraced(function* (say: Say, id: KeyId) {
    const [row] = yield* sql.unsafe<Row>(`${find} FOR NO KEY UPDATE`, [id])
    if (row === undefined) return Option.none<boolean>()
    if (row.status !== "active") return Option.some(false)
    yield* sql.unsafe("UPDATE api_keys SET status = 'deactivated' WHERE id = $1::text", [id])
    yield* say(id)
    return Option.some(true)
  })

  const ended = Effect.fnUntraced(function* (
    statement: string,
    id: KeyId,
    owner: AccountId,
    say: Effect.Effect<void, SqlError>
  ) {
    const rows = yield* sql.unsafe(statement, [id, owner])
    if (rows.length > 0) yield* say
    return rows.length > 0
  })

  return {
    deactivateKey: (id, owner) => announcing((say) => transaction(ended(deactivate, id, owner, say(id)))),

    deactivateFamily: (id, owner) =>
      announcing((say) =>
        transaction(
          Effect.gen(function* () {
            yield* sql.unsafe(lockAccount, [owner])
            yield* sql.unsafe(lockAgents, [owner])
            return yield* ended(endFamily, id, owner, say(owner))
          })
        )
      ),

    endKey: (id, action) =>
      announcing((say) =>
        transaction(
          Effect.tap(endOne(say, id), (done) =>
            Option.contains(done, true)
              ? appendActions(sql, [{ ...action, before: { status: "active" }, after: { status: "deactivated" } }])
              : Effect.void
          )
        )
      ),

    recover: (key, action) =>
      announcing((say) =>
        transaction(
          Effect.gen(function* () {
            const found = yield* sql.unsafe(lockAccount, [key.accountId])
            if (found.length === 0) return false
            // Clients before agents, as the deletion of a client locks them.
            yield* sql.unsafe(dropClients, [key.accountId])
            yield* sql.unsafe(lockAgents, [key.accountId])
            const gone = yield* sql.unsafe(endAll, [key.accountId])
            for (const statement of endSessions) yield* sql.unsafe(statement, [key.accountId])
            yield* sql.unsafe(insertKey(1), keyParameters(key))
            const after = { activeKeys: 1, keyId: key.id }
            yield* appendActions(sql, [{ ...action, before: { activeKeys: gone.length }, after }])
            yield* say(key.accountId)
            return true
          })
        )
      )
  }
}

type Changes = Pick<IdentityStore["Service"], "createKey" | "rotateKey" | "announceRotations">

const changes = (
  { sql, transaction }: Database["Service"],
  { announcing }: IdentityChanges,
  happened: () => void
): Changes => {
  const shareAgent = Effect.fnUntraced(function* ({ agentId }: ApiKey) {
    if (agentId === null) return false
    const [agent] = yield* sql.unsafe<{ readonly retired: boolean }>(lockAgent, [agentId])
    return agent?.retired === true
  })

  return {
    createKey: Effect.fn("IdentityStore.createKey")(function* (key, by) {
      const created = Effect.gen(function* () {
        const owner = key.accountId === null ? undefined : yield* lockOwner(sql, key.accountId)
        yield* stillActive(sql, by)
        yield* admitRecord(sql, owner, "keys")
        if (yield* shareAgent(key)) return yield* new Conflict({ state: "retired" })
        yield* sql.unsafe(insertKey(1), keyParameters(key))
      })
      yield* transaction(created)
    }),

    rotateKey: (id, next, graceEnds, by) =>
      announcing((say) =>
        transaction(
          Effect.gen(function* () {
            if (next.accountId !== null) yield* sql.unsafe(shareAccount, [next.accountId])
            yield* stillActive(sql, by)
            yield* shareAgent(next)
            const rows = yield* sql.unsafe(rotate, [id, date(graceEnds), ...keyParameters(next)])
            if (rows.length === 0) return false
            yield* say(id)
            return true
          })
        )
      ),

    announceRotations: Effect.fn("IdentityStore.announceRotations")(function* (madeBefore, now, limit) {
      const record = Effect.gen(function* () {
        const rows = yield* sql.unsafe<Row & { readonly announced: boolean }>(noteRotations, [
          date(madeBefore),
          date(now),
          limit
        ])
        const due = rows.filter(({ announced }) => announced)
        yield* appendEvents(
          sql,
          due.map((row) => rotationDue(keyOf(row), now))
        )
        return rows.length
      })
      const recordedCount = yield* transaction(record)
      if (recordedCount > 0) happened()
      return recordedCount
    })
  }
}

export const keyMethods = (
  database: Database["Service"],
  identityChanges: IdentityChanges,
  happened: () => void
): Reads & Ends & Changes => ({
  ...reads(database),
  ...ends(database, identityChanges),
  ...changes(database, identityChanges, happened)
})
