import { createHash, generateKeyPairSync, sign } from "node:crypto"
import { existsSync } from "node:fs"
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { Marketplace } from "@agent-marketplace/client"
import { auditInstalled } from "@agent-marketplace/client/node/audit/auditInstalled"
import { AdvisoryFeedError } from "@agent-marketplace/client/node/audit/readFeed"
import { InstallError } from "@agent-marketplace/client/node/InstallError"
import { readLockFile } from "@agent-marketplace/client/node/lock/LockFile"
import type { Advisory } from "@agent-marketplace/client/wire/Endpoints"
import { afterEach, assert, beforeEach, describe, it } from "vitest"

const { privateKey, publicKey } = generateKeyPairSync("ed25519")
const x = publicKey.export({ format: "jwk" }).x ?? ""
const kid = createHash("sha256").update(`{"crv":"Ed25519","kty":"OKP","x":"${x}"}`).digest("base64url")
const payloadType = "application/vnd.agent-marketplace.advisory+json"

const digestOf = (payload: string) => createHash("sha256").update(Buffer.from(payload, "base64")).digest("hex")

type Fields = Partial<Omit<Advisory, "envelope">>

/** A signed feed, each advisory after the one before. */
const feedOf = (...rows: ReadonlyArray<Fields>): Array<Advisory> => {
  const feed: Array<Advisory> = []
  for (const [i, row] of rows.entries()) {
    const last = feed.at(-1)
    const fields = {
      action: "remove" as const,
      id: `adv_${String(i + 1).padStart(13, "0")}`,
      itemId: "lst_1",
      previous: last === undefined ? null : digestOf(last.envelope.payload),
      publishedAt: "2026-01-01T00:00:00.000Z",
      reason: "It reads keys.",
      severity: "critical" as const,
      sha256: [],
      versions: [],
      ...row
    }
    const bytes = Buffer.from(JSON.stringify(fields))
    const head = Buffer.from(`DSSEv1 ${payloadType.length} ${payloadType} ${bytes.length} `)
    const sig = sign(null, Buffer.concat([head, bytes]), privateKey).toString("base64")
    const envelope = { payloadType, payload: bytes.toString("base64"), signatures: [{ keyid: kid, sig }] }
    feed.push({ ...fields, envelope })
  }
  return feed
}

const marketOf = (feed: ReadonlyArray<Advisory>): Marketplace =>
  ({
    signing: { keys: () => Promise.resolve({ keys: [{ kid, x, retiredAt: null }] }) },
    advisories: {
      iterate: async function* () {
        yield* feed
      }
    }
  }) as unknown as Marketplace

let installDir: string

const archive = "ab".repeat(32)

const entry = (id: string, version: string) => ({
  id,
  purchaseId: "pur_1",
  licenseKey: null,
  source: {},
  version,
  sha256: "cd".repeat(32),
  files: { "SKILL.md": "ef".repeat(32) },
  installedAt: "2026-01-01T00:00:00.000Z"
})

beforeEach(async () => {
  installDir = await mkdtemp(join(tmpdir(), "audit-"))
  const skills = { sorter: entry("lst_1", `sha256:${archive}`), tutor: entry("soul_2", "3") }
  await writeFile(join(installDir, "marketplace.lock.json"), JSON.stringify({ lockfileVersion: 1, skills }))
  for (const name of Object.keys(skills)) {
    await mkdir(join(installDir, name))
    await writeFile(join(installDir, name, "SKILL.md"), name)
  }
})
afterEach(() => rm(installDir, { recursive: true }))

const states = async (feed: ReadonlyArray<Advisory>, quarantine = false) =>
  Object.fromEntries(
    (await auditInstalled(marketOf(feed), installDir, { quarantine })).map(({ name, state }) => [name, state])
  )

const refusal = (feed: ReadonlyArray<Advisory>): Promise<unknown> =>
  auditInstalled(marketOf(feed), installDir).then(
    () => undefined,
    (error: unknown) => error
  )

