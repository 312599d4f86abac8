import * as module from "node:module"

/** Node 22.19 or later. */
const isSupported = (version: string): boolean => {
  const [major = 0, minor = 0] = version.split(".").map(Number)
  return major > 22 || (major === 22 && minor >= 19)
}

/**
 * Starts a command of the market: `load` imports its program. On a Node that is too old it prints the required version and exits with 1,
 * before it imports anything that such a Node could not parse.
 */
export const startProgram = async (name: string, load: () => Promise<unknown>): Promise<void> => {
  if (!isSupported(process.versions.node)) {
    process.stderr.write(`error: ${name} needs Node 22.19 or later, and this is ${process.version}\n`)
    process.exitCode = 1
    return
  }
  // Compiling the modules takes most of a start: the next start reuses the result.
  module.enableCompileCache()
  await load()
}
