import { isRunning, processIdentity } from "@agent-marketplace/client/node/lock/ProcessIdentity"
import { platform } from "node:os"
import { setTimeout as pause } from "node:timers/promises"
import type { Postmaster } from "./Postmaster.ts"

/** The interval between two checks of the process, in milliseconds. */
const lookEvery = 250

/** The first and the longest wait after a failed attempt to start it again, in milliseconds; doubled each time. */
const [firstPause, longestPause] = [250, 30_000]

export interface WatchOptions {
  /** Starts the cluster again at the same port, or returns the postmaster that another process has started meanwhile. */
  readonly restart: (signal: AbortSignal) => Promise<Postmaster>
  readonly report: (sentence: string) => void
}

/**
 * Differs for every process that ever has this id; undefined if none runs. On systems other than Linux the start time is omitted,
 * because reading it would start a process.
 */
const identityOf = (pid: number): string | undefined =>
  platform() === "linux" ? processIdentity(pid) : isRunning(pid) ? String(pid) : undefined

/** Starts a cluster again when its postmaster ends. Returns a function that stops watching and ends a waiting attempt. */
export const watchPostmaster = (first: Postmaster, { report, restart }: WatchOptions): (() => Promise<void>) => {
  const stopping = new AbortController()
  const { signal } = stopping
  const rest = (milliseconds: number) => pause(milliseconds, undefined, { signal, ref: false })

  const startedAgain = async (): Promise<Postmaster> => {
    for (let wait = firstPause; ; wait = Math.min(2 * wait, longestPause)) {
      try {
        const postmaster = await restart(signal)
        if (postmaster.port !== first.port)
          throw new Error(`another process runs it at port ${postmaster.port}: restart this one`)
        return postmaster
      } catch (cause) {
        if (signal.aborted) throw cause
        const reason = cause instanceof Error ? cause.message : String(cause)
        report(`The embedded PostgreSQL could not be started again, next attempt in ${wait / 1000} s: ${reason}`)
        await rest(wait)
      }
    }
  }

  const watch = async (): Promise<void> => {
    let { pid } = first
    for (let identity = identityOf(pid); ; await rest(lookEvery)) {
      if (identity !== undefined && identityOf(pid) === identity) continue
      report(`The embedded PostgreSQL (process ${pid}) has ended and is started again`)
      pid = (await startedAgain()).pid
      identity = identityOf(pid)
      report(`The embedded PostgreSQL runs again (process ${pid})`)
    }
  }

  const watching = watch().catch((cause: unknown) => {
    if (!signal.aborted) throw cause
  })
  return async () => {
    stopping.abort()
    await watching
  }
}
