import { ImageInvalid, ImageRenderer, ImagesUnsupported } from "@agent-marketplace/core/images/ImageRenderer"
import type { ImageKind, ImageMediaType } from "@agent-marketplace/core/images/ItemImage"
import { Effect, Layer } from "effect"
import type { ChildProcess } from "node:child_process"
import { fork } from "node:child_process"
import { readFile } from "node:fs/promises"
import type { ImageReply, ImageTask, RenderedVariant, VariantSize } from "./ImageTask.ts"
import { imageLimits, imagePatience } from "./imageLimits.ts"
import { formatOf } from "./imageSignature.ts"

const sizes: Readonly<Record<ImageKind, Readonly<Record<"full" | "small", VariantSize>>>> = {
  thumbnail: {
    full: { width: 640, height: 360, fit: "cover" },
    small: { width: 320, height: 180, fit: "cover" }
  },
  screenshot: {
    full: { width: 1600, height: 1600, fit: "inside" },
    small: { width: 480, height: 480, fit: "inside" }
  }
}

const here = import.meta.url

/** Sources are loaded as they are; `scripts/bundle.ts` puts the program of a build beside this module. */
const program = new URL(`./imageProcess.${here.endsWith(".ts") ? "ts" : "js"}`, here)

const undecodable = new ImageInvalid({ message: "cannot be decoded with the memory and time that a picture gets" })

/** How the process of a picture is started, and what it may use. Tests replace the program. */
export interface RendererOptions {
  readonly program: URL
  /** In milliseconds. */
  readonly patience: number
  /** The memory of the whole process, in bytes; enforced on Linux. */
  readonly maxMemory: number
}

const defaults: RendererOptions = { program, patience: imagePatience, maxMemory: 1_073_741_824 }

/** How often the memory of the process is measured. The heap of JavaScript has its own limit; the decoder's memory is outside of it. */
const pause = "50 millis"

const pageSize = 4096

/** The resident memory in bytes; 0 where the system does not have `/proc`, or the process has ended. */
const memoryOf = (pid: number): Effect.Effect<number> =>
  Effect.promise(() =>
    readFile(`/proc/${pid}/statm`, "utf8").then(
      (text) => Number(text.split(" ")[1]) * pageSize,
      () => 0
    )
  )

const hasEnded = ({ exitCode, pid, signalCode }: ChildProcess): boolean =>
  pid === undefined || exitCode !== null || signalCode !== null

/** Has no secrets in its environment. It is ended with the scope. */
const start = ({ program: file }: RendererOptions) =>
  Effect.acquireRelease(
    Effect.sync(() =>
      fork(file, [], {
        serialization: "advanced",
        stdio: ["ignore", "ignore", "ignore", "ipc"],
        execArgv: ["--max-old-space-size=128"],
        env: {}
      })
    ),
    (child) =>
      Effect.callback<void>((resume) => {
        if (hasEnded(child)) return resume(Effect.void)
        child.once("exit", () => resume(Effect.void))
        child.kill("SIGKILL")
      })
  )

const isVariant = (value: unknown): value is RenderedVariant => {
  const { bytes, height, width } = (value ?? {}) as Partial<RenderedVariant>
  const isSide = (side: unknown) => Number.isInteger(side) && Number(side) > 0 && Number(side) <= imageLimits.maxSide
  return bytes instanceof Uint8Array && formatOf(bytes) === "webp" && isSide(width) && isSide(height)
}

/** The process decodes untrusted pictures, so its reply is checked too. */
const isReply = (value: unknown): value is ImageReply => {
  const reply = (value ?? {}) as Partial<Record<"_tag" | "full" | "small" | "message", unknown>>
  if (reply._tag === "Rendered") return isVariant(reply.full) && isVariant(reply.small)
  return reply._tag === "Unsupported" || (reply._tag === "Refused" && typeof reply.message === "string")
}

const replyOf = (child: ChildProcess, task: ImageTask): Effect.Effect<ImageReply, ImageInvalid> =>
  Effect.callback<ImageReply, ImageInvalid>((resume) => {
    child.once("message", (reply: unknown) => resume(isReply(reply) ? Effect.succeed(reply) : Effect.fail(undecodable)))
    child.once("error", (error) => resume(Effect.die(error)))
    child.once("exit", () => resume(Effect.fail(undecodable)))
    child.send(task, () => undefined)
  })

const untilTooLarge = Effect.fnUntraced(function* (pid: number, maxMemory: number) {
  while ((yield* memoryOf(pid)) <= maxMemory) yield* Effect.sleep(pause)
  return yield* undecodable
})

/** Runs the task in a process of its own. */
const run = (task: ImageTask, options: RendererOptions): Effect.Effect<ImageReply, ImageInvalid> =>
  Effect.scoped(
    Effect.gen(function* () {
      const child = yield* start(options)
      const reply = replyOf(child, task)
      return yield* child.pid === undefined
        ? reply
        : Effect.raceFirst(reply, untilTooLarge(child.pid, options.maxMemory))
    }).pipe(Effect.timeoutOrElse({ duration: `${options.patience} millis`, orElse: () => Effect.fail(undecodable) }))
  )

const makeRender = (options: RendererOptions) =>
  Effect.fn("ImageRenderer.render")(function* (bytes: Uint8Array, mediaType: ImageMediaType, kind: ImageKind) {
    const format = formatOf(bytes)
    if (format === undefined) {
      return yield* new ImageInvalid({
        message: "must be a PNG, a JPEG or a WebP: other formats, such as SVG and GIF, are refused"
      })
    }
    if (`image/${format}` !== mediaType) {
      return yield* new ImageInvalid({ message: `is image/${format}, but the content type says ${mediaType}` })
    }
    const reply = yield* run({ bytes, format, ...sizes[kind] }, options)
    if (reply._tag === "Unsupported") return yield* new ImagesUnsupported()
    if (reply._tag === "Refused") return yield* new ImageInvalid({ message: reply.message })
    return { full: reply.full, small: reply.small }
  })

/** Decodes each picture with `sharp` in a process of its own, so that neither a crash nor a bomb reaches this one (IMAGE-4). */
export const ProcessImageRenderer = {
  layer: Layer.succeed(ImageRenderer, { render: makeRender(defaults) }),
  layerWith: (options: Partial<RendererOptions>) =>
    Layer.succeed(ImageRenderer, { render: makeRender({ ...defaults, ...options }) })
}
