/** Limits the processors of a process and its children with a control group. Linux only, and only where this process may make one. */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"

/** Short, so that a limit below one processor slows work down evenly instead of stopping it for a long time. */
const period = 10_000

/** The two versions of control groups: where groups are made, and which files limit one. */
const hierarchies = [
  {
    root: "/sys/fs/cgroup/cpu",
    mark: "cpu.shares",
    limit: (quota: number) => ({ "cpu.cfs_period_us": String(period), "cpu.cfs_quota_us": String(quota) }),
    none: { "cpu.cfs_quota_us": "-1" },
    weight: { "cpu.shares": "65536" }
  },
  {
    root: "/sys/fs/cgroup",
    mark: "cgroup.controllers",
    limit: (quota: number) => ({ "cpu.max": `${quota} ${period}` }),
    none: { "cpu.max": `max ${period}` },
    weight: { "cpu.weight": "6400" }
  }
] as const

export interface Confinement {
  /** Limits the processors; undefined removes the limit. */
  readonly limit: (processors: number | undefined) => void
  readonly release: () => void
}

/** The processes that this one has started and that still run. Empty on systems other than Linux. */
export const childrenOf = (pid: number): ReadonlyArray<number> => {
  if (process.platform !== "linux") return []
  return readdirSync("/proc").flatMap((name) => {
    if (!/^\d+$/.test(name)) return []
    try {
      const text = readFileSync(`/proc/${name}/stat`, "utf8")
      return Number(text.slice(text.lastIndexOf(")") + 2).split(" ")[1]) === pid ? [Number(name)] : []
    } catch {
      return []
    }
  })
}

/** Moves a process, its children and those that it starts later into a group of their own. Undefined where that is not possible. */
export const confine = (pid: number): Confinement | undefined => {
  const hierarchy = hierarchies.find(({ mark, root }) => existsSync(join(root, mark)))
  if (hierarchy === undefined) return undefined
  const group = join(hierarchy.root, `agent-marketplace-bench-${pid}`)
  const write = (files: Readonly<Record<string, string>>) => {
    for (const [file, value] of Object.entries(files)) writeFileSync(join(group, file), value)
  }
  const move = (pids: ReadonlyArray<number>, folder: string) => {
    for (const each of pids) {
      try {
        writeFileSync(join(folder, "cgroup.procs"), String(each))
      } catch {
        // The process has ended.
      }
    }
  }
  const members = () => readFileSync(join(group, "cgroup.procs"), "utf8").split("\n").filter(Boolean).map(Number)
  try {
    mkdirSync(group)
    move([pid, ...childrenOf(pid)], group)
    // Far above that of other programs, so that the limit decides and not their load.
    write({ ...hierarchy.none, ...hierarchy.weight })
  } catch {
    return undefined
  }
  return {
    limit: (processors) =>
      write(processors === undefined ? hierarchy.none : hierarchy.limit(Math.round(processors * period))),
    release: () => {
      // Members may start others while they are moved.
      for (let left = members(); left.length > 0; left = members()) move(left, hierarchy.root)
      rmdirSync(group)
    }
  }
}
