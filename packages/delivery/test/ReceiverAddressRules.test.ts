import { assert, describe, it } from "vitest"
import type { NameResolver } from "../src/NameResolver.ts"
import { faultOfTarget, publicAddressesOf, TargetRefused } from "../src/ReceiverAddressRules.ts"

/** Notations of private hosts, including disguised ones. */
const insideHosts = [
  "127.0.0.1",
  "127.0.0.1.",
  "127.1",
  "127.0.1",
  "127.000.000.001",
  "2130706433",
  "0x7f000001",
  "0x7F.0x0.0x0.0x1",
  "0x7f.1",
  "017700000001",
  "0177.0.0.1",
  "0177.0.0.01",
  "0",
  "0.0.0.0",
  "10.0.0.1",
  "167772161",
  "0xa000001",
  "012.0.0.1",
  "172.16.0.1",
  "172.31.255.255",
  "192.168.1.1",
  "3232235777",
  "0xc0a80101",
  "0300.0250.1.1",
  "100.64.0.1",
  "169.254.169.254",
  "2852039166",
  "0xa9fea9fe",
  "0251.0376.0251.0376",
  "198.18.0.1",
  "192.0.2.1",
  "198.51.100.1",
  "203.0.113.1",
  "192.0.0.1",
  "192.88.99.1",
  "224.0.0.1",
  "240.0.0.1",
  "255.255.255.255",
  "4294967295",
  "%31%32%37.0.0.1",
  "①②⑦.⓪.⓪.①",
  "127。0。0。1",
  "１２７.0.0.1",
  "[::]",
  "[::1]",
  "[0:0:0:0:0:0:0:1]",
  "[0000::0001]",
  "[::127.0.0.1]",
  "[::7f00:1]",
  "[::ffff:127.0.0.1]",
  "[::ffff:7f00:1]",
  "[::FFFF:10.0.0.1]",
  "[::ffff:169.254.169.254]",
  "[::ffff:0:127.0.0.1]",
  "[64:ff9b::127.0.0.1]",
  "[64:ff9b::a9fe:a9fe]",
  "[64:ff9b:1::a00:1]",
  "[2002:7f00:1::]",
  "[2002:c0a8:101::1]",
  "[2001::1]",
  "[2001:db8::1]",
  "[3fff::1]",
  "[2001:2::1]",
  "[100::1]",
  "[fe80::1]",
  "[fec0::1]",
  "[fc00::1]",
  "[fd00:ec2::254]",
  "[ff02::1]",
  "[5f00::1]",
  "localhost",
  "LOCALHOST",
  "localhost.",
  "a.localhost",
  "ⓛocalhost",
  "%6cocalhost",
  "localhost.localdomain",
  "printer.local",
  "metadata.google.internal",
  "metadata.google.internal.",
  "router.home.arpa",
  "intranet",
  "database"
]

const openHosts = [
  "example.com",
  "hooks.example.com.",
  "8.8.8.8",
  "134744072",
  "0x08080808",
  "[2606:4700:4700::1111]",
  "[::ffff:8.8.8.8]",
  "bücher.example",
  "localhost.example.com",
  "127.0.0.1.nip.io",
  "internal-tools.example.com"
]

const notHttps = [
  "http://example.com/",
  "ftp://example.com/",
  "file:///etc/passwd",
  "gopher://example.com/",
  "ws://a.b/"
]

const resolvesTo =
  (...addresses: ReadonlyArray<string>): NameResolver =>
  () =>
    Promise.resolve(addresses)

const isRefused = async (...addresses: ReadonlyArray<string>) => {
  const error = await publicAddressesOf("hooks.example.com", resolvesTo(...addresses)).then(
    () => undefined,
    (reason: unknown) => reason
  )
  return error instanceof TargetRefused
}

describe("where webhooks may go (WEBHOOK-9, WEBHOOK-10)", () => {
  it(`no private host, in ${insideHosts.length} notations, on any port`, () => {
    for (const host of insideHosts) {
      for (const url of [`https://${host}/hook`, `https://${host}:8443/hook?a=b`]) {
        // What is no URL at all is refused as such.
        assert.isDefined(faultOfTarget(url, "public"), url)
      }
    }
    assert.isAtLeast(insideHosts.length, 60)
  })

  it("any public host, on any port", () => {
    for (const host of openHosts) {
      assert.isUndefined(faultOfTarget(`https://${host}/hook`, "public"), host)
      assert.isUndefined(faultOfTarget(`https://${host}:8443/hook`, "public"), host)
    }
  })

  it("HTTPS only, without credentials", () => {
    for (const url of notHttps)
      assert.match(faultOfTarget(url, "public") ?? "", /^must be an HTTPS URL, unless .* WEBHOOK_ALLOW_PRIVATE/, url)
    for (const url of ["https://me@example.com/", "https://me:secret@example.com/", "https://:secret@example.com/"]) {
      assert.strictEqual(faultOfTarget(url, "public"), "must not carry credentials", url)
    }
    for (const url of [
      "",
      "example.com",
      "https://",
      "https://256.1.1.1/",
      "https://[::1",
      "https://[fe80::1%25eth0]/"
    ]) {
      assert.strictEqual(faultOfTarget(url, "public"), "must be a valid URL", url)
    }
  })

  it("HTTP and private addresses if private targets are allowed, but no other protocols", () => {
    for (const url of ["http://127.0.0.1:3000/hook", "https://localhost/hook", "http://[::1]/", "http://database/"]) {
      assert.isUndefined(faultOfTarget(url, "any"), url)
    }
    assert.isDefined(faultOfTarget("file:///etc/passwd", "any"))
    assert.isDefined(faultOfTarget("ftp://127.0.0.1/", "any"))
  })

  it("this machine over HTTP and HTTPS if loopback is allowed, but no other private host (WEBHOOK-11, WEBHOOK-15)", () => {
    for (const url of [
      "http://127.0.0.1:3000/hook",
      "http://127.8.9.10/",
      "https://localhost/hook",
      "http://hooks.localhost:8080/",
      "http://[::1]/",
      "http://[::ffff:127.0.0.1]/",
      "http://2130706433/"
    ]) {
      assert.isUndefined(faultOfTarget(url, "loopback"), url)
    }
    for (const url of [
      "http://10.0.0.1/",
      "https://10.0.0.1/",
      "https://169.254.169.254/",
      "http://example.com/",
      "https://db/"
    ]) {
      assert.match(faultOfTarget(url, "loopback") ?? "", /WEBHOOK_ALLOW_PRIVATE/, url)
    }
    assert.strictEqual(faultOfTarget("http://me@localhost/", "loopback"), "must not carry credentials")
  })

  it("no name with a single private address", async () => {
    for (const address of [
      "127.0.0.1",
      "10.1.2.3",
      "169.254.169.254",
      "::1",
      "fd00::1",
      "::ffff:10.0.0.1",
      "64:ff9b::a00:1"
    ]) {
      assert.isTrue(await isRefused(address), address)
      assert.isTrue(await isRefused("8.8.8.8", address), address)
      assert.isTrue(await isRefused(address, "2606:4700::1111"), address)
    }
    assert.deepStrictEqual(await publicAddressesOf("a.example", resolvesTo("8.8.8.8", "2606:4700::1111")), [
      "8.8.8.8",
      "2606:4700::1111"
    ])
  })
})
