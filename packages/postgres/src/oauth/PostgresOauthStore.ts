import { OauthStore } from "@agent-marketplace/core/oauth/OauthStore"
import { Effect, Layer } from "effect"
import { Database } from "../Database.ts"
import { IdentityAnnouncements } from "../identity/IdentityChanges.ts"
import { Notifications } from "../Notifications.ts"
import { clientMethods } from "./clientMethods.ts"
import { grantMethods } from "./grantMethods.ts"
import { requestMethods } from "./requestMethods.ts"

export const PostgresOauthStore: {
  readonly layer: Layer.Layer<OauthStore, never, Database | IdentityAnnouncements | Notifications>
} = {
  layer: Layer.effect(
    OauthStore,
    Effect.gen(function* () {
      const database = yield* Database
      const changes = yield* IdentityAnnouncements
      const { hint } = yield* Notifications
      return {
        ...clientMethods(database, changes),
        ...requestMethods(database, changes, () => hint("events")),
        ...grantMethods(database, changes, () => hint("events"))
      }
    })
  )
}
