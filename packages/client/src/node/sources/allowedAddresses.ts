import { lookup } from "node:dns/promises"
import { isIP } from "node:net"
import { InstallError } from "../InstallError.ts"
import { quoted } from "../tree/quoted.ts"
import { isLoopbackAddress, isPublicAddress } from "./isPublicAddress.ts"

const resolved = async (host: string): Promise<ReadonlyArray<string>> => {
  if (isIP(host) !== 0) return [host]
  try {
    return (await lookup(host, { all: true })).map(({ address }) => address)
  } catch (cause) {
    throw new InstallError(`the host ${quoted(host)} is not known`, cause)
  }
}

/**
 * The addresses of a URL's host, all of them allowed. The connection is then made to these addresses, so that a name that
 * resolves differently a moment later has no effect.
 */
export const allowedAddresses = async (url: URL, allowLoopback: boolean): Promise<ReadonlyArray<string>> => {
  const host = url.hostname.replace(/^\[|\]$/g, "")
  const addresses = await resolved(host)
  const isAllowed = (address: string) =>
    allowLoopback && isLoopbackAddress(address) ? true : url.protocol === "https:" && isPublicAddress(address)
  if (addresses.length > 0 && addresses.every(isAllowed)) return addresses
  throw new InstallError(`the host ${quoted(host)} must not lead to a private, loopback or otherwise reserved address`)
}
