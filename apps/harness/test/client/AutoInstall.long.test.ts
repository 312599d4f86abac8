import { Marketplace as PortableMarketplace } from "@agent-marketplace/client"
import { Marketplace } from "@agent-marketplace/client/node"
import { installSkill } from "@agent-marketplace/client/node/installSkill"
import { isPublicAddress } from "@agent-marketplace/client/node/sources/isPublicAddress"
import { updateInstalled } from "@agent-marketplace/client/node/updateInstalled"
import { verifyInstalled } from "@agent-marketplace/client/node/verifyInstalled"
import { isPublicAddress as isPublicToWebhooks } from "@agent-marketplace/delivery/isPublicAddress"
import { committed, noGit } from "@agent-marketplace/fixtures/sources/madeRepository"
import type { Sources } from "@agent-marketplace/fixtures/sources/startSources"
import { startSources } from "@agent-marketplace/fixtures/sources/startSources"
import { testCertificate } from "@agent-marketplace/fixtures/webhooks/testCertificate"
import * as fc from "fast-check"
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { buffer } from "node:stream/consumers"
import { getCACertificates, setDefaultCACertificates } from "node:tls"
import { gzipSync } from "node:zlib"
import { pack } from "tar-stream"
import { afterAll, assert, beforeAll, beforeEach, describe, it } from "vitest"
import type { Harness } from "../../src/startHarness.ts"
import { startHarness } from "../../src/startHarness.ts"

if (noGit !== undefined) process.stdout.write(`${noGit}\n`)

const trusted = getCACertificates()
const trustedByGit = process.env["GIT_SSL_CAINFO"]

let harness: Harness
let sources: Sources
let root: string
let installDir: string
let buyer: Marketplace
let seller: PortableMarketplace

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), "auto-install-"))
  harness = await startHarness()
  sources = await startSources({ git: root, tls: testCertificate })
  setDefaultCACertificates([...trusted, testCertificate.cert])
  await writeFile(join(root, "ca.pem"), testCertificate.cert)
  process.env["GIT_SSL_CAINFO"] = join(root, "ca.pem")
})
afterAll(async () => {
  setDefaultCACertificates(trusted)
  if (trustedByGit === undefined) delete process.env["GIT_SSL_CAINFO"]
  else process.env["GIT_SSL_CAINFO"] = trustedByGit
  await harness.stop()
  await sources.stop()
  await rm(root, { recursive: true })
})
beforeEach(async () => {
  await harness.reset()
  const { baseUrl, keys } = harness
  installDir = await mkdtemp(join(root, "installed-"))
  buyer = new Marketplace({ apiKey: keys.buyer, baseUrl, installDir, installs: { allowLoopback: true } })
  seller = new PortableMarketplace({ apiKey: keys.seller, baseUrl })
})

const listed = async (installUrl: string): Promise<string> => {
  const description = "Sorts mail by what it is about."
  const { id } = await seller.listings.create({
    name: "Letter Box",
    description,
    price: 5,
    category: "automation",
    installUrl
  })
  return id
}

const archiveOf = async (...names: ReadonlyArray<string>): Promise<Buffer> => {
  const tar = pack()
  for (const name of names) tar.entry({ name }, `content of ${name}`)
  tar.finalize()
  return gzipSync(await buffer(tar as AsyncIterable<Buffer>))
}

