import type { ActionDraft } from "@agent-marketplace/core/admin/OperatorAction"
import type { Freeze } from "@agent-marketplace/core/identity/Freeze"
import { freezeStates, refrozen } from "@agent-marketplace/core/identity/Freeze"
import { agentFrozen } from "@agent-marketplace/core/identity/IdentityEvents"
import type { IdentityStore } from "@agent-marketplace/core/identity/IdentityStore"
import type { AccountId, AgentId } from "@agent-marketplace/core/ids/Ids"
import { Effect } from "effect"
import { appendActions } from "../admin/appendActions.ts"
import type { Database } from "../Database.ts"
import { marking } from "../domains/marking.ts"
import { appendEvents } from "../events/appendEvents.ts"
import { nullableDate } from "../Row.ts"
import type { IdentityChanges, Say } from "./IdentityChanges.ts"
import type { AgentRow, FrozenColumns } from "./IdentityRow.ts"
import { agentOf, freezeOf, readAgent } from "./IdentityRow.ts"
import { withholdItems } from "./withholdItems.ts"

const lockAgent = `SELECT ${readAgent} FROM agents WHERE id = $1::text FOR NO KEY UPDATE`

/** A concurrent creation for the account waits for this lock, and then finds the account frozen. */
const lockAccount =
  "SELECT frozen_at, frozen_reason FROM accounts WHERE id = $1::text AND erased_at IS NULL FOR NO KEY UPDATE"

/** After the lock, so that an erasure that held it is seen: it removed what owners wrote about their agents (ACCOUNT-7). */
const isErased = "SELECT id FROM accounts WHERE id = $1::text AND erased_at IS NOT NULL"

const set = (table: "accounts" | "agents") =>
  `UPDATE ${table} SET frozen_at = $2::timestamptz, frozen_reason = $3::text WHERE id = $1::text`

const parameters = (id: AccountId | AgentId, freeze: Freeze | null) => [
  id,
  nullableDate(freeze?.since ?? null),
  freeze?.reason ?? null
]

const isAgent = (id: AccountId | AgentId): id is AgentId => id.startsWith("agt_")

export const freezeMethods = (
  { longTransaction, sql }: Database["Service"],
  { announcing }: IdentityChanges,
  happened: () => void
): Pick<IdentityStore["Service"], "setFrozen"> => {
  const setAgent = Effect.fnUntraced(function* (id: AgentId, frozen: Freeze | null, say: Say) {
    const [row] = yield* sql.unsafe<AgentRow>(lockAgent, [id])
    if (row === undefined) return false
    const before = agentOf(row)
    if ((yield* sql.unsafe(isErased, [before.ownerId])).length > 0) return false
    const after = refrozen(before.frozen, frozen)
    yield* sql.unsafe(set("agents"), parameters(id, after))
    if (before.frozen === null && after !== null && before.ownerId !== null) {
      yield* appendEvents(sql, [agentFrozen({ ...before, ownerId: before.ownerId }, after)])
    }
    yield* say(id)
    return true
  })

  const setAccount = Effect.fnUntraced(function* (
    id: AccountId,
    frozen: Freeze | null,
    say: Say,
    action: ActionDraft | undefined
  ) {
    const [row] = yield* sql.unsafe<FrozenColumns>(lockAccount, [id])
    if (row === undefined) return false
    const before = freezeOf(row)
    const after = refrozen(before, frozen)
    yield* marking(sql, id, sql.unsafe(set("accounts"), parameters(id, after)))
    yield* withholdItems(sql, id, after !== null)
    if (action !== undefined) yield* appendActions(sql, [{ ...action, ...freezeStates(before, after) }])
    yield* say(id)
    return true
  })

  return {
    setFrozen: (id, frozen, by) =>
      Effect.tap(
        announcing((say) =>
          longTransaction(isAgent(id) ? setAgent(id, frozen, say) : setAccount(id, frozen, say, by?.action))
        ),
        () => Effect.sync(happened)
      )
  }
}
