import { NotificationStore } from "@agent-marketplace/core/notifications/NotificationStore"
import { Effect, Layer } from "effect"
import { Database } from "../Database.ts"
import { channelMethods } from "./channelMethods.ts"
import { dispatchNotices } from "./dispatchNotices.ts"
import { messageMethods } from "./messageMethods.ts"

export const PostgresNotificationStore: { readonly layer: Layer.Layer<NotificationStore, never, Database> } = {
  layer: Layer.effect(
    NotificationStore,
    Effect.map(Database, (database) => ({
      ...channelMethods(database),
      ...messageMethods(database),
      dispatch: dispatchNotices(database)
    }))
  )
}
