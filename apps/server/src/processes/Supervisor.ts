import cluster from "node:cluster"
import type { Worker } from "node:cluster"
import { greets, processNumber } from "./Messages.ts"
import type { ProcessSample, ToProcess, ToSupervisor } from "./Messages.ts"

/** The pauses between the starts of a process that keeps ending, in milliseconds. */
const shortestPause = 100
const longestPause = 10_000

/** A process that ran for this long is started again without a pause. */
const settled = 60_000

/** How long the supervisor waits for the metrics of its processes, in milliseconds. */
const samplePatience = 1000

interface Gathering {
  readonly requester: Worker
  readonly samples: Array<ProcessSample>
  missing: number
}

const log = (sentence: string): void => void process.stderr.write(`${sentence}\n`)

/** Answers a request for metrics once every process has answered, or the time for answers is over. */
const gatherer = (numberOf: (worker: Worker) => number, all: () => ReadonlyArray<Worker>) => {
  const open = new Map<string, Gathering>()
  const answer = (id: string): void => {
    const gathering = open.get(id)
    if (gathering === undefined || !open.delete(id) || !gathering.requester.isConnected()) return
    const samples = gathering.samples.toSorted((a, b) => a.process - b.process)
    gathering.requester.send({ type: "gathered", id, samples } satisfies ToProcess)
  }
  return (from: Worker, message: Exclude<ToSupervisor, { readonly type: "serving" }>): void => {
    if (message.type === "gather") {
      const asked = all().filter((worker) => worker.isConnected())
      open.set(message.id, { requester: from, samples: [], missing: asked.length })
      for (const worker of asked) worker.send({ type: "sample", id: message.id } satisfies ToProcess)
      setTimeout(answer, samplePatience, message.id).unref()
      return
    }
    const gathering = open.get(message.id)
    if (gathering === undefined) return
    gathering.samples.push({ process: numberOf(from), text: message.text })
    if (--gathering.missing === 0) answer(message.id)
  }
}

/**
 * Runs several server processes on one port (CONFIG-15). The first one prepares the database and the data folder; the others start when it
 * serves. On Linux each listens on the port itself: the supervisor has no connections, and the kernel closes those of a process
 * that is killed. A process that ends is started again, with growing pauses if it keeps ending. SIGTERM and SIGINT are passed on. The
 * exit code is 0 if every process stopped by itself, and that of the first process if it fails before it serves.
 */
export const supervise = (count: number, environment: Readonly<Record<string, string | undefined>>): void => {
  const numbers = new Map<Worker, number>()
  let ready = false
  let stopping = false

  const start = (number: number, pause = shortestPause): void => {
    const worker = cluster.fork({
      ...environment,
      [processNumber]: String(number),
      ...(ready ? {} : { [greets]: "true" })
    })
    const startedAt = Date.now()
    numbers.set(worker, number)
    worker.on("message", (message: ToSupervisor) => {
      if (message.type !== "serving") return receive(worker, message)
      if (ready || stopping) return
      ready = true
      for (let other = 2; other <= count; other++) start(other)
    })
    worker.once("exit", (code, signal) => {
      numbers.delete(worker)
      // A process that is stopped before it installs its signal handlers is ended by the signal. This is not a failure.
      const isStopped = stopping && signal !== null
      if (!ready && !isStopped) process.exitCode = code ?? 1
      if (stopping || !ready) {
        if (ready && code !== 0) process.exitCode = 1
        return
      }
      const wait = Date.now() - startedAt > settled ? shortestPause : pause
      log(`Server process ${number} ended (${signal ?? `exit code ${code}`}) and is started again`)
      setTimeout(() => {
        if (!stopping) start(number, Math.min(2 * wait, longestPause))
      }, wait)
    })
  }

  const receive = gatherer(
    (worker) => numbers.get(worker) ?? 0,
    () => [...numbers.keys()]
  )

  const stop = (): void => {
    stopping = true
    for (const worker of numbers.keys()) worker.process.kill("SIGTERM")
  }
  process.on("SIGTERM", stop).on("SIGINT", stop)
  start(1)
}
