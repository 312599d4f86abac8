import type { QuotaExceeded } from "@agent-marketplace/core/errors/MarketError"
import type { GrantDraft } from "@agent-marketplace/core/oauth/OauthStore"
import type { SqlClient } from "effect/sql/SqlClient"
import { Effect } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import { writePolicy } from "../approvals/writePolicy.ts"
import { appendEvents } from "../events/appendEvents.ts"
import { admitRecord } from "../identity/admitRecord.ts"
import type { RecordOwner } from "../identity/admitRecord.ts"
import { insertAgent, registered } from "../identity/agentMethods.ts"
import { insertKey, keyParameters } from "../identity/keyStatements.ts"
import { grantRecord, insertInto } from "./OauthRow.ts"

const insert = insertInto("oauth_grants", grantRecord.columns)

/** Stores a grant with its agent, policy and key, for an account that is locked. */
export const addGrant = Effect.fnUntraced(function* (
  sql: SqlClient,
  owner: RecordOwner | undefined,
  { agent, grant, key, policy }: GrantDraft
): Effect.fn.Return<void, QuotaExceeded | SqlError> {
  yield* admitRecord(sql, owner, "agents")
  yield* insertAgent(sql, agent, null)
  yield* sql.unsafe(insertKey(1), keyParameters(key))
  yield* writePolicy(sql, agent.id, policy)
  yield* sql.unsafe(insert, [JSON.stringify(grantRecord.write(grant))])
  yield* appendEvents(sql, [registered(agent)])
})
