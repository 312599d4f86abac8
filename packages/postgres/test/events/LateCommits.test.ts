import { EventLog } from "@agent-marketplace/core/events/EventLog"
import type { MarketEvent } from "@agent-marketplace/core/events/MarketEvent"
import { createDatabase } from "@agent-marketplace/fixtures/postgres/TestPostgres"
import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Fiber, Layer, Redacted } from "effect"
import { Database } from "../../src/Database.ts"
import { appendEvents } from "../../src/events/appendEvents.ts"
import { PostgresEventLog } from "../../src/events/PostgresEventLog.ts"
import { migrate } from "../../src/migrate.ts"
import { Notifications } from "../../src/Notifications.ts"

const database = Layer.unwrap(
  Effect.map(
    Effect.promise(() => createDatabase()),
    (url) => Database.layer({ url: Redacted.make(url) })
  )
)

const log = PostgresEventLog.layer.pipe(
  Layer.provide(Notifications.layer),
  Layer.provideMerge(Layer.effectDiscard(migrate).pipe(Layer.provideMerge(database)))
)

const event = (subject: string): MarketEvent => ({
  type: "agent.registered",
  at: 0,
  subject,
  accounts: [],
  data: { name: `${subject} "{x,y}"` }
})

const subjectsAfter = Effect.fnUntraced(function* (cursor: string | undefined) {
  const { read } = yield* EventLog
  const events = yield* read(cursor, 100)
  return { subjects: events.map(({ subject }) => subject), cursor: events.at(-1)?.cursor ?? cursor }
})

describe("PostgresEventLog", () => {
  it.live("a reader does not skip an event whose transaction commits late (EVENT-14)", () =>
    Effect.gen(function* () {
      const { sql, transaction } = yield* Database
      const append = (subject: string) => appendEvents(sql, [event(subject)])
      yield* transaction(append("first"))
      const start = yield* subjectsAfter(undefined)
      assert.deepStrictEqual(start.subjects, ["first"])

      const appended = yield* Deferred.make<void>()
      const mayCommit = yield* Deferred.make<void>()
      const slow = yield* Effect.forkChild(
        transaction(
          Effect.gen(function* () {
            yield* append("slow")
            yield* Deferred.succeed(appended, undefined)
            yield* Deferred.await(mayCommit)
          })
        )
      )
      yield* Deferred.await(appended)
      yield* transaction(append("quick"))

      const between = yield* subjectsAfter(start.cursor)
      assert.deepStrictEqual(between.subjects, [], "events newer than a running transaction wait for it")
      yield* Deferred.succeed(mayCommit, undefined)
      yield* Fiber.join(slow)
      const end = yield* subjectsAfter(between.cursor)
      assert.deepStrictEqual(end.subjects, ["slow", "quick"])
    }).pipe(Effect.provide(log))
  )
})
