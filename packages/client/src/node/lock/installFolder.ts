import { lstat, realpath } from "node:fs/promises"
import { dirname, isAbsolute, relative, resolve, sep } from "node:path"
import { InstallError } from "../InstallError.ts"

const isLink = (path: string): Promise<boolean> =>
  lstat(path).then(
    (found) => found.isSymbolicLink(),
    () => false
  )

/** The folders of a relative path below the working directory, outermost first. */
const stepsOf = (installDir: string): ReadonlyArray<string> => {
  const names = relative(process.cwd(), installDir).split(sep)
  const below = names.filter((name) => name !== ".." && name !== "").length
  return names
    .slice(names.length - below)
    .map((_, at, all) => resolve(installDir, ...all.slice(at + 1).map(() => "..")))
}

/**
 * The absolute path of an install folder. Rejects if it is a symbolic link (CLIENT-15), or if a relative path passes through one: a cloned
 * repository may contain a link named `skills` that points into its `.git`, or out of the project.
 */
export const installFolder = async (given: string): Promise<string> => {
  const installDir = resolve(given)
  const steps = isAbsolute(given) || dirname(installDir) === installDir ? [installDir] : stepsOf(installDir)
  for (const step of steps)
    if (await isLink(step)) {
      const target = await realpath(step).catch(() => "nothing")
      throw new InstallError(`${step} is a symbolic link to ${target}: give the folder itself as installDir`)
    }
  return installDir
}
