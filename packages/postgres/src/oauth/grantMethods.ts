import type { LiveGrant, OauthGrant } from "@agent-marketplace/core/oauth/OauthGrant"
import type { Exchange, OauthStore } from "@agent-marketplace/core/oauth/OauthStore"
import type { OauthToken } from "@agent-marketplace/core/oauth/OauthToken"
import { Effect, Option } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import type { Row } from "../Columns.ts"
import type { Database } from "../Database.ts"
import { lockOwner } from "../identity/admitRecord.ts"
import type { IdentityChanges } from "../identity/IdentityChanges.ts"
import type { PageRow } from "../paging/pageOf.ts"
import { pageOf, pageParameters, pageQuery } from "../paging/pageOf.ts"
import type { Time } from "../Row.ts"
import { date, nullableTime } from "../Row.ts"
import { addGrant } from "./addGrant.ts"
import { endGrant, grantColumns, lockGrant } from "./endGrant.ts"
import { insertTokens } from "./insertTokens.ts"
import { grantRecord, tokenRecord } from "./OauthRow.ts"

const tokenColumns = Object.keys(tokenRecord.columns)
  .map((name) => `t.${name} AS token_${name}`)
  .join(", ")

const find = `
  SELECT ${grantColumns}, ${tokenColumns}, k.status = 'active' AS live
  FROM oauth_tokens t JOIN oauth_grants g ON g.id = t.grant_id JOIN api_keys k ON k.id = g.key_id
  WHERE t.hash = $1::text`

const list = pageQuery(
  `${grantColumns}, k.last_used_at`,
  "oauth_grants g JOIN api_keys k ON k.id = g.key_id",
  "g.account_id = $3::text AND k.status = 'active'",
  "created_at DESC, id DESC"
).replace("ORDER BY created_at DESC, id DESC LIMIT", "ORDER BY g.created_at DESC, g.id DESC LIMIT")

const remove = `
  DELETE FROM oauth_tokens t USING oauth_grants g WHERE t.hash = $1::text AND g.id = t.grant_id RETURNING g.key_id`

const grantOfToken = "SELECT grant_id FROM oauth_tokens WHERE hash = $1::text"

/** After the grant is locked, so that of two concurrent exchanges the second sees the first. */
const use = `
  UPDATE oauth_tokens SET used_at = $2::timestamptz WHERE hash = $1::text AND used_at IS NULL RETURNING hash`

const lockClient = "SELECT id FROM oauth_clients WHERE id = $1::text FOR UPDATE"

const grantForClient = `SELECT ${grantColumns} FROM oauth_grants g WHERE g.client_id = $1::text AND g.for_client`

const owned = `SELECT id FROM oauth_grants WHERE id = $1::text AND account_id = $2::text`

const liveGrantOf = (row: Row): LiveGrant => ({
  ...grantRecord.read(row),
  lastUsedAt: nullableTime(row["last_used_at"] as Time | null)
})

const tokenOf = (row: Row): OauthToken =>
  tokenRecord.read(Object.fromEntries(Object.keys(tokenRecord.columns).map((name) => [name, row[`token_${name}`]])))

type Methods = Pick<
  OauthStore["Service"],
  "endGrant" | "endToken" | "findToken" | "issueToClient" | "listGrants" | "refresh"
>

export const grantMethods = (
  { read, sql, transaction }: Database["Service"],
  { announcing }: IdentityChanges,
  happened: () => void
): Methods => ({
  findToken: (hash) =>
    Effect.map(read<Row>(find, [hash]), ([row]) =>
      Option.map(Option.fromUndefinedOr(row), (found) => ({
        token: tokenOf(found),
        grant: grantRecord.read(found),
        live: found["live"] === true
      }))
    ),

  listGrants: (owner, page) =>
    Effect.map(read<Row & PageRow>(list, [...pageParameters(page), owner]), (rows) => pageOf(rows, liveGrantOf)),

  endToken: (hash) =>
    announcing((say) =>
      transaction(
        Effect.gen(function* () {
          const [row] = yield* sql.unsafe<{ readonly key_id: string }>(remove, [hash])
          if (row !== undefined) yield* say(row.key_id)
        })
      )
    ),

  refresh: (hash, tokens, at) =>
    announcing((say) =>
      transaction(
        Effect.gen(function* (): Effect.fn.Return<Exchange, SqlError> {
          const [row] = yield* sql.unsafe<{ readonly grant_id: OauthGrant["id"] }>(grantOfToken, [hash])
          const grant = yield* lockGrant(sql, row?.grant_id ?? null)
          if (grant === undefined) return { _tag: "Ended" }
          if ((yield* sql.unsafe(use, [hash, date(at)])).length === 0) {
            yield* endGrant(sql, grant, at, say)
            return { _tag: "Repeated", grant }
          }
          yield* insertTokens(sql, tokens, at)
          return { _tag: "Exchanged" }
        })
      )
    ),

  issueToClient: Effect.fn("OauthStore.issueToClient")(function* (draft, tokenOfGrant) {
    const { accountId, clientId, createdAt } = draft.grant
    const issued = Effect.gen(function* () {
      const owner = yield* lockOwner(sql, accountId)
      if ((yield* sql.unsafe(lockClient, [clientId])).length === 0) return Option.none<OauthGrant>()
      const [row] = yield* sql.unsafe<Row>(grantForClient, [clientId])
      if (row === undefined) yield* addGrant(sql, owner, draft)
      const grant = yield* lockGrant(sql, row === undefined ? draft.grant.id : grantRecord.read(row).id)
      if (grant === undefined) return Option.none<OauthGrant>()
      yield* insertTokens(sql, [tokenOfGrant(grant)], createdAt)
      return Option.some(grant)
    })
    return yield* Effect.tap(transaction(issued), () => Effect.sync(happened))
  }),

  endGrant: (id, owner, at) =>
    announcing((say) =>
      transaction(
        Effect.gen(function* () {
          if ((yield* sql.unsafe(owned, [id, owner])).length === 0) return Option.none<OauthGrant>()
          const grant = yield* lockGrant(sql, id)
          if (grant === undefined) return Option.none<OauthGrant>()
          yield* endGrant(sql, grant, at, say)
          return Option.some(grant)
        })
      )
    )
})
