import type { Readable } from "node:stream"
import type { ArchiveEntry } from "../archives/unpack.ts"
import { InstallError } from "../InstallError.ts"
import type { Access } from "../sources/Source.ts"
import { startGit } from "./runGit.ts"

interface TreeLine {
  readonly kind: string
  readonly object: string
  readonly path: string
}

const kinds: Readonly<Record<string, string>> = {
  "100644": "file",
  "100664": "file",
  "100755": "file",
  "120000": "symbolic link",
  "160000": "submodule"
}

const treeLine = (text: string): TreeLine => {
  const [facts = "", path = ""] = text.split(/\t(.*)/s)
  const [mode = "", , object = ""] = facts.split(" ")
  return { kind: kinds[mode] ?? "special entry", object, path }
}

/** The files of a commit, read without a checkout and within the limits of an install. */
const treeOf = async (repository: string, commit: string, access: Access): Promise<ReadonlyArray<TreeLine>> => {
  const { limits, signal } = access
  const git = startGit(["ls-tree", "-r", "-z", "--full-tree", commit], { allowHttp: false, cwd: repository, signal })
  const lines: Array<TreeLine> = []
  let rest = ""
  try {
    for await (const text of git.child.stdout.setEncoding("utf8") as AsyncIterable<string>) {
      const parts = (rest + text).split("\0")
      rest = parts.pop() ?? ""
      lines.push(...parts.map(treeLine))
      if (lines.length > limits.files) throw new InstallError(`it has more than ${limits.files} files and folders`)
    }
    await git.ended
    return lines
  } finally {
    git.stop()
  }
}

/** Reads a stream by lines and by counted bytes. */
const counted = (stream: Readable) => {
  const chunks = stream[Symbol.asyncIterator]() as AsyncIterator<Buffer, undefined>
  let held: Buffer = Buffer.alloc(0)
  const more = async () => {
    const { done, value } = await chunks.next()
    if (done === true) throw new InstallError("git ended before the last file")
    return value
  }
  return {
    line: async (): Promise<string> => {
      while (!held.includes(10)) held = Buffer.concat([held, await more()])
      const end = held.indexOf(10)
      const line = held.toString("latin1", 0, end)
      held = held.subarray(end + 1)
      return line
    },
    bytes: async function* (size: number): AsyncGenerator<Buffer, void, undefined> {
      for (let left = size; left > 0;) {
        if (held.length === 0) held = await more()
        const part = held.subarray(0, left)
        held = held.subarray(part.length)
        left -= part.length
        yield part
      }
    }
  }
}

async function* blob(output: ReturnType<typeof counted>): AsyncGenerator<Buffer, void, undefined> {
  const [, type, size] = (await output.line()).split(" ")
  if (type !== "blob") throw new InstallError("the repository does not hold all of its files")
  yield* output.bytes(Number(size))
  await output.line()
}

/** The files of a commit in a bare repository, byte by byte as they are stored in it. */
export async function* repositoryEntries(
  repository: string,
  commit: string,
  access: Access
): AsyncGenerator<ArchiveEntry, void, undefined> {
  const lines = await treeOf(repository, commit, access)
  const git = startGit(["cat-file", "--batch"], { allowHttp: false, cwd: repository, signal: access.signal })
  const output = counted(git.child.stdout)
  try {
    for (const { kind, object, path } of lines) {
      const content = async () => {
        git.child.stdin.write(`${object}\n`)
        return blob(output)
      }
      yield { path, kind, content }
    }
    git.child.stdin.end()
    await git.ended
  } finally {
    git.stop()
  }
}
