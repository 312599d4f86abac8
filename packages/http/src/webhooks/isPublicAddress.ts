import ipaddr from "ipaddr.js"

/** All that is given out for the public internet (RFC 4291); within it the library knows what is set apart. */
const globalUnicast: [ipaddr.IPv6, number] = [ipaddr.IPv6.parse("2000::"), 3]

const wellKnownNat64: [ipaddr.IPv6, number] = [ipaddr.IPv6.parse("64:ff9b::"), 96]

/** What an IPv6 address stands for where it only carries an IPv4 address: mapped, or through a NAT64. */
const translated = (address: ipaddr.IPv6): ipaddr.IPv4 | undefined => {
  if (address.isIPv4MappedAddress()) return address.toIPv4Address()
  return address.match(wellKnownNat64) ? new ipaddr.IPv4(address.toByteArray().slice(12)) : undefined
}

/**
 * Whether an address, in its usual spelling, is one that the public internet routes to one receiver. Not public are private, loopback,
 * link-local, carrier-grade, multicast, documentation, benchmarking and reserved ranges, and every tunnel and translation
 * whose far end could be one of them (WEBHOOK-9).
 */
export const isPublicAddress = (text: string): boolean => {
  if (ipaddr.IPv4.isValidFourPartDecimal(text)) return ipaddr.IPv4.parse(text).range() === "unicast"
  if (!ipaddr.IPv6.isValid(text)) return false
  const address = ipaddr.IPv6.parse(text)
  if (address.zoneId !== undefined) return false
  const inner = translated(address)
  if (inner !== undefined) return inner.range() === "unicast"
  return address.match(globalUnicast) && address.range() === "unicast"
}
