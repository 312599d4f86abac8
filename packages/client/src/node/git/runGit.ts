import type { ChildProcessWithoutNullStreams } from "node:child_process"
import { spawn } from "node:child_process"
import { InstallError } from "../InstallError.ts"
import { quoted } from "../tree/quoted.ts"
import { gitEnvironment } from "./gitSettings.ts"

/** A running git. */
export interface RunningGit {
  readonly child: ChildProcessWithoutNullStreams
  /** Resolves if it ended successfully; otherwise rejects with its last output. */
  readonly ended: Promise<void>
  /** Kills it and all processes that it has started. */
  readonly stop: () => void
}

const mostOutput = 8192

const failureOf = (cause: unknown): InstallError =>
  (cause as NodeJS.ErrnoException).code === "ENOENT"
    ? new InstallError("the source is a git repository, and there is no git on this machine's PATH", cause)
    : new InstallError("git did not start", cause)

const lastOf = (output: string): string => {
  const lines = output.trim().split("\n")
  return lines.findLast((line) => line.startsWith("fatal:")) ?? lines.at(-1) ?? ""
}

/** Killing git alone leaves its helper processes: they run in one process group, where the system has process groups. */
const hasGroups = process.platform !== "win32"

const killAll = (child: ChildProcessWithoutNullStreams): void => {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return
  if (hasGroups) process.kill(-child.pid, "SIGKILL")
  else child.kill()
}

/** Starts git itself, without a shell, in a folder of ours; kills it if the signal aborts. */
export const startGit = (
  args: ReadonlyArray<string>,
  { allowHttp, cwd, signal }: { readonly allowHttp: boolean; readonly cwd: string; readonly signal: AbortSignal }
): RunningGit => {
  signal.throwIfAborted()
  const child = spawn("git", args, { cwd, detached: hasGroups, env: gitEnvironment(allowHttp, cwd), windowsHide: true })
  const stop = () => killAll(child)
  signal.addEventListener("abort", stop)
  let output = ""
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    output = (output + text).slice(-mostOutput)
  })
  // Git may close its input before it has read everything.
  child.stdin.on("error", () => undefined)
  const ended = new Promise<void>((resolve, reject) => {
    let fault: Error | undefined
    child.on("error", (error) => {
      fault = error
    })
    // Only now have git and its helpers released their folder.
    child.on("close", (code) => {
      signal.removeEventListener("abort", stop)
      if (signal.aborted) reject(signal.reason as Error)
      else if (fault !== undefined) reject(failureOf(fault))
      else if (code === 0) resolve()
      else reject(new InstallError(`git: ${quoted(lastOf(output))}`))
    })
  })
  // A caller that reads the output first still gets the rejection later.
  ended.catch(() => undefined)
  return { child, ended, stop }
}
