import { ImageRenderer } from "@agent-marketplace/core/images/ImageRenderer"
import { assert, describe, it } from "@effect/vitest"
import { Clock, Effect, Schedule } from "effect"
import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { ProcessImageRenderer } from "../../src/images/ProcessImageRenderer.ts"

const program = new URL("../fixtures/faultyDecoder.ts", import.meta.url)

const signature = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]

const isRunning = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

/** Renders with a decoder that has this fault; `meanwhile` gets its process id as soon as it works. Returns the refusal. */
const refusalOf = Effect.fnUntraced(function* (
  fault: string,
  patience: number,
  meanwhile: (pid: number) => void = () => undefined
) {
  const folder = yield* Effect.acquireRelease(
    Effect.sync(() => mkdtempSync(join(tmpdir(), "decoder-"))),
    (path) => Effect.sync(() => rmSync(path, { recursive: true }))
  )
  const file = join(folder, "pid")
  const started = Effect.try(() => Number(readFileSync(file, "utf8"))).pipe(
    Effect.filterOrFail((pid) => pid > 0),
    Effect.retry(Schedule.spaced("20 millis")),
    Effect.timeout("20 seconds")
  )
  const picture = Buffer.concat([Buffer.from(signature), Buffer.from(`${fault} ${file}`)])
  const rendered = Effect.flatMap(ImageRenderer, (renderer) =>
    renderer.render(picture, "image/png", "screenshot")
  ).pipe(Effect.provide(ProcessImageRenderer.layerWith({ program, patience, maxMemory: 536_870_912 })))
  const [failure, pid] = yield* Effect.all(
    [Effect.flip(rendered), Effect.tap(started, (id) => Effect.sync(() => meanwhile(id)))],
    {
      concurrency: "unbounded"
    }
  )
  assert.isFalse(isRunning(pid), "the process has ended")
  return failure._tag === "ImageInvalid" ? failure.message : failure._tag
}, Effect.scoped)

const refused = "cannot be decoded with the memory and time that a picture gets"

describe("faults of the decoder (IMAGE-4)", () => {
  it.live("a decoder that is killed or exits ends the upload only", () =>
    Effect.gen(function* () {
      assert.strictEqual(yield* refusalOf("wait", 20_000, (pid) => process.kill(pid, "SIGKILL")), refused)
      assert.strictEqual(yield* refusalOf("exit", 20_000), refused)
    })
  )

  it.live("a decoder that hangs is ended after its time limit", () =>
    Effect.gen(function* () {
      assert.strictEqual(yield* refusalOf("loop", 3000), refused)
      assert.strictEqual(yield* refusalOf("wait", 3000, (pid) => process.kill(pid, "SIGSTOP")), refused)
    })
  )

  it.live("a decoder that answers garbage is refused and ended", () =>
    Effect.gen(function* () {
      for (const fault of ["text", "nothing", "html", "size"]) {
        assert.strictEqual(yield* refusalOf(fault, 20_000), refused, fault)
      }
    })
  )

  it.live.skipIf(process.platform !== "linux")("a decoder that takes too much memory is ended (Linux has /proc)", () =>
    Effect.gen(function* () {
      for (const fault of ["heap", "memory"]) {
        const startedAt = yield* Clock.currentTimeMillis
        assert.strictEqual(yield* refusalOf(fault, 30_000), refused, fault)
        assert.isBelow((yield* Clock.currentTimeMillis) - startedAt, 25_000, "before the time limit")
      }
    })
  )
})
