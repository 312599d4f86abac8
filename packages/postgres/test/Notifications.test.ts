import { createDatabase } from "@agent-marketplace/fixtures/postgres/TestPostgres"
import { assert, describe, it } from "@effect/vitest"
import { Context, Effect, Layer, Redacted } from "effect"
import { Database } from "../src/Database.ts"
import { countListeners, Notifications } from "../src/Notifications.ts"
import { switchableProxy } from "./SwitchableProxy.ts"

const databaseAt = (url: string) => Database.layer({ url: Redacted.make(url), readConnections: 1 })

const notificationsAt = (url: string) =>
  Effect.map(Layer.build(Layer.fresh(Notifications.layer.pipe(Layer.provide(databaseAt(url))))), (context) =>
    Context.get(context, Notifications)
  )

describe("Notifications", () => {
  it.live("a process is ready only once it listens for announcements and is counted as a listener (OPERATOR-19)", () =>
    Effect.gen(function* () {
      const url = yield* Effect.promise(() => createDatabase())
      const database = Context.get(yield* Layer.build(databaseAt(url)), Database)
      for (let listeners = 1; listeners <= 3; listeners++) {
        const { live } = yield* notificationsAt(url)
        assert.isTrue(yield* live)
        assert.deepStrictEqual(yield* database.read(countListeners), [{ listeners }])
      }
    }).pipe(Effect.scoped)
  )

  it.live("the layer is also built while the database is unavailable, and listens once it is back", () =>
    Effect.gen(function* () {
      const url = yield* Effect.promise(() => createDatabase())
      const proxy = yield* Effect.acquireRelease(
        Effect.promise(() => switchableProxy(url)),
        ({ close }) => Effect.promise(close)
      )
      proxy.turn("closed")
      const { live } = yield* notificationsAt(proxy.url)
      assert.isFalse(yield* live)
      proxy.turn("open")
      while (!(yield* live)) yield* Effect.sleep("20 millis")
    }).pipe(Effect.scoped)
  )
})
