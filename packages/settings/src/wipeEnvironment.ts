import { closeSync, openSync, readFileSync, writeSync } from "node:fs"

/** Where the environment that the process was started with is in its memory: the fields `env_start` and `env_end` of `/proc/self/stat`. */
const blockOf = (stat: string): { readonly start: number; readonly length: number } | undefined => {
  // The second field is the program's name, which may contain spaces and parentheses.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ")
  const [start, end] = [Number(fields[47]), Number(fields[48])]
  return Number.isSafeInteger(start) && start > 0 && end > start ? { start, length: end - start } : undefined
}

/** The places of the variable's values within the block. */
const placesOf = (block: Buffer, name: string): ReadonlyArray<readonly [from: number, to: number]> => {
  const places: Array<readonly [number, number]> = []
  for (let at = 0; at < block.length;) {
    const end = block.indexOf(0, at)
    const stop = end === -1 ? block.length : end
    const from = at + name.length + 1
    if (block.toString("latin1", at, from) === `${name}=` && stop > from) places.push([from, stop])
    at = stop + 1
  }
  return places
}

/**
 * Overwrites the values of these variables in the block of memory that the process got its environment in, which `/proc/<pid>/environ` shows to the
 * same user for as long as the process runs (SIGNER-11). `delete process.env[name]` does not change that block. Works on Linux; false elsewhere, or if
 * the system does not allow it.
 */
export const wipeEnvironment = (names: ReadonlyArray<string>): boolean => {
  try {
    const found = blockOf(readFileSync("/proc/self/stat", "latin1"))
    const block = readFileSync("/proc/self/environ")
    if (found === undefined || block.length !== found.length) return false
    const memory = openSync("/proc/self/mem", "r+")
    try {
      for (const name of names)
        for (const [from, to] of placesOf(block, name))
          writeSync(memory, Buffer.alloc(to - from, "x"), 0, to - from, found.start + from)
    } finally {
      closeSync(memory)
    }
    const after = readFileSync("/proc/self/environ")
    return names.every((name) =>
      placesOf(after, name).every(([from, to]) => after.subarray(from, to).every((byte) => byte === 0x78))
    )
  } catch {
    return false
  }
}
