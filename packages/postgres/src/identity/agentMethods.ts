import type { SpendingPolicy } from "@agent-marketplace/core/approvals/SpendingPolicy"
import type { Timestamp } from "@agent-marketplace/core/clock/Timestamp"
import type { MarketEvent } from "@agent-marketplace/core/events/MarketEvent"
import type { Agent } from "@agent-marketplace/core/identity/Agent"
import type { IdentityStore } from "@agent-marketplace/core/identity/IdentityStore"
import type { AccountId, AgentId, KeyId } from "@agent-marketplace/core/ids/Ids"
import type { SqlClient } from "effect/sql/SqlClient"
import { Effect, Option } from "effect"
import { writePolicy } from "../approvals/writePolicy.ts"
import type { Database } from "../Database.ts"
import { appendEvents } from "../events/appendEvents.ts"
import type { PageRow } from "../paging/pageOf.ts"
import { pageOf, pageParameters, pageQuery } from "../paging/pageOf.ts"
import { date } from "../Row.ts"
import { admitRecord, lockOwner } from "./admitRecord.ts"
import { stillActive } from "./callingKey.ts"
import type { IdentityChanges, Say } from "./IdentityChanges.ts"
import type { AgentRow } from "./IdentityRow.ts"
import { agentColumns, agentOf, readAgent } from "./IdentityRow.ts"
import { insertKey, keyParameters } from "./keyStatements.ts"

const create = `
  INSERT INTO agents (${agentColumns}, claim_code_hash)
  VALUES ($1::text, $2::text, $3::text, $4::timestamptz, $5::text, $6::text)`

const find = `SELECT ${readAgent} FROM agents WHERE id = $1::text`

const list = pageQuery(readAgent, "agents", "owner_id = $3::text", "created_at DESC, id DESC")

const claim = `
  UPDATE agents SET owner_id = $2::text, claim_code_hash = NULL WHERE claim_code_hash = $1::text AND owner_id IS NULL
  RETURNING ${readAgent}`

/** Locks in id order, the order in which uses are recorded. */
const claimKeys = `
  WITH locked AS MATERIALIZED (SELECT id FROM api_keys WHERE agent_id = $1::text ORDER BY id FOR NO KEY UPDATE)
  UPDATE api_keys SET account_id = $2::text FROM locked WHERE api_keys.id = locked.id`

/** Stores a new agent, without checks. */
export const insertAgent = (
  sql: SqlClient,
  { createdAt, id, name, ownerId, source }: Agent,
  claimCodeHash: string | null
) => sql.unsafe(create, [id, name, ownerId, date(createdAt), source, claimCodeHash])

export const registered = (agent: Agent): MarketEvent => ({
  type: "agent.registered",
  at: agent.createdAt,
  subject: agent.id,
  accounts: [],
  data: { agentId: agent.id }
})

/** Waits for an erasure of the owner, which replaces the names of all agents (ACCOUNT-7). */
const rename = `
  WITH kept AS MATERIALIZED (
    SELECT id AS kept_id FROM accounts WHERE id = $2::text AND erased_at IS NULL FOR NO KEY UPDATE
  )
  UPDATE agents SET name = $3::text FROM kept WHERE id = $1::text AND owner_id = kept_id RETURNING ${readAgent}`

const retire = `
  UPDATE agents SET retired_at = coalesce(retired_at, $3::timestamptz) WHERE id = $1::text AND owner_id = $2::text
  RETURNING ${readAgent}`

const endKeys = `
  WITH locked AS MATERIALIZED (
    SELECT id FROM api_keys WHERE agent_id = $1::text AND status = 'active' ORDER BY id FOR NO KEY UPDATE
  )
  UPDATE api_keys SET status = 'deactivated' FROM locked WHERE api_keys.id = locked.id`

type Methods = Pick<
  IdentityStore["Service"],
  "createAgent" | "claimAgent" | "findAgent" | "listAgents" | "renameAgent" | "retireAgent"
>

export const agentMethods = (
  { attempt, read, sql, transaction }: Database["Service"],
  { announcing }: IdentityChanges,
  happened: () => void
): Methods => {
  const claimed = Effect.fnUntraced(function* (
    say: Say,
    claimCodeHash: string,
    owner: AccountId,
    policy: SpendingPolicy,
    by: KeyId | null
  ) {
    const account = yield* lockOwner(sql, owner)
    yield* stillActive(sql, by)
    const [row] = yield* sql.unsafe<AgentRow>(claim, [claimCodeHash, owner])
    if (row === undefined) return Option.none<Agent>()
    // A separate statement, so that it sees keys that were created before the agent was locked.
    yield* sql.unsafe(claimKeys, [row.id, owner])
    // Counted once they belong to the owner; a failure rolls the claim back.
    yield* admitRecord(sql, account, "agents", 0)
    yield* admitRecord(sql, account, "keys", 0)
    yield* writePolicy(sql, row.id as AgentId, policy)
    yield* say(row.id)
    return Option.some(agentOf(row))
  })

  const retired = Effect.fnUntraced(function* (say: Say, id: AgentId, owner: AccountId, at: Timestamp) {
    const [row] = yield* sql.unsafe<AgentRow>(retire, [id, owner, date(at)])
    if (row === undefined) return Option.none<Agent>()
    // A separate statement, so that it sees keys that were created before the agent was locked.
    yield* sql.unsafe(endKeys, [id])
    yield* say(id)
    return Option.some(agentOf(row))
  })

  return {
    createAgent: Effect.fn("IdentityStore.createAgent")(function* (agent, key, claimCodeHash) {
      const { ownerId } = agent
      const created = Effect.gen(function* () {
        if (ownerId !== null) yield* admitRecord(sql, yield* lockOwner(sql, ownerId), "agents")
        yield* insertAgent(sql, agent, claimCodeHash)
        if (key !== null) yield* sql.unsafe(insertKey(1), keyParameters(key))
        yield* appendEvents(sql, [registered(agent)])
      })
      yield* transaction(created)
      happened()
    }),

    claimAgent: (claimCodeHash, owner, policy, by) =>
      announcing((say) => transaction(claimed(say, claimCodeHash, owner, policy, by))),

    renameAgent: (id, owner, name) =>
      Effect.map(attempt(sql.unsafe<AgentRow>(rename, [id, owner, name])), ([row]) =>
        Option.map(Option.fromUndefinedOr(row), agentOf)
      ),

    retireAgent: (id, owner, at) => announcing((say) => transaction(retired(say, id, owner, at))),

    findAgent: (id) =>
      Effect.map(read<AgentRow>(find, [id]), ([row]) => Option.map(Option.fromUndefinedOr(row), agentOf)),

    listAgents: (owner, page) =>
      Effect.map(read<AgentRow & PageRow>(list, [...pageParameters(page), owner]), (rows) => pageOf(rows, agentOf))
  }
}
