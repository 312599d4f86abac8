import { Conflict } from "@agent-marketplace/core/errors/MarketError"
import type { OauthGrant } from "@agent-marketplace/core/oauth/OauthGrant"
import type { OauthStore } from "@agent-marketplace/core/oauth/OauthStore"
import { Effect, Option } from "effect"
import type { Row } from "../Columns.ts"
import type { Database } from "../Database.ts"
import { lockOwner } from "../identity/admitRecord.ts"
import { stillActive } from "../identity/callingKey.ts"
import type { IdentityChanges } from "../identity/IdentityChanges.ts"
import type { PageRow } from "../paging/pageOf.ts"
import { pageOf, pageParameters, pageQuery } from "../paging/pageOf.ts"
import { date } from "../Row.ts"
import { clientRecord, grantRecord, insertInto } from "./OauthRow.ts"

const columns = Object.keys(clientRecord.columns).join(", ")

const insert = insertInto("oauth_clients", clientRecord.columns)

const count = "SELECT count(*)::int AS used FROM oauth_clients WHERE owner_id = $1::text"

const find = `SELECT ${columns} FROM oauth_clients WHERE id = $1::text`

const list = pageQuery(columns, "oauth_clients", "owner_id = $3::text", "created_at DESC, id DESC")

const remove = "DELETE FROM oauth_clients WHERE id = $1::text AND owner_id = $2::text RETURNING id"

/** Agents in the order of their ids, before their keys, as all other transactions lock them. */
const lockAgents = `
  SELECT a.id FROM agents a JOIN oauth_grants g ON g.agent_id = a.id WHERE g.client_id = $1::text
  ORDER BY a.id FOR NO KEY UPDATE OF a`

const liveGrants = `
  SELECT ${Object.keys(grantRecord.columns)
    .map((name) => `g.${name}`)
    .join(", ")}
  FROM oauth_grants g JOIN api_keys k ON k.id = g.key_id WHERE g.client_id = $1::text AND k.status = 'active'`

const retire = "UPDATE agents SET retired_at = coalesce(retired_at, $2::timestamptz) WHERE id = ANY($1::text[])"

const endKeys = `
  WITH locked AS MATERIALIZED (
    SELECT id FROM api_keys WHERE agent_id = ANY($1::text[]) AND status = 'active' ORDER BY id FOR NO KEY UPDATE
  )
  UPDATE api_keys SET status = 'deactivated' FROM locked WHERE api_keys.id = locked.id`

/** With more ids than this, the announcement is `*`, because they do not fit into one. */
const manyAgents = 100

type Methods = Pick<OauthStore["Service"], "createClient" | "deleteClient" | "findClient" | "listClients">

export const clientMethods = (
  { read, sql, transaction }: Database["Service"],
  { announcing }: IdentityChanges
): Methods => ({
  createClient: Effect.fn("OauthStore.createClient")(function* (client, by, limit) {
    const created = Effect.gen(function* () {
      const owner = client.ownerId === null ? undefined : yield* lockOwner(sql, client.ownerId)
      yield* stillActive(sql, by)
      if (owner !== undefined) {
        const [row] = yield* sql.unsafe<{ readonly used: number }>(count, [owner.id])
        if ((row?.used ?? 0) >= limit) return yield* new Conflict({ state: "clients_used", limit })
      }
      yield* sql.unsafe(insert, [JSON.stringify(clientRecord.write(client))])
    })
    yield* transaction(created)
  }),

  findClient: (id) =>
    Effect.map(read<Row>(find, [id]), ([row]) => Option.map(Option.fromUndefinedOr(row), clientRecord.read)),

  listClients: (owner, page) =>
    Effect.map(read<Row & PageRow>(list, [...pageParameters(page), owner]), (rows) => pageOf(rows, clientRecord.read)),

  deleteClient: (id, owner, at) =>
    announcing((say) =>
      transaction(
        Effect.gen(function* () {
          if ((yield* sql.unsafe(remove, [id, owner])).length === 0) return Option.none<ReadonlyArray<OauthGrant>>()
          yield* sql.unsafe(lockAgents, [id])
          const grants = (yield* sql.unsafe<Row>(liveGrants, [id])).map(grantRecord.read)
          const agents = grants.map(({ agentId }) => agentId)
          yield* sql.unsafe(retire, [agents, date(at)])
          yield* sql.unsafe(endKeys, [agents])
          if (agents.length > 0) yield* say(...(agents.length > manyAgents ? ["*"] : agents))
          return Option.some(grants)
        })
      )
    )
})
