import { mkdir } from "node:fs/promises"
import { join } from "node:path"
import { unpack } from "../archives/unpack.ts"
import { cloneRepository } from "../git/cloneRepository.ts"
import { repositoryEntries } from "../git/repositoryEntries.ts"
import { InstallError } from "../InstallError.ts"
import { makeTreeWriter } from "../tree/TreeWriter.ts"
import { archiveName, installDownload } from "./installDownload.ts"
import type { Opened } from "./openUrl.ts"
import { openUrl, sourceUrl } from "./openUrl.ts"
import type { Access, Fetched } from "./Source.ts"

const discovery = "/info/refs"
const service = "git-upload-pack"

/** Whether a URL is that of a repository, determined by the first request that git itself would send. */
const repositoryAt = async (url: URL, access: Access): Promise<Pick<Opened, "url" | "addresses"> | undefined> => {
  const query = new URL(`${url.pathname.replace(/\/$/, "")}${discovery}?service=${service}`, url)
  const { addresses, response, url: answering } = await openUrl(query, access)
  response.destroy()
  if (response.statusCode !== 200) return undefined
  if (response.headers["content-type"] !== `application/x-${service}-advertisement`) return undefined
  if (!answering.pathname.endsWith(discovery)) return undefined
  return { addresses, url: new URL(answering.pathname.slice(0, -discovery.length), answering) }
}

const installRepository = async (
  given: URL,
  { addresses, url }: Pick<Opened, "url" | "addresses">,
  staging: string,
  access: Access
): Promise<Fetched> => {
  const repository = join(staging, "repository")
  const root = join(staging, "files")
  const commit = await cloneRepository(url, addresses, repository, staging, access)
  await mkdir(root)
  const writer = makeTreeWriter(root, access.limits, access.signal)
  await unpack(repositoryEntries(repository, commit, access), writer)
  return { source: { type: "repository", url: given.href }, version: commit, root, files: writer.files() }
}

/** The digest in the fragment of a source: `#sha256=<64 hex digits>` of the downloaded bytes. */
const promisedHash = (url: URL): string | undefined => {
  if (url.hash === "") return undefined
  const [, sha256] = /^#sha256=([0-9a-f]{64})$/i.exec(url.hash) ?? []
  if (sha256 === undefined) throw new InstallError("the source's fragment must be #sha256= and 64 hex digits")
  return sha256.toLowerCase()
}

/**
 * Fetches the source of an install URL into `staging`: a repository if a git server responds, otherwise an archive by its content,
 * otherwise a single file. Rejects with an `InstallError`; the content of `staging` is then to be ignored.
 */
export const fetchSource = async (text: string, staging: string, access: Access): Promise<Fetched> => {
  const url = sourceUrl(text, access.allowLoopback)
  const sha256 = promisedHash(url)
  const mayBeRepository = sha256 === undefined && url.search === "" && !archiveName.test(url.pathname)
  const repository = mayBeRepository ? await repositoryAt(url, access) : undefined
  const fetched =
    repository === undefined
      ? await installDownload(url, sha256, staging, access)
      : await installRepository(url, repository, staging, access)
  if (fetched.files.size === 0) throw new InstallError("the source has no files")
  return fetched
}
