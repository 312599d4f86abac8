import ipaddr from "ipaddr.js"

/** The block for the public internet (RFC 4291). Within it the library knows which ranges are reserved. */
const globalUnicast: [ipaddr.IPv6, number] = [ipaddr.IPv6.parse("2000::"), 3]

/** Azure's metadata and wire server: a public range, yet answered by the host that the process runs on. */
const azureHost = "168.63.129.16"

const isPublicIPv4 = (address: ipaddr.IPv4): boolean =>
  address.range() === "unicast" && address.toString() !== azureHost

const wellKnownNat64: [ipaddr.IPv6, number] = [ipaddr.IPv6.parse("64:ff9b::"), 96]

/** The IPv4 address inside an IPv6 address that only carries one: mapped, or through a NAT64. */
const translated = (address: ipaddr.IPv6): ipaddr.IPv4 | undefined => {
  if (address.isIPv4MappedAddress()) return address.toIPv4Address()
  return address.match(wellKnownNat64) ? new ipaddr.IPv4(address.toByteArray().slice(12)) : undefined
}

/**
 * Whether the public internet routes an address, in its usual spelling, to one receiver. Private, loopback, link-local, carrier-grade,
 * multicast, documentation, benchmarking and reserved ranges are not public, nor is any tunnel or translation that could end in one of
 * them, nor the metadata address of a cloud that lies in a public range (WEBHOOK-9).
 */
export const isPublicAddress = (text: string): boolean => {
  if (ipaddr.IPv4.isValidFourPartDecimal(text)) return isPublicIPv4(ipaddr.IPv4.parse(text))
  if (!ipaddr.IPv6.isValid(text)) return false
  const address = ipaddr.IPv6.parse(text)
  if (address.zoneId !== undefined) return false
  const inner = translated(address)
  if (inner !== undefined) return isPublicIPv4(inner)
  return address.match(globalUnicast) && address.range() === "unicast"
}