const isRefused = async (feed: ReadonlyArray<Advisory>, why: RegExp) => {
  const error = await refusal(feed)
  assert.instanceOf(error, AdvisoryFeedError)
  assert.match(error.message, why)
}

describe("auditInstalled", () => {
  it("finds the advisories about a copy by item and version, by digest, and for every version (ADVISORY-10)", async () => {
    assert.deepStrictEqual(await states([]), { sorter: "clean", tutor: "clean" })
    const other = { itemId: "lst_9" }
    assert.deepStrictEqual(await states(feedOf({ ...other, versions: ["1.0.0"], sha256: ["00"] })), {
      sorter: "clean",
      tutor: "clean"
    })
    const byDigest = { ...other, versions: ["1.0.0"], sha256: [archive] }
    const byVersion = { itemId: "soul_2", versions: ["3"], action: "note", severity: "info" } as const
    await rm(join(installDir, ".marketplace-advisories.json"))
    assert.deepStrictEqual(await states(feedOf(byDigest, byVersion)), { sorter: "remove", tutor: "note" })
    await rm(join(installDir, ".marketplace-advisories.json"))
    const later = { itemId: "soul_2", action: "note", severity: "info" } as const
    assert.deepStrictEqual(await states(feedOf({ itemId: "soul_2" }, later)), { sorter: "clean", tutor: "remove" })
  })

  it("refuses a feed with a wrong signature, a changed field, or a missing or moved advisory (ADVISORY-5, ADVISORY-8)", async () => {
    const [one, two, three] = feedOf({}, { itemId: "lst_2" }, { itemId: "lst_3" })
    if (one === undefined || two === undefined || three === undefined) return assert.fail("the feed is too short")
    await isRefused([{ ...one, reason: "harmless" }], /other_fields/)
    await isRefused([{ ...one, action: "note" }], /other_fields/)
    const sig = Buffer.alloc(64).toString("base64")
    await isRefused([{ ...one, envelope: { ...one.envelope, signatures: [{ keyid: kid, sig }] } }], /bad_signature/)
    await isRefused([{ ...one, envelope: { ...one.envelope, signatures: [{ keyid: "other", sig }] } }], /unknown_key/)
    await isRefused([one, three], /one is missing/)
    await isRefused([two, three], /one is missing/)
    await isRefused([one, one], /one is missing/)
    assert.isUndefined(await refusal([one, two, three]))
  })

  it("refuses a feed that is shorter than before, or that was written anew (ADVISORY-9)", async () => {
    const feed = feedOf({ itemId: "lst_7" }, { itemId: "lst_8" })
    await states(feed)
    await isRefused(feed.slice(0, 1), /no longer contains adv_0000000000002/)
    await isRefused([], /no longer contains/)
    await isRefused(feedOf({ itemId: "lst_7" }, { itemId: "lst_9" }, { itemId: "lst_5" }), /no longer contains/)
    assert.deepStrictEqual(await states(feedOf({ itemId: "lst_7" }, { itemId: "lst_8" }, {})), {
      sorter: "remove",
      tutor: "clean"
    })
    await writeFile(join(installDir, ".marketplace-advisories.json"), "{}")
    assert.instanceOf(await refusal(feed), InstallError)
  })

  it("moves copies away only if requested, out of the lock file too (ADVISORY-11)", async () => {
    const feed = feedOf({})
    assert.deepStrictEqual(await states(feed), { sorter: "remove", tutor: "clean" })
    assert.isTrue(existsSync(join(installDir, "sorter")))
    const [moved] = await auditInstalled(marketOf(feed), installDir, { quarantine: true })
    const target = join(installDir, ".marketplace-quarantine", `sorter-${feed[0]?.id}`)
    assert.strictEqual(moved?.quarantinedTo, target)
    assert.strictEqual(await readFile(join(target, "SKILL.md"), "utf8"), "sorter")
    assert.isFalse(existsSync(join(installDir, "sorter")))
    assert.deepStrictEqual([...(await readLockFile(installDir)).entries.keys()], ["tutor"])
    assert.deepStrictEqual(await states(feed, true), { tutor: "clean" })
  })
})
