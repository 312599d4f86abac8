import { createHash } from "node:crypto"
import { open } from "node:fs/promises"
import type { IncomingMessage } from "node:http"
import { InstallError } from "../InstallError.ts"
import { quoted } from "../tree/quoted.ts"
import { openUrl } from "./openUrl.ts"
import type { Access } from "./Source.ts"

/** The result of a download. */
export interface Downloaded {
  /** The SHA-256 of the bytes as they were sent, in lower-case hex. */
  readonly sha256: string
  readonly contentType: string
}

/** The body of a response. The error of a lost connection would otherwise be only "aborted". */
async function* bodyOf(response: IncomingMessage, host: string): AsyncGenerator<Buffer, void, undefined> {
  try {
    yield* response as AsyncIterable<Buffer>
  } catch (cause) {
    throw new InstallError(`${quoted(host)} closed the connection during the download`, cause)
  }
}

/** Writes the response of a URL to a file that must not exist yet. */
export const download = async (from: URL, file: string, access: Access): Promise<Downloaded> => {
  const most = access.limits.downloadBytes
  const tooLarge = () => new InstallError(`the download has more than ${most} bytes`)
  const { response, url } = await openUrl(from, access)
  const handle = await open(file, "wx", 0o600)
  try {
    const {
      "content-encoding": encoding = "identity",
      "content-length": length,
      "content-type": type
    } = response.headers
    if (response.statusCode !== 200)
      throw new InstallError(`${quoted(url.host)} responded with HTTP ${response.statusCode}`)
    if (encoding !== "identity")
      throw new InstallError(`${quoted(url.host)} uses the encoding ${quoted(encoding)}, which was not requested`)
    if (Number(length) > most) throw tooLarge()
    const hash = createHash("sha256")
    let size = 0
    for await (const chunk of bodyOf(response, url.host)) {
      size += chunk.length
      if (size > most) throw tooLarge()
      hash.update(chunk)
      await handle.writeFile(chunk)
    }
    return { sha256: hash.digest("hex"), contentType: type ?? "" }
  } finally {
    response.destroy()
    await handle.close()
  }
}
