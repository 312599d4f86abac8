import { assert, describe, it } from "vitest"
import { isPublicAddress } from "../src/isPublicAddress.ts"

const closed: Readonly<Record<string, ReadonlyArray<string>>> = {
  "this host and network": ["0.0.0.0", "0.1.2.3", "::"],
  loopback: ["127.0.0.1", "127.255.255.254", "::1"],
  private: ["10.0.0.1", "10.255.255.255", "172.16.0.1", "172.31.255.255", "192.168.0.1", "192.168.255.255"],
  "carrier-grade": ["100.64.0.1", "100.127.255.255"],
  "link-local, cloud metadata": ["169.254.0.1", "169.254.169.254", "fe80::1", "febf::1"],
  "the metadata address of Azure, in a public range": [
    "168.63.129.16",
    "::ffff:168.63.129.16",
    "64:ff9b::168.63.129.16"
  ],
  "unique and site-local": ["fc00::1", "fd00:ec2::254", "fec0::1"],
  multicast: ["224.0.0.1", "239.255.255.255", "ff02::1", "ff0e::1"],
  documentation: ["192.0.2.1", "198.51.100.7", "203.0.113.9", "2001:db8::1", "3fff::1"],
  benchmarking: ["198.18.0.1", "198.19.255.255", "2001:2::1"],
  reserved: ["192.0.0.8", "192.88.99.1", "240.0.0.1", "255.255.255.255", "100::1", "5f00::1", "4000::1", "2001:1::1"],
  mapped: ["::ffff:127.0.0.1", "::ffff:7f00:1", "::ffff:10.0.0.1", "::ffff:a9fe:a9fe", "0:0:0:0:0:ffff:c0a8:1"],
  "compatible and translated": ["::127.0.0.1", "::7f00:1", "::ffff:0:127.0.0.1", "::ffff:0:8.8.8.8"],
  NAT64: ["64:ff9b::127.0.0.1", "64:ff9b::a00:1", "64:ff9b:1::1", "64:ff9b::169.254.169.254"],
  "6to4 and Teredo": ["2002:7f00:1::", "2002:a00:1::1", "2002:808:808::1", "2001:0:4136:e378:8000:63bf:3fff:fdd2"],
  ORCHID: ["2001:10::1", "2001:20::1"],
  "with a zone": ["fe80::1%eth0", "2606:4700::1%eth0"],
  "not the usual spelling": ["127.1", "0x7f000001", "2130706433", "0177.0.0.1", "1", "", "localhost", "8.8.8.8 "]
}

const open = [
  "1.1.1.1",
  "8.8.8.8",
  "9.255.255.255",
  "11.0.0.1",
  "100.63.255.255",
  "100.128.0.1",
  "169.253.255.255",
  "172.15.255.255",
  "172.32.0.1",
  "192.167.255.255",
  "198.17.255.255",
  "223.255.255.255",
  "2606:4700:4700::1111",
  "2a00:1450:4001:80b::200e",
  "::ffff:8.8.8.8",
  "64:ff9b::8.8.8.8"
]

describe("which addresses are public (WEBHOOK-9)", () => {
  for (const [name, addresses] of Object.entries(closed)) {
    it(`not: ${name}`, () => {
      for (const address of addresses) assert.isFalse(isPublicAddress(address), address)
    })
  }

  it("all other addresses are public, also next to the reserved ranges", () => {
    for (const address of open) assert.isTrue(isPublicAddress(address), address)
  })
})
