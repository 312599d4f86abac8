import type { IncomingMessage } from "node:http"
import { get as getHttp } from "node:http"
import { get as getHttps } from "node:https"
import type { LookupFunction } from "node:net"
import { isIP } from "node:net"
import { InstallError } from "../InstallError.ts"
import { quoted } from "../tree/quoted.ts"
import { allowedAddresses } from "./allowedAddresses.ts"
import type { Access } from "./Source.ts"

const schemes = (allowLoopback: boolean) => (allowLoopback ? /^https?:\/\//i : /^https:\/\//i)

/**
 * A source that may be fetched, parsed strictly: anything that a URL parser would repair silently (line breaks, spaces, backslashes) is
 * refused, and so is everything that git would interpret as an option, a command, a file or another protocol.
 */
export const sourceUrl = (text: string, allowLoopback: boolean): URL => {
  const refused = (rule: string) => new InstallError(`the source ${quoted(text)} ${rule}`)
  if (text.length > 2048) throw refused("has more than 2,048 characters")
  if (!schemes(allowLoopback).test(text)) throw refused("must be an HTTPS URL")
  if (/[\s\\]|[^\P{C}\p{Cn}]/u.test(text))
    throw refused("must not have blanks, line breaks, backslashes or control characters")
  if (!URL.canParse(text)) throw refused("must be a valid URL")
  const url = new URL(text)
  if (url.username !== "" || url.password !== "") throw refused("must not carry credentials")
  return url
}

const mostRedirects = 5
const redirects = new Set([301, 302, 303, 307, 308])

/** A response whose body is still to be read, and its final URL. */
export interface Opened {
  readonly url: URL
  readonly addresses: ReadonlyArray<string>
  readonly response: IncomingMessage
}

const pinned =
  (addresses: ReadonlyArray<string>): LookupFunction =>
  (_, { all }, callback) => {
    const found = addresses.map((address) => ({ address, family: isIP(address) }))
    const [{ address, family } = { address: "", family: 0 }] = found
    if (all === true) callback(null, found)
    else callback(null, address, family)
  }

const request = (url: URL, addresses: ReadonlyArray<string>, signal: AbortSignal): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    const get = url.protocol === "http:" ? getHttp : getHttps
    const headers = { accept: "*/*", "accept-encoding": "identity", "user-agent": "agent-marketplace" }
    get(url, { agent: false, headers, lookup: pinned(addresses), signal })
      .on("response", resolve)
      .on("error", (cause) => reject(new InstallError(`no response from ${quoted(url.host)}: ${cause.message}`, cause)))
  })

/** Requests a URL and follows redirects, each subject to the same rules as the first (INSTALL-3). A key of the market is never sent. */
export const openUrl = async (first: URL, { allowLoopback, signal }: Access): Promise<Opened> => {
  let url = first
  for (let hops = 0; hops <= mostRedirects; hops += 1) {
    signal.throwIfAborted()
    const addresses = await allowedAddresses(url, allowLoopback)
    const response = await request(url, addresses, signal)
    const { location } = response.headers
    if (!redirects.has(response.statusCode ?? 0) || location === undefined) return { url, addresses, response }
    response.destroy()
    if (!URL.canParse(location, url)) throw new InstallError(`${quoted(url.host)} redirects to an invalid URL`)
    url = sourceUrl(new URL(location, url).href, allowLoopback)
  }
  throw new InstallError(`the source redirects more than ${mostRedirects} times`)
}
