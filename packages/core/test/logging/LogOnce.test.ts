import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { makeLogOnce } from "../../src/logging/LogOnce.ts"

describe("messages that are logged once per interval", () => {
  it.effect("each key has its own interval, and each logger its own state", () =>
    Effect.gen(function* () {
      const written: Array<string> = []
      const write = (text: string) =>
        Effect.sync(() => {
          written.push(text)
        })
      const first = makeLogOnce(1000)
      const second = makeLogOnce(1000)
      yield* first("database", write("first database"))
      yield* first("database", write("too soon"))
      yield* first("chain", write("first chain"))
      yield* second("database", write("second database"))
      yield* TestClock.adjust(999)
      yield* first("database", write("still too soon"))
      yield* TestClock.adjust(1)
      yield* first("database", write("first database again"))
      assert.deepStrictEqual(written, ["first database", "first chain", "second database", "first database again"])
    })
  )
})
