import { Marketplace } from "@agent-marketplace/client/node"
import { installSkill } from "@agent-marketplace/client/node/installSkill"
import { isPublicAddress } from "@agent-marketplace/client/node/sources/isPublicAddress"
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises"
import type { ServerResponse } from "node:http"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterEach, assert, beforeEach, describe, it } from "vitest"
import { fetchOf, marketOf } from "./fixtures/boughtSkill.ts"
import { refusal } from "./fixtures/refusal.ts"
import type { Sources } from "@agent-marketplace/fixtures/sources/startSources"
import { startSources } from "@agent-marketplace/fixtures/sources/startSources"

let sources: Sources
let installDir: string

beforeEach(async () => {
  sources = await startSources()
  installDir = await mkdtemp(join(tmpdir(), "sources-"))
})
afterEach(async () => {
  await sources.stop()
  await rm(installDir, { recursive: true })
})

const install = (installUrl: string | null, { allowLoopback = true, downloadBytes = 1000, seconds = 60 } = {}) =>
  installSkill(marketOf({ slug: "mail-sorter", installUrl }), {
    purchaseId: "pur_mail-sorter",
    installDir,
    allowLoopback,
    accept: true,
    limits: { downloadBytes, seconds }
  })

const refused = async (attempt: Promise<unknown>, reason: RegExp) => {
  await refusal(attempt, reason)
  assert.deepStrictEqual(await readdir(installDir), [])
}

describe("an address that contains an option, a command or another protocol is refused before any request", () => {
  it.each([
    ["--upload-pack=touch /tmp/evil", /must be an HTTPS URL/],
    ["-oProxyCommand=evil", /must be an HTTPS URL/],
    ["ext::sh -c touch% /tmp/evil", /must be an HTTPS URL/],
    ["fd::17", /must be an HTTPS URL/],
    ["file:///etc/passwd", /must be an HTTPS URL/],
    ["/etc/passwd", /must be an HTTPS URL/],
    ["ssh://-oProxyCommand=evil/x", /must be an HTTPS URL/],
    ["git://example.com/x", /must be an HTTPS URL/],
    ["git@example.com:x/y.git", /must be an HTTPS URL/],
    ["https::https://example.com/x", /must be an HTTPS URL/],
    ["http://example.com/x", /must be an HTTPS URL/],
    ["ftp://example.com/x", /must be an HTTPS URL/],
    ["data:text/plain,evil", /must be an HTTPS URL/],
    [" https://example.com/x", /must be an HTTPS URL/],
    ["", /must be an HTTPS URL/],
    ["https://user@example.com/x", /must not carry credentials/],
    ["https://user:secret@example.com/x", /must not carry credentials/],
    ["https://example.com/x\n--upload-pack=evil", /must not have blanks, line breaks/],
    ["https://example.com/x --upload-pack=evil", /must not have blanks/],
    ["https://exam\tple.com/x", /must not have blanks/],
    ["https://example.com\\@evil.example/x", /must not have .* backslashes/],
    ["https://example.com/x\0.md", /must not have .* control characters/],
    ["https://", /must be a valid URL/],
    ["https://[::1", /must be a valid URL/],
    [`https://example.com/${"x".repeat(2048)}`, /more than 2,048 characters/]
  ])("%j", async (url, reason) => {
    await refused(install(url, { allowLoopback: false }), reason)
  })

  it("a file name that would leave the folder is refused too", async () => {
    for (const name of [
      "%2e%2e%2fevil",
      "..%2fevil",
      "%2fetc%2fpasswd",
      "evil%00",
      "a%5Cb",
      "%E0%A4%A",
      "nul.md",
      ".git"
    ]) {
      sources.pages.set(`/${name}`, { body: "evil" })
      await refused(install(`${sources.url}/${name}`), /is not a file name|the path ".*" (?:has|is)/)
    }
  })
})

