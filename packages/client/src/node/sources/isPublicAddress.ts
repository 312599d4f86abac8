// Generated from packages/delivery/src/isPublicAddress.ts by `npm run openapi`: change it there.
import { BlockList, isIPv4, isIPv6 } from "node:net"

/** Networks that are not public, by IANA's special-purpose registries: private, loopback, carrier-grade, documentation, benchmarking, multicast, reserved. */
const reservedIPv4 = [
  "0.0.0.0/8",
  "10.0.0.0/8",
  "100.64.0.0/10",
  "127.0.0.0/8",
  "169.254.0.0/16",
  "172.16.0.0/12",
  "192.0.0.0/24",
  "192.0.2.0/24",
  "192.31.196.0/24",
  "192.52.193.0/24",
  "192.88.99.0/24",
  "192.168.0.0/16",
  "192.175.48.0/24",
  "198.18.0.0/15",
  "198.51.100.0/24",
  "203.0.113.0/24",
  "224.0.0.0/3",
  // Azure's metadata and wire server: in a public range, yet answered by the host that the process runs on.
  "168.63.129.16/32"
]

/** The same within `2000::/3`, the only block of IPv6 for the public internet (RFC 4291). */
const reservedIPv6 = ["2001::/23", "2001:db8::/32", "2002::/16", "2620:4f:8000::/48", "3fff::/20"]

const blockList = (networks: ReadonlyArray<string>, family: "ipv4" | "ipv6"): BlockList => {
  const list = new BlockList()
  for (const network of networks) {
    const [address = "", bits] = network.split("/")
    list.addSubnet(address, Number(bits), family)
  }
  return list
}

const reserved4 = blockList(reservedIPv4, "ipv4")
const reserved6 = blockList(reservedIPv6, "ipv6")
const loopback4 = blockList(["127.0.0.0/8"], "ipv4")
const globalUnicast = blockList(["2000::/3"], "ipv6")

/** The shortest spelling, in lower case, every group in hexadecimal. */
const canonical = (address: string): string => new URL(`http://[${address}]`).hostname.slice(1, -1)

const dotted = (high: string, low: string): string => {
  const [a, b] = [Number.parseInt(high || "0", 16), Number.parseInt(low, 16)]
  return [a >> 8, a & 255, b >> 8, b & 255].join(".")
}

/** The IPv4 address inside an IPv6 address that only carries one: mapped, or through the well-known NAT64 prefix. */
const carriedIPv4 = (address: string): string | undefined => {
  const found = /^(?:::ffff|64:ff9b:):(?:([0-9a-f]{1,4}):)?([0-9a-f]{1,4})$/.exec(canonical(address))
  return found === null ? undefined : dotted(found[1] ?? "", found[2] ?? "")
}

/**
 * Whether the public internet routes an address, in its usual spelling, to one receiver. Private, loopback, link-local, carrier-grade,
 * multicast, documentation, benchmarking and reserved ranges are not public, nor is any tunnel or translation that could end in one of
 * them, nor the metadata address of a cloud that lies in a public range (WEBHOOK-9).
 */
export const isPublicAddress = (address: string): boolean => {
  if (isIPv4(address)) return !reserved4.check(address, "ipv4")
  if (!isIPv6(address) || address.includes("%")) return false
  const inner = carriedIPv4(address)
  if (inner !== undefined) return isPublicAddress(inner)
  return globalUnicast.check(address, "ipv6") && !reserved6.check(address, "ipv6")
}

/** Whether an address is this machine itself, also if it is mapped into IPv6. A NAT64 address is not, because its packets leave the machine first. */
export const isLoopbackAddress = (address: string): boolean => {
  if (isIPv4(address)) return loopback4.check(address, "ipv4")
  if (!isIPv6(address) || address.includes("%")) return false
  const inner = canonical(address).startsWith("::ffff:") ? carriedIPv4(address) : undefined
  return inner === undefined ? canonical(address) === "::1" : loopback4.check(inner, "ipv4")
}
