import type { Scan } from "@agent-marketplace/core/releases/Verdict"
import { assert, it } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { readdirSync, readFileSync } from "node:fs"
import { getPriority } from "node:os"
import { TestClock } from "effect/testing"
import { makeThreads } from "../../src/trust/makeThreads.ts"
import type { ThreadTask } from "../../src/trust/ThreadTask.ts"

const skill = "---\nname: sorter\ndescription: Sorts rows.\n---\n\n# Sorter\n\nSorts the rows of a table.\n"

const scanOf = (lines: number): ThreadTask => ({
  _tag: "Scan",
  kind: "skill",
  files: [{ path: "SKILL.md", bytes: new TextEncoder().encode(skill + "Sort a row of the table.\n".repeat(lines)) }]
})

/** Counts the threads that this process starts until the scope closes. */
const countStarts = Effect.gen(function* () {
  let starts = 0
  const count = () => {
    starts += 1
  }
  process.on("worker", count)
  yield* Effect.addFinalizer(() => Effect.sync(() => process.off("worker", count)))
  return () => starts
})

it.effect("a thread that exceeded its time ends, and the next scan works in a new one (RELEASE-9)", () =>
  Effect.gen(function* () {
    const starts = yield* countStarts
    const threads = makeThreads({ seconds: 60, heap: 512 })
    const scan = (lines: number) => threads.run<Scan>(scanOf(lines))
    assert.strictEqual((yield* scan(0)).verdict.level, "clean")
    const long = yield* Effect.forkChild(Effect.flip(scan(100_000)), { startImmediately: true })
    yield* TestClock.adjust("60 seconds")
    assert.strictEqual((yield* Fiber.join(long)).reason, "took more than 60 seconds")
    assert.strictEqual(starts(), 1)
    assert.strictEqual((yield* scan(0)).verdict.level, "clean")
    assert.strictEqual((yield* scan(0)).verdict.level, "clean")
    assert.strictEqual(starts(), 2)
  })
)

it.effect("a thread that exceeded its memory ends, and the next scan works in a new one (RELEASE-9)", () =>
  Effect.gen(function* () {
    const starts = yield* countStarts
    // The sources of the scanner need more than 48 MiB, the text as UTF-16 another 95 MiB.
    const threads = makeThreads({ seconds: 60, heap: 128 })
    const scan = (lines: number) => threads.run<Scan>(scanOf(lines))
    assert.strictEqual((yield* scan(0)).verdict.level, "clean")
    assert.strictEqual((yield* Effect.flip(scan(2_000_000))).reason, "needs more than 128 MiB of memory")
    assert.strictEqual(starts(), 1)
    assert.strictEqual((yield* scan(0)).verdict.level, "clean")
    assert.strictEqual((yield* scan(0)).verdict.level, "clean")
    assert.strictEqual(starts(), 2)
  })
)

it.live(
  "an interrupted task ends although its reply is under way, and the next task has another thread (RELEASE-9)",
  () =>
    Effect.gen(function* () {
      const threads = makeThreads({ seconds: 60, heap: 512 })
      const scan = threads.run<Scan>(scanOf(0))
      yield* scan
      const interrupted = yield* Effect.forkChild(scan, { startImmediately: true })
      // The thread replies while this one cannot receive it.
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 500)
      yield* Fiber.interrupt(interrupted)
      assert.strictEqual((yield* scan).verdict.level, "clean")
    })
)

/** The line that Linux reports about a thread; empty if the thread has ended, as kept threads of other tests may. */
const statOf = (thread: string): string => {
  try {
    return readFileSync(`/proc/self/task/${thread}/stat`, "utf8")
  } catch {
    return ""
  }
}

/** For each thread of this process, by its id: its nice value minus this thread's. */
const differences = (): ReadonlyMap<string, number> =>
  new Map(
    readdirSync("/proc/self/task").flatMap((thread) => {
      const stat = statOf(thread)
      const nice = Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[16])
      return stat === "" ? [] : [[thread, nice - getPriority()] as const]
    })
  )

it.effect.runIf(process.platform === "linux")(
  "a thread that scans has a lower priority than the threads that answer requests (RELEASE-32)",
  () =>
    Effect.gen(function* () {
      const threads = makeThreads({ seconds: 60, heap: 512 })
      const before = differences()
      yield* threads.run<Scan>(scanOf(0))
      const changed = [...differences()].filter(([thread, difference]) => difference !== (before.get(thread) ?? 0))
      assert.deepStrictEqual(
        changed.map(([, difference]) => difference),
        [5]
      )
    })
)
