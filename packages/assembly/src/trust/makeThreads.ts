import { Data, Effect } from "effect"
import { Worker } from "node:worker_threads"
import type { TransferListItem } from "node:worker_threads"
import type { ThreadTask } from "./ThreadTask.ts"

/** The task needs more memory or time than its limits. */
export class ThreadFailed extends Data.TaggedError("ThreadFailed")<{ readonly reason: string }> {}

interface ThreadLimits {
  readonly seconds: number
  /** Of JavaScript's heap, in MiB. The bytes of files are outside of it, and bounded by the size of an archive. */
  readonly heap: number
}

/** How long a thread without a task is kept, in milliseconds. */
const keptFor = 30_000

const here = import.meta.url

/**
 * Sources are loaded as they are; a build has its modules as JavaScript, and `scripts/bundle.ts` puts the program beside this module. The address is
 * not one that bundlers of applications recognize and replace.
 */
const program = new URL(`./trustThread.${here.endsWith(".ts") ? "ts" : "js"}`, here)

const startThread = (heap: number): Worker =>
  new Worker(program, {
    resourceLimits: { maxOldGenerationSizeMb: heap },
    // The environment of the process has secrets.
    env: {}
  })

/** Only these: Node follows the listeners of a worker by listeners of its own. */
const forgetListeners = (thread: Worker | undefined): void => {
  for (const name of ["message", "error", "exit"]) thread?.removeAllListeners(name)
}

/** Ends a thread without a task or with one that nobody waits for: a reply that is under way no longer counts, nor does an error. */
const end = async (thread: Worker | undefined): Promise<void> => {
  forgetListeners(thread)
  thread?.on("error", () => {})
  await thread?.terminate()
}

/** A thread without a task, which does not keep the process running. It ends after a while. */
const makeKept = () => {
  let kept: Worker | undefined
  let timer: NodeJS.Timeout | undefined
  const take = (): Worker | undefined => {
    const thread = kept
    kept = undefined
    clearTimeout(timer)
    forgetListeners(thread)
    thread?.ref()
    return thread
  }
  return {
    take,
    keep: (thread: Worker): void => {
      if (kept !== undefined) return void end(thread)
      forgetListeners(thread)
      kept = thread
      thread.unref()
      const forget = () => {
        if (kept === thread) take()
      }
      thread.once("error", forget).once("exit", forget)
      timer = setTimeout(() => void end(take()), keptFor).unref()
    }
  }
}

export interface Threads {
  /** Runs the task in a thread with no other task. Dies if the task throws. An interruption ends the thread. */
  readonly run: <Reply>(
    task: ThreadTask,
    transferList?: ReadonlyArray<TransferListItem>
  ) => Effect.Effect<Reply, ThreadFailed>
}

/**
 * Runs tasks in threads with these limits. Starting a thread and loading its modules takes a third of a second of processor time, so one is kept for 30 seconds
 * for the next task. Nothing has to be closed: a kept thread does not keep the process running. A thread that failed is never used again.
 */
export const makeThreads = ({ heap, seconds }: ThreadLimits): Threads => {
  const kept = makeKept()

  const attempt = <Reply>(task: ThreadTask, transferList: ReadonlyArray<TransferListItem>) =>
    Effect.callback<Reply, ThreadFailed>((resume) => {
      const thread = kept.take() ?? startThread(heap)
      thread.once("message", (reply: Reply) => {
        kept.keep(thread)
        resume(Effect.succeed(reply))
      })
      thread.once("error", (error: NodeJS.ErrnoException) =>
        resume(
          error.code === "ERR_WORKER_OUT_OF_MEMORY"
            ? Effect.fail(new ThreadFailed({ reason: `needs more than ${heap} MiB of memory` }))
            : Effect.die(error)
        )
      )
      thread.once("exit", () => resume(Effect.die(new Error("a thread ended without a reply"))))
      thread.postMessage(task, transferList)
      return Effect.promise(() => end(thread))
    })

  return {
    run: <Reply>(task: ThreadTask, transferList: ReadonlyArray<TransferListItem> = []) =>
      attempt<Reply>(task, transferList).pipe(
        Effect.timeoutOrElse({
          duration: `${seconds} seconds`,
          orElse: () => Effect.fail(new ThreadFailed({ reason: `took more than ${seconds} seconds` }))
        })
      )
  }
}
