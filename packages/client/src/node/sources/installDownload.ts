import { createReadStream } from "node:fs"
import { mkdir, open, readdir } from "node:fs/promises"
import { join } from "node:path"
import type { Readable } from "node:stream"
import { Transform } from "node:stream"
import { createGunzip } from "node:zlib"
import { tarEntries } from "../archives/tarEntries.ts"
import { readable, unpack } from "../archives/unpack.ts"
import { zipEntries } from "../archives/zipEntries.ts"
import { InstallError } from "../InstallError.ts"
import { quoted } from "../tree/quoted.ts"
import { makeTreeWriter } from "../tree/TreeWriter.ts"
import { download } from "./download.ts"
import type { Access, Fetched } from "./Source.ts"

/** The format of a file by its first bytes, whatever its name. */
const archiveKind = async (file: string): Promise<"zip" | "gzip" | "tar" | undefined> => {
  const handle = await open(file, "r")
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(512), 0, 512, 0)
    const starts = (...bytes: ReadonlyArray<number>) => bytes.every((byte, at) => bytesRead > at && buffer[at] === byte)
    if (starts(0x50, 0x4b, 3, 4) || starts(0x50, 0x4b, 5, 6)) return "zip"
    if (starts(0x1f, 0x8b)) return "gzip"
    return buffer.toString("latin1", 257, 262) === "ustar" ? "tar" : undefined
  } finally {
    await handle.close()
  }
}

/** A URL whose path ends like this promises an archive. */
export const archiveName = /\.(?:zip|tar|tar\.gz|tgz)$/i

const notMoreThan = (most: number) => {
  let size = 0
  return new Transform({
    transform: (chunk: Buffer, _, done) => {
      size += chunk.length
      if (size > most) done(new InstallError(`it has more than ${most} bytes when unpacked`))
      else done(null, chunk)
    }
  })
}

/** Passes on the errors of the previous stream, so that the last one fails with the first error. */
const through = (from: Readable, to: Transform): Transform => {
  from.on("error", (error) => to.destroy(error))
  to.on("close", () => from.destroy())
  return from.pipe(to)
}

const entriesOf = (file: string, kind: "zip" | "gzip" | "tar", { limits }: Access) => {
  if (kind === "zip") return zipEntries(file)
  const read = createReadStream(file)
  const tar = kind === "gzip" ? through(read, createGunzip()) : read
  return tarEntries(through(tar, notMoreThan(limits.totalBytes)))
}

/** The files of an archive that has them all in one folder, such as GitHub's archives, are installed without that folder. */
const withoutOnlyFolder = async (root: string, files: ReadonlyMap<string, string>) => {
  const [only, ...others] = await readdir(root, { withFileTypes: true })
  if (only === undefined || others.length > 0 || !only.isDirectory()) return { root, files }
  const inner = [...files].map(([path, sha256]) => [path.slice(only.name.length + 1), sha256] as const)
  return { root: join(root, only.name), files: new Map(inner) }
}

/** The file name in the last part of a URL's path. */
const nameOf = (url: URL): string => {
  const last = url.pathname.split("/").at(-1) ?? ""
  const refused = new InstallError(`the source's last part, ${quoted(last)}, is not a file name`)
  try {
    const name = decodeURIComponent(last)
    if (name.includes("/")) throw refused
    return name === "" ? "SKILL.md" : name
  } catch {
    throw refused
  }
}

/** Downloads an archive or a single file and puts its files into `staging`; `sha256` is the expected digest. */
export const installDownload = async (
  url: URL,
  sha256: string | undefined,
  staging: string,
  access: Access
): Promise<Fetched> => {
  const file = join(staging, "download")
  const root = join(staging, "files")
  const downloaded = await download(url, file, access)
  if (sha256 !== undefined && sha256 !== downloaded.sha256)
    throw new InstallError(`the download has the SHA-256 ${downloaded.sha256}, not the promised ${sha256}`)
  await mkdir(root)
  const writer = makeTreeWriter(root, access.limits, access.signal)
  const kind = await archiveKind(file)
  const version = `sha256:${downloaded.sha256}`
  if (kind !== undefined) {
    await unpack(readable(entriesOf(file, kind, access)), writer)
    const inner = await withoutOnlyFolder(root, writer.files())
    return { source: { type: "archive", url: url.href }, version, ...inner }
  }
  const name = nameOf(url)
  if (archiveName.test(name))
    throw new InstallError(`what ${quoted(url.host)} sends is not an archive, although its name suggests one`)
  if (/^text\/html\b/i.test(downloaded.contentType) && !/\.html?$/i.test(name))
    throw new InstallError(`${quoted(url.host)} sends a web page, not a skill`)
  await writer.file(name, async () => createReadStream(file))
  return { source: { type: "file", url: url.href }, version, root, files: writer.files() }
}
