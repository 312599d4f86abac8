import type { IdentityStore } from "@agent-marketplace/core/identity/IdentityStore"
import { Effect } from "effect"
import type { Database } from "../Database.ts"
import { nullableDate } from "../Row.ts"
import type { IdentityChanges } from "./IdentityChanges.ts"

const set = (table: "accounts" | "agents") =>
  `UPDATE ${table} SET frozen_at = $2::timestamptz, frozen_reason = $3::text WHERE id = $1::text RETURNING id`

export const freezeMethods = (
  { sql, transaction }: Database["Service"],
  { announcing }: IdentityChanges
): Pick<IdentityStore["Service"], "setFrozen"> => ({
  setFrozen: (id, frozen) =>
    announcing((say) =>
      transaction(
        Effect.gen(function* () {
          const table = id.startsWith("agt_") ? "agents" : "accounts"
          const rows = yield* sql.unsafe(set(table), [id, nullableDate(frozen?.since ?? null), frozen?.reason ?? null])
          if (rows.length > 0) yield* say(id)
          return rows.length > 0
        })
      )
    )
})
