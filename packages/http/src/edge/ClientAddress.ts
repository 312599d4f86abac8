import { Context, Option } from "effect"
import type { HttpServerRequest } from "effect/http"

/** The client's address, for servers that know it although the request does not carry it. */
export const PeerAddress = Context.Reference<string>("@agent-marketplace/http/edge/PeerAddress", {
  defaultValue: () => "unknown"
})

const plain = (address: string): string => (address.startsWith("::ffff:") ? address.slice(7) : address)

/** The four groups of an IPv6 address that name a network. */
const network = (address: string): string => {
  const [head = "", tail = ""] = (address.split("%")[0] ?? "").split("::")
  const left = head === "" ? [] : head.split(":")
  const right = tail === "" ? [] : tail.split(":")
  const groups = [...left, ...Array<string>(Math.max(0, 8 - left.length - right.length)).fill("0"), ...right]
  return `${groups.slice(0, 4).join(":")}::/64`
}

/** One IPv4 address or one IPv6 /64, since a client with one address of a /64 usually has all of them. */
const subject = (address: string): string => (address.includes(":") ? network(address.toLowerCase()) : address)

/** The nearest address that is not a trusted proxy. Headers from untrusted addresses are ignored. */
const forwarded = (header: string, peer: string, trusted: ReadonlySet<string>): string => {
  let nearest = peer
  for (const hop of header.split(",").toReversed()) {
    if (!trusted.has(nearest)) return nearest
    const address = plain(hop.trim())
    if (address === "" || address.length > 64) return nearest
    nearest = address
  }
  return nearest
}

/** The key of limits per address: an IPv4 address or an IPv6 /64. */
export const clientAddress = (
  request: HttpServerRequest.HttpServerRequest,
  trusted: ReadonlySet<string>,
  otherwise: string
): string => {
  const peer = plain(Option.getOrElse(request.remoteAddress, () => otherwise))
  const header = trusted.size === 0 ? undefined : request.headers["x-forwarded-for"]
  return subject(header === undefined ? peer : forwarded(header, peer, trusted))
}
