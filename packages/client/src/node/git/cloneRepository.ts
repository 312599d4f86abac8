import { readdir, stat } from "node:fs/promises"
import { join } from "node:path"
import { text } from "node:stream/consumers"
import { InstallError } from "../InstallError.ts"
import type { Access } from "../sources/Access.ts"
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

/** Git knows no limit of its own for what it fetches: it is stopped where the folder grows beyond ours. */
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

/** Fetches the last commit of a repository's main branch into a new folder. Gives the commit. */
export const cloneRepository = async (
  url: URL,
  addresses: ReadonlyArray<string>,
  folder: string,
  cwd: string,
  access: Access
): Promise<string> => {
  await cloneWithin(cloneArguments(url, addresses, folder), folder, cwd, access)
  const git = startGit(["rev-parse", "--verify", "--quiet", "HEAD^{commit}"], {
    allowHttp: false,
    cwd: folder,
    signal: access.signal
  })
  const commit = (await text(git.child.stdout)).trim()
  if (!/^[0-9a-f]{40,64}$/.test(commit)) throw new InstallError("the repository has no commit")
  await git.ended
  return commit
}
