import { BlockList, isIPv4, isIPv6 } from "node:net"

/** What is set apart for private networks, this machine, carriers, documentation, tests, multicast and the future (IANA's registries). */
const reserved = new BlockList()
for (const [network, bits] of [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  ["168.63.129.16", 32],
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.0.2.0", 24],
  ["192.31.196.0", 24],
  ["192.52.193.0", 24],
  ["192.88.99.0", 24],
  ["192.168.0.0", 16],
  ["192.175.48.0", 24],
  ["198.18.0.0", 15],
  ["198.51.100.0", 24],
  ["203.0.113.0", 24],
  ["224.0.0.0", 3]
] as const)
  reserved.addSubnet(network, bits, "ipv4")
for (const [network, bits] of [
  ["2001::", 23],
  ["2001:db8::", 32],
  ["2002::", 16],
  ["2620:4f:8000::", 48],
  ["3fff::", 20]
] as const)
  reserved.addSubnet(network, bits, "ipv6")

/** All IPv6 that is given out for the public internet. */
const global = new BlockList()
global.addSubnet("2000::", 3, "ipv6")

const loopback = new BlockList()
loopback.addSubnet("127.0.0.0", 8, "ipv4")
loopback.addAddress("::1", "ipv6")

/** Whether the public internet leads to an address. IPv6 that only carries an IPv4 address (mapped, NAT64) does not count as public. */
export const isPublicAddress = (address: string): boolean => {
  if (isIPv4(address)) return !reserved.check(address, "ipv4")
  return isIPv6(address) && global.check(address, "ipv6") && !reserved.check(address, "ipv6")
}

export const isLoopbackAddress = (address: string): boolean =>
  isIPv4(address) ? loopback.check(address, "ipv4") : isIPv6(address) && loopback.check(address, "ipv6")
