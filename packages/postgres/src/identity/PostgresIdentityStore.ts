import { IdentityStore } from "@agent-marketplace/core/identity/IdentityStore"
import { Effect, Layer } from "effect"
import { Database } from "../Database.ts"
import { Notifications } from "../Notifications.ts"
import { accountMethods } from "./accountMethods.ts"
import { agentMethods } from "./agentMethods.ts"
import { eraseMethods } from "./eraseMethods.ts"
import { IdentityAnnouncements } from "./IdentityChanges.ts"
import { freezeMethods } from "./freezeMethods.ts"
import { keyMethods } from "./keyMethods.ts"

export const PostgresIdentityStore: {
  readonly layer: Layer.Layer<IdentityStore, never, Database | IdentityAnnouncements | Notifications>
} = {
  layer: Layer.effect(
    IdentityStore,
    Effect.gen(function* () {
      const database = yield* Database
      const { hint } = yield* Notifications
      const changes = yield* IdentityAnnouncements
      return {
        ...accountMethods(database, changes),
        ...agentMethods(database, changes, () => hint("events")),
        ...keyMethods(database, changes, () => hint("events")),
        ...freezeMethods(database, changes, () => hint("events")),
        ...eraseMethods(database, changes),
        changes: changes.changes,
        live: changes.live
      }
    })
  )
}
