import { isIP } from "node:net"
import type { LookupFunction } from "node:net"
import { isLoopbackAddress, isPublicAddress } from "./isPublicAddress.ts"
import type { NameResolver } from "./NameResolver.ts"

/**
 * Where webhooks may go: to public addresses over HTTPS; to this machine's loopback addresses too, over plain HTTP as well (WEBHOOK-11);
 * or anywhere (WEBHOOK-10).
 */
export type TargetAccess = "public" | "loopback" | "any"

/** Why webhooks must not go to a URL. The message names no address that a name resolved to. */
export class TargetRefused extends Error {
  override readonly name = "TargetRefused"
}

/** Names that always stay within a host or its network (RFC 6761, 6762 and 8375, and `internal` of ICANN). */
const internalNames = /(?:^|\.)(?:localhost|localdomain|local|internal|home\.arpa)$/

/** What the operator can do about a refusal (WEBHOOK-15). */
const unlessAllowed = "unless the operator sets WEBHOOK_ALLOW_PRIVATE=true"

const notPublic = `must not lead to a private, loopback, link-local or otherwise reserved address, ${unlessAllowed}`

const notHttps = `must be an HTTPS URL, ${unlessAllowed}`

/** Names that always mean this machine (RFC 6761). */
const loopbackNames = /(?:^|\.)localhost$/

/** Whether a host, as `hostOf` gives it, is this machine by its name or address. */
export const isLoopbackHost = (host: string): boolean => loopbackNames.test(host) || isLoopbackAddress(host)

/** The host of a URL as the connection sees it: an address without its brackets, a name in lower case without a last dot. */
export const hostOf = (url: URL): string => url.hostname.replace(/^\[|\]$/g, "").replace(/\.$/, "")

/** Why a URL is refused before its name is resolved; undefined if it is accepted. */
export const faultOfTarget = (text: string, access: TargetAccess): string | undefined => {
  if (!URL.canParse(text)) return "must be a valid URL"
  const url = new URL(text)
  const host = hostOf(url)
  const open = access === "any" || (access === "loopback" && isLoopbackHost(host))
  if (url.protocol !== "https:" && !(open && url.protocol === "http:")) return notHttps
  if (url.username !== "" || url.password !== "") return "must not carry credentials"
  if (open) return undefined
  if (isIP(host) !== 0) return isPublicAddress(host) ? undefined : notPublic
  return host.includes(".") && !internalNames.test(host) ? undefined : notPublic
}

/** The addresses of a name. Rejects with `TargetRefused` unless all of them are public. */
export const publicAddressesOf = async (name: string, resolve: NameResolver): Promise<ReadonlyArray<string>> => {
  const addresses = await resolve(name)
  if (addresses.every(isPublicAddress)) return addresses
  throw new TargetRefused(notPublic)
}

const loopback: ReadonlyArray<string> = ["127.0.0.1", "::1"]

/**
 * Connects only to the addresses that were checked. A name that resolves differently a moment later cannot redirect the connection.
 */
export const publicLookup =
  (resolve: NameResolver, access: TargetAccess = "public"): LookupFunction =>
  (name, options, callback) => {
    const host = name.replace(/\.$/, "")
    // The meaning of `localhost` is fixed; no name server is queried.
    const found =
      access === "loopback" && isLoopbackHost(host) ? Promise.resolve(loopback) : publicAddressesOf(host, resolve)
    found.then(
      (addresses) => {
        const [first] = addresses
        if (first === undefined) return callback(Object.assign(new Error("no address"), { code: "ENOTFOUND" }), [])
        if (options.all === true)
          callback(
            null,
            addresses.map((address) => ({ address, family: isIP(address) }))
          )
        else callback(null, first, isIP(first))
      },
      (error: NodeJS.ErrnoException) => callback(error, [])
    )
  }
