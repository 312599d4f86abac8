import { readdir, stat } from "node:fs/promises"
import { join } from "node:path"
import { text } from "node:stream/consumers"
import { InstallError } from "../InstallError.ts"
import type { Access } from "../sources/Source.ts"
import { quoted } from "../tree/quoted.ts"
import { cloneArguments } from "./gitSettings.ts"
import { startGit } from "./runGit.ts"

const lookEvery = 100

const sizeOf = async (folder: string): Promise<number> => {
  const names = await readdir(folder, { recursive: true }).catch(() => [])
  const sizes = names.map((name) =>
    stat(join(folder, name)).then(
      ({ size }) => size,
      () => 0
    )
  )
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0)
}

/** Git has no size limit for a fetch, so it is stopped when the folder exceeds ours. */
const cloneWithin = async (args: ReadonlyArray<string>, folder: string, cwd: string, access: Access): Promise<void> => {
  const { allowLoopback, limits, signal } = access
  const large = new AbortController()
  const watch = setInterval(() => {
    void sizeOf(folder).then((size) => {
      if (size > limits.downloadBytes)
        large.abort(new InstallError(`the repository has more than ${limits.downloadBytes} bytes`))
    })
  }, lookEvery)
  try {
    const both = AbortSignal.any([signal, large.signal])
    const git = startGit(args, { allowHttp: allowLoopback, cwd, signal: both })
    git.child.stdin.end()
    await git.ended
  } finally {
    clearInterval(watch)
  }
  if ((await sizeOf(folder)) > limits.downloadBytes)
    throw new InstallError(`the repository has more than ${limits.downloadBytes} bytes`)
}

/** The output of git for its version or for a fact about a repository. */
const answerOf = async (args: ReadonlyArray<string>, cwd: string, { signal }: Access): Promise<string> => {
  const git = startGit(args, { allowHttp: false, cwd, signal })
  const answer = (await text(git.child.stdout)).trim()
  await git.ended
  return answer
}

/** Older versions resolve names themselves, whatever addresses were allowed. */
const refuseOldGit = async (cwd: string, access: Access): Promise<void> => {
  const version = await answerOf(["version"], cwd, access)
  const [, major = "0", minor = "0"] = /(\d+)\.(\d+)/.exec(version) ?? []
  if (Number(major) < 2 || (Number(major) === 2 && Number(minor) < 37))
    throw new InstallError(
      `the source is a git repository, for which git 2.37 or later is needed, not ${quoted(version)}`
    )
}

/** Fetches the last commit of a repository's main branch into a new folder. Returns the commit. */
export const cloneRepository = async (
  url: URL,
  addresses: ReadonlyArray<string>,
  folder: string,
  cwd: string,
  access: Access
): Promise<string> => {
  await refuseOldGit(cwd, access)
  await cloneWithin(cloneArguments(url, addresses, folder), folder, cwd, access)
  const commit = await answerOf(["rev-parse", "--verify", "--quiet", "HEAD^{commit}"], folder, access).catch(() => "")
  access.signal.throwIfAborted()
  if (!/^[0-9a-f]{40,64}$/.test(commit)) throw new InstallError("the repository has no commit")
  return commit
}
