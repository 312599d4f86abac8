import type { ChildProcessWithoutNullStreams } from "node:child_process"
import { spawn } from "node:child_process"
import { InstallError } from "../InstallError.ts"
import { quoted } from "../tree/quoted.ts"
import { gitEnvironment } from "./gitSettings.ts"

/** A git that runs. */
export interface RunningGit {
  readonly child: ChildProcessWithoutNullStreams
  /** Resolves when it ended well; else rejects with what it said last. */
  readonly ended: Promise<void>
  /** Kills it and whatever it has started. */
  readonly stop: () => void
}

const mostSaid = 8192

const failureOf = (cause: unknown): InstallError =>
  (cause as NodeJS.ErrnoException).code === "ENOENT"
    ? new InstallError("the source is a git repository, and there is no git on this machine's PATH", cause)
    : new InstallError("git did not start", cause)

const lastOf = (said: string): string => {
  const lines = said.trim().split("\n")
  return lines.findLast((line) => line.startsWith("fatal:")) ?? lines.at(-1) ?? ""
}

/** Git leaves its helpers behind when it is killed alone: they are a process group of their own, where there are such. */
const hasGroups = process.platform !== "win32"

const killAll = (child: ChildProcessWithoutNullStreams): void => {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return
  if (hasGroups) process.kill(-child.pid, "SIGKILL")
  else child.kill()
}

/** Starts git itself, without a shell, in a folder of ours, ended where the signal aborts. */
export const startGit = (
  args: ReadonlyArray<string>,
  { allowHttp, cwd, signal }: { readonly allowHttp: boolean; readonly cwd: string; readonly signal: AbortSignal }
): RunningGit => {
  signal.throwIfAborted()
  const child = spawn("git", args, { cwd, detached: hasGroups, env: gitEnvironment(allowHttp, cwd), windowsHide: true })
  const stop = () => killAll(child)
  signal.addEventListener("abort", stop)
  let said = ""
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    said = (said + text).slice(-mostSaid)
  })
  // What it no longer reads it has no use for.
  child.stdin.on("error", () => undefined)
  const ended = new Promise<void>((resolve, reject) => {
    let fault: Error | undefined
    child.on("error", (error) => {
      fault = error
    })
    // Only then have it and its helpers let go of their folder.
    child.on("close", (code) => {
      signal.removeEventListener("abort", stop)
      if (signal.aborted) reject(signal.reason as Error)
      else if (fault !== undefined) reject(failureOf(fault))
      else if (code === 0) resolve()
      else reject(new InstallError(`git: ${quoted(lastOf(said))}`))
    })
  })
  // Who reads its output first still hears of it later.
  ended.catch(() => undefined)
  return { child, ended, stop }
}