describe("autoInstall on a market (CLIENT-9)", () => {
  it("installs a paid skill's archive; verify and update go by the lock file", async () => {
    sources.pages.set("/letter-box.tgz", { body: await archiveOf("SKILL.md", "more/text.md") })
    const skillId = await listed(`${sources.url}/letter-box.tgz`)
    const bought = await buyer.skills.buy({ skillId, autoInstall: true })
    assert.strictEqual(bought.status, "completed", bought.message)
    assert.strictEqual(bought.installedPath, join(installDir, "letter-box"))
    assert.match(bought.message ?? "", /^letter-box sha256:\w+ is installed$/)
    assert.strictEqual(await readFile(join(installDir, "letter-box/more/text.md"), "utf8"), "content of more/text.md")
    const lock = JSON.parse(await readFile(join(installDir, "agent-marketplace.lock.json"), "utf8"))
    const { id, purchaseId } = lock.items["letter-box"]
    assert.deepStrictEqual({ id, purchaseId }, { id: skillId, purchaseId: bought.purchaseId })

    sources.pages.set("/letter-box.tgz", { body: await archiveOf("SKILL.md") })
    const [updated] = await updateInstalled(buyer, installDir, ["letter-box"], {
      allowLoopback: true,
      accept: true
    })
    assert.strictEqual(updated?.status, "updated")
    assert.deepStrictEqual(await readdir(join(installDir, "letter-box")), ["SKILL.md"])
    const [verified] = await verifyInstalled(installDir)
    assert.deepStrictEqual(verified?.differences, [])

    await seller.purchases.refund(bought.purchaseId)
    const [refused] = await updateInstalled(buyer, installDir, undefined, { allowLoopback: true })
    assert.match(refused?.message ?? "", /license of pur_\w+ does not count/)
  })

  it.skipIf(noGit !== undefined)("installs a skill's repository", async () => {
    const commit = await committed(join(root, "git/letter-box"), { "SKILL.md": "# Letter Box\n" })
    const skillId = await listed(`${sources.url}/git/letter-box`)
    const { installedPath, message } = await buyer.skills.buy({ skillId, autoInstall: true })
    assert.strictEqual(message, `letter-box ${commit} is installed`)
    assert.deepStrictEqual(await readdir(installedPath ?? ""), ["SKILL.md"])
  })

  it("installs a SOUL as SOUL.md, which counts as a download", async () => {
    const { soul } = await buyer.souls.get(harness.items.soul.slug)
    const { installedPath = "" } = await buyer.skills.buy({ skillId: soul.id, autoInstall: true })
    assert.strictEqual(await readFile(join(installedPath, "SOUL.md"), "utf8"), soul.content)
    const { source, version } = await installSkill(buyer, { skillId: soul.slug, installDir })
    assert.deepStrictEqual([source, version], [{ type: "soul" }, "1.0.0"])
  })

  it("a malicious skill is paid for and not installed; after the seller has put it right it is", async () => {
    sources.pages.set("/evil.tgz", { body: await archiveOf("SKILL.md", "../../evil") })
    const skillId = await listed(`${sources.url}/evil.tgz`)
    const { installedPath, message, purchaseId, status } = await buyer.skills.buy({ skillId, autoInstall: true })
    assert.deepStrictEqual([status, installedPath], ["completed", undefined])
    assert.strictEqual(message, 'bought, but not installed: the path "../../evil" has a part ..')
    assert.deepStrictEqual(await readdir(installDir), [])
    assert.isTrue((await buyer.purchases.get(purchaseId)).isValid)
    sources.pages.set("/evil.tgz", { body: await archiveOf("SKILL.md") })
    const installed = await installSkill(buyer, { skillId, installDir, allowLoopback: true })
    assert.deepStrictEqual(Object.keys(installed.files), ["SKILL.md"])
  })

  it("what waits for its owner is installed once it was approved", async () => {
    sources.pages.set("/SKILL.md", { body: "# Letter Box\n" })
    const skillId = await listed(`${sources.url}/SKILL.md`)
    await buyer.wallet.policy.change({ autoApprove: false })
    const { purchaseId, ...waiting } = await buyer.skills.buy({ skillId, autoInstall: true })
    assert.deepStrictEqual([waiting.status, waiting.installedPath], ["pending_approval", undefined])
    const [approval] = await buyer.approvals.list({ status: "pending" })
    await buyer.approvals.approve(approval?.id ?? "")
    const { installedPath } = await installSkill(buyer, { purchaseId, installDir, allowLoopback: true })
    assert.deepStrictEqual(await readdir(installedPath), ["SKILL.md"])
  })
})

describe("which addresses are public", () => {
  it("the client judges them no more freely than the server does for webhooks", () => {
    const anyAddress = fc.oneof(fc.ipV4(), fc.ipV6())
    fc.assert(
      fc.property(anyAddress, (address) => !isPublicAddress(address) || isPublicToWebhooks(address)),
      { numRuns: 20_000 }
    )
  })
})
