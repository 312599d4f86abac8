/** Processor time, a more reliable measure than rates while other programs use the machine. Linux only; undefined on other systems. */
import { readdirSync, readFileSync } from "node:fs"

/** Ticks per second in `/proc/<pid>/stat` on all common systems. */
const ticksPerSecond = 100

interface Process {
  readonly parent: number
  readonly ticks: number
}

const ticksIn = (file: string): Process | undefined => {
  try {
    const text = readFileSync(file, "utf8")
    const fields = text.slice(text.lastIndexOf(")") + 2).split(" ")
    return { parent: Number(fields[1]), ticks: Number(fields[11]) + Number(fields[12]) }
  } catch {
    return undefined
  }
}

/** Seconds that the main thread of the process has used so far, without its other threads. */
export const mainThreadSeconds = (pid: number): number | undefined => {
  const found = process.platform === "linux" ? ticksIn(`/proc/${pid}/task/${pid}/stat`) : undefined
  return found === undefined ? undefined : found.ticks / ticksPerSecond
}

/** Seconds that these processes and their children have used so far. */
export const cpuSeconds = (pids: ReadonlyArray<number>): number | undefined => {
  if (process.platform !== "linux") return undefined
  let ticks = 0
  for (const name of readdirSync("/proc")) {
    if (!/^\d+$/.test(name)) continue
    const found = ticksIn(`/proc/${name}/stat`)
    if (found !== undefined && (pids.includes(Number(name)) || pids.includes(found.parent))) ticks += found.ticks
  }
  return ticks / ticksPerSecond
}