describe("an address that is not public", () => {
  it.each([
    "127.0.0.1",
    "127.1",
    "2130706433",
    "0x7f.1",
    "0.0.0.0",
    "10.1.2.3",
    "169.254.169.254",
    "192.168.1.1",
    "100.64.0.1",
    "[::1]",
    "[::]",
    "[::ffff:127.0.0.1]",
    "[fe80::1]",
    "[fd00::1]",
    "[64:ff9b::7f00:1]",
    "[2002:7f00:1::]",
    "localhost"
  ])("%s is refused, in the address and as the target of a redirect", async (host) => {
    const reason = /must not lead to a private, loopback or otherwise reserved address|is not known/
    await refused(install(`https://${host}/skill.zip`, { allowLoopback: false }), reason)
    sources.pages.set("/skill.zip", { status: 302, headers: { location: `https://${host}:1/x` } })
    if (!/^(?:127|0x7f|2130706433|localhost|\[::1\]|\[::ffff:127)/.test(host))
      await refused(install(`${sources.url}/skill.zip`), reason)
  })

  it("reserved addresses are not public, all others are", () => {
    const reserved = [
      "172.16.0.1",
      "172.31.255.255",
      "192.0.2.1",
      "198.18.0.1",
      "203.0.113.9",
      "224.0.0.1",
      "255.255.255.255"
    ]
    for (const address of [
      ...reserved,
      "2001:db8::1",
      "ff02::1",
      "2001::1",
      "3fff::1",
      "::ffff:10.0.0.1",
      "no address"
    ])
      assert.isFalse(isPublicAddress(address), address)
    for (const address of [
      "8.8.8.8",
      "172.32.0.1",
      "100.128.0.1",
      "198.20.0.1",
      "2606:4700::1111",
      "2a00:1450::1",
      "::ffff:8.8.8.8"
    ])
      assert.isTrue(isPublicAddress(address), address)
  })

  it("plain HTTP to the public internet is refused even if this machine is allowed", async () => {
    await refused(install("http://8.8.8.8/skill.zip"), /must not lead to/)
    sources.pages.set("/skill.zip", { status: 302, headers: { location: "http://8.8.8.8/skill.zip" } })
    await refused(install(`${sources.url}/skill.zip`), /must not lead to/)
  })
})

describe("redirects", () => {
  it("are followed at most five times, to any allowed target (INSTALL-3)", async () => {
    for (let hop = 0; hop < 6; hop += 1)
      sources.pages.set(`/${hop}.zip`, { status: 302, headers: { location: `./${hop + 1}.zip` } })
    await refused(install(`${sources.url}/0.zip`), /redirects more than 5 times/)
    sources.pages.set("/5.zip", { status: 307, headers: { location: "//8.8.8.8/x" } })
    await refused(install(`${sources.url}/1.zip`), /must not lead to/)
  })

  it.each([
    "file:///etc/passwd",
    "ext::sh",
    "https://user:secret@example.com/",
    "http://[",
    "javascript:0",
    "gopher://x"
  ])("to %s is refused", async (location) => {
    sources.pages.set("/skill.zip", { status: 301, headers: { location } })
    await refused(install(`${sources.url}/skill.zip`), /must be an HTTPS URL|must not carry|to an invalid URL|HTTP 404/)
  })
})

describe("a download", () => {
  it("that is a single file is installed under its own name", async () => {
    sources.pages.set("/docs/Mail%20Sorter.md", {
      body: "# Mail Sorter\n",
      headers: { "content-type": "text/markdown" }
    })
    const { files, installedPath, source } = await install(`${sources.url}/docs/Mail%20Sorter.md`)
    assert.deepStrictEqual([source.type, Object.keys(files)], ["file", ["Mail Sorter.md"]])
    assert.strictEqual(await readFile(join(installedPath, "Mail Sorter.md"), "utf8"), "# Mail Sorter\n")
    sources.pages.set("/", { body: "# Mail Sorter\n" })
    assert.deepStrictEqual(Object.keys((await install(sources.url)).files), ["SKILL.md"])
  })

  it("is stopped at the limit, with or without a declared size", async () => {
    sources.pages.set("/said.md", { body: "x".repeat(1001) })
    await refused(install(`${sources.url}/said.md`), /more than 1000 bytes/)
    let written = 0
    const endless = (response: ServerResponse): void => {
      while (!response.destroyed && response.write("x".repeat(1000))) written += 1000
      if (!response.destroyed) response.once("drain", () => endless(response))
    }
    sources.pages.set("/endless.md", { answer: (_, response) => endless(response) })
    await refused(install(`${sources.url}/endless.md`), /more than 1000 bytes/)
    assert.isBelow(written, 50_000_000)
  })

  it.each([
    [
      "a web page",
      { headers: { "content-type": "text/html; charset=utf-8" }, body: "<html>" },
      /sends a web page, not a skill/
    ],
    [
      "unrequested compression",
      { headers: { "content-encoding": "gzip" }, body: "x" },
      /uses the encoding "gzip", which was not requested/
    ],
    ["an error", { status: 500, body: "oops" }, /responded with HTTP 500/],
    ["nothing", { status: 204 }, /responded with HTTP 204/]
  ])("of %s is refused", async (_, page, reason) => {
    sources.pages.set("/skill", page)
    await refused(install(`${sources.url}/skill`), reason)
  })

  it("that is interrupted is refused", async () => {
    const answer = (_: unknown, response: ServerResponse) => {
      response.writeHead(200, { "content-length": "500" })
      response.write("half", () => response.destroy())
    }
    sources.pages.set("/skill.md", { answer })
    await refused(install(`${sources.url}/skill.md`), /"127\.0\.0\.1:\d+" closed the connection during the download/)
  })

  it("that stalls is aborted at the time limit", async () => {
    sources.pages.set("/never.md", { answer: () => undefined })
    sources.pages.set("/half.zip", { answer: (_, response) => void response.write("PK") })
    for (const name of ["never.md", "half.zip"])
      await refused(install(`${sources.url}/${name}`, { seconds: 0.3 }), /it took more than 0\.3 seconds/)
  })

  it("without a server reports that there was no response", async () => {
    await sources.stop()
    await refused(install(`${sources.url}/skill.md`), /no response from "127\.0\.0\.1:\d+"/)
    sources = await startSources()
  })

  it("the market's key is never sent to a source", async () => {
    sources.pages.set("/SKILL.md", { body: "# Skill\n" })
    const bought = [{ slug: "mail-sorter", installUrl: `${sources.url}/SKILL.md` }]
    const market = new Marketplace({ apiKey: "amk_secret", baseUrl: "https://market.example", fetch: fetchOf(bought) })
    await installSkill(market, { purchaseId: "pur_mail-sorter", installDir, allowLoopback: true })
    for (const { headers, url } of sources.requests) assert.notInclude(JSON.stringify([headers, url]), "amk_secret")
  })
})

describe("the market's response", () => {
  it.each([
    ["no address", { installUrl: null }, /gives nothing to install it from/],
    ["a license that was refunded", { installUrl: "x", purchase: { status: "refunded" as const } }, /does not count/],
    ["a license that has ended", { installUrl: "x", purchase: { isValid: false } }, /does not count/],
    ["a slug that leads out", { slug: "../evil", installUrl: "x" }, /slug "\.\.\/evil" is no slug/],
    ["a slug that is a device", { slug: "con", installUrl: "x" }, /Windows device/],
    ["a SOUL without its text", { id: "soul_1", soul: { content: "", version: 1 } }, /gives no text of the SOUL/]
  ])("%s is refused", async (_, bought, reason) => {
    const market = marketOf({ slug: "mail-sorter", ...bought })
    const [{ id = "" } = {}] = (await market.purchases.list()).purchases
    await refused(installSkill(market, { purchaseId: id, installDir }), reason)
  })

  it.each([
    ["was not purchased", "other", "completed", /"mail-sorter" has to be bought first/],
    ["was refunded", "mail-sorter", "refunded", /"mail-sorter" has to be bought first/],
    ["waits for its owner", "mail-sorter", "pending", /"mail-sorter" waits for its owner's approval/]
  ] as const)("an item that %s is not installed", async (_, slug, status, reason) => {
    const market = marketOf({ slug, purchase: { status } })
    await refusal(installSkill(market, { skillId: "mail-sorter", installDir }), reason)
  })
})
