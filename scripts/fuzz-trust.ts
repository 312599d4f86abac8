/**
 * `npm run fuzz:trust -- --steps N [--seed S] [--from STEP]`: changed archives and texts against the package trust. Fails if a step throws, takes
 * more than 2 s of processor time, or memory exceeds 300 MB. Node denies the process every write and every other process, so that an attempt throws.
 */
import { parseArgs } from "node:util"
import { setImmediate } from "node:timers/promises"
import { isMainThread, Worker, workerData } from "node:worker_threads"
import type { TrustFunctions } from "@agent-marketplace/fixtures/fuzzing/trustTargets"

const maxSeconds = 2
const maxMegabytes = 300

interface Run {
  readonly seed: number
  readonly from: number
  readonly steps: number
  /** The current step, and how many inputs were accepted. */
  readonly progress: Int32Array
  /** Processor time of the slowest step in seconds, and that step. */
  readonly slowest: Float64Array
}

/** Processor time of this thread: other processes do not count. */
const threadSeconds = (): number => {
  const { system, user } = process.threadCpuUsage()
  return (system + user) / 1e6
}

/** Runs the steps in the worker. Only the worker loads what is fuzzed, so that the memory is that of one copy. */
const work = async ({ from, progress, seed, slowest, steps }: Run): Promise<void> => {
  const { trustStep } = await import("@agent-marketplace/fixtures/fuzzing/trustTargets")
  const { unpackArchive } = await import("@agent-marketplace/trust/archive/unpackArchive")
  const { readSkill } = await import("@agent-marketplace/trust/archive/readSkill")
  const { scan } = await import("@agent-marketplace/trust/scan")
  const functions: TrustFunctions = {
    unpackArchive,
    readSkill,
    scan: (files) => scan(files, { kind: files.some(({ path }) => path === "SOUL.md") ? "soul" : "skill" })
  }
  // Refusals are errors, whose stacks take a third of the time. A step that is repeated alone shows its stack.
  if (steps > 1) Error.stackTraceLimit = 0
  let before = threadSeconds()
  for (let step = from; step < from + steps; step++) {
    // zlib frees the memory of failed calls in a later turn of the event loop.
    if (step % 128 === 0) await setImmediate()
    Atomics.store(progress, 0, step)
    if (await trustStep(functions, seed, step)) Atomics.add(progress, 1, 1)
    const now = threadSeconds()
    if (now - before > (slowest[0] ?? 0)) [slowest[0], slowest[1]] = [now - before, step]
    before = now
  }
}

const numberOf = (value: string | undefined, name: string, fallback: number): number => {
  const number = value === undefined ? fallback : Number(value)
  if (!Number.isSafeInteger(number) || number < 0 || number > 2 ** 31 - 1) {
    console.error(`--${name} must be a whole number from 0 to ${2 ** 31 - 1}`)
    process.exit(2)
  }
  return number
}

/** Stops the run where the current step takes too much processor time or memory. */
const watch = (progress: Int32Array, fail: (reason: string) => void): NodeJS.Timeout => {
  let last = -1
  let since = 0
  return setInterval(() => {
    const { system, user } = process.cpuUsage()
    const used = (system + user) / 1e6
    const step = Atomics.load(progress, 0)
    if (step !== last) [last, since] = [step, used]
    else if (used - since > maxSeconds) fail(`step ${step} takes more than ${maxSeconds} s`)
    const megabytes = process.resourceUsage().maxRSS / 1024
    if (megabytes > maxMegabytes) fail(`memory reached ${megabytes.toFixed(0)} MB by step ${step}`)
  }, 100)
}

const main = (): void => {
  if (process.permission === undefined || process.permission.has("fs.write")) {
    console.error("run it with: npm run fuzz:trust, which denies the process every write")
    process.exit(2)
  }
  const { values } = parseArgs({
    options: { steps: { type: "string" }, seed: { type: "string" }, from: { type: "string" } }
  })
  const seed = numberOf(values.seed, "seed", Math.floor(Math.random() * 2 ** 31))
  const from = numberOf(values.from, "from", 0)
  const steps = numberOf(values.steps, "steps", 100_000)
  const progress = new Int32Array(new SharedArrayBuffer(8))
  const slowest = new Float64Array(new SharedArrayBuffer(16))
  console.log(`seed ${seed}, steps ${from} to ${from + steps - 1}`)
  const started = performance.now()
  const report = (): void => {
    const done = Atomics.load(progress, 0) - from + 1
    const seconds = (performance.now() - started) / 1000
    const peak = process.resourceUsage().maxRSS / 1024
    const { system, user } = process.cpuUsage()
    const used = (system + user) / 1e6
    const [most = 0, slowestStep] = slowest
    console.log(
      `${done} steps in ${seconds.toFixed(1)} s, ${used.toFixed(1)} s of processor time (${(done / used).toFixed(0)}/s), ${Atomics.load(progress, 1)} accepted, slowest ${slowestStep} with ${(most * 1000).toFixed(1)} ms, peak ${peak.toFixed(0)} MB`
    )
  }
  const fail = (reason: string): never => {
    report()
    console.error(
      `FAILED: ${reason}\nrepeat: npm run fuzz:trust -- --seed ${seed} --from ${Atomics.load(progress, 0)} --steps 1`
    )
    process.exit(1)
  }
  const run: Run = { seed, from, steps, progress, slowest }
  const worker = new Worker(new URL(import.meta.url), {
    workerData: run,
    // Garbage is collected early, so that the limit measures what is in use.
    resourceLimits: { maxYoungGenerationSizeMb: 8, maxOldGenerationSizeMb: 160 }
  })
  const watcher = watch(progress, fail)
  const reporter = setInterval(report, 30_000)
  worker.on("error", (error) =>
    fail(`step ${Atomics.load(progress, 0)}: ${error instanceof Error ? error.stack : String(error)}`)
  )
  worker.on("exit", () => {
    clearInterval(watcher)
    clearInterval(reporter)
    report()
  })
}

if (isMainThread) main()
else await work(workerData as Run)
