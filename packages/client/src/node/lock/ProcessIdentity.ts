import { execFileSync } from "node:child_process"
import { readFileSync } from "node:fs"
import { platform } from "node:os"

/**
 * When a process was started, which distinguishes it from every other process that had or will have its id. `undefined` if none runs
 * with that id; a zombie does not run.
 */
export const processIdentity = (pid: number): string | undefined =>
  platform() === "linux" ? fromProc(pid) : fromPs(pid, "lstart=")

/** The command line of a running process; `undefined` if there is none. */
export const commandLine = (pid: number): string | undefined => {
  if (platform() !== "linux") return fromPs(pid, "command=")
  const line = readIfThere(`/proc/${pid}/cmdline`)
  return line === undefined || line === "" ? undefined : line.replaceAll("\0", " ")
}

const fromProc = (pid: number): string | undefined => {
  const stat = readIfThere(`/proc/${pid}/stat`)
  if (stat === undefined) return undefined
  // The name, in parentheses, may contain anything: the fields are counted after its end.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ")
  if (fields[0] === "Z" || fields[0] === "X") return undefined
  return `${readIfThere("/proc/sys/kernel/random/boot_id")?.trim() ?? ""}/${fields[19]}`
}

const fromPs = (pid: number, format: string): string | undefined => {
  try {
    return execFileSync("ps", ["-ww", "-o", format, "-p", String(pid)], { encoding: "utf8" }).trim() || undefined
  } catch {
    return undefined
  }
}

const readIfThere = (path: string): string | undefined => {
  try {
    return readFileSync(path, "utf8")
  } catch {
    return undefined
  }
}

/** Whether a process runs with that id, even if nothing else is known of it. */
export const isRunning = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== "ESRCH"
  }
}
