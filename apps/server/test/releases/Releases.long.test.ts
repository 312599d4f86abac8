import { createHash } from "node:crypto"
import { assert, beforeAll, describe, it } from "vitest"
import { bodyOf, dataOf, makeClient } from "../fixtures/Client.ts"
import type { Client, Reply } from "../fixtures/Client.ts"
import { onMarket } from "../fixtures/Market.ts"
import type { Market, Member } from "../fixtures/Market.ts"
import { gzip, harmful, released, scanned, skillArchive, upload } from "../fixtures/skillArchives.ts"
import type { WireRelease } from "../fixtures/skillArchives.ts"
import { waitFor } from "../fixtures/waitFor.ts"
import { sharedServer } from "../fixtures/sharedServer.ts"
import type { SharedServer } from "../fixtures/sharedServer.ts"

interface Failure {
  readonly code: string
  // eslint-disable-next-line typescript/no-explicit-any
  readonly details: any
}

const failureOf = (reply: Reply, status: number): Failure => bodyOf<{ readonly error: Failure }>(reply, status).error

const digestOf = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex")

describe("releases of listings", () => {
  let server: SharedServer
  let market: Market
  let seller: Member
  let names = 0

  beforeAll(async () => {
    server = await sharedServer()
    market = onMarket(server.baseUrl, { testClock: true })
    seller = await market.member({ seller: true })
  })

  const listing = (): Promise<string> => market.listing(seller, `Sorter ${++names}`, 5)

  const freeSkill = async (): Promise<string> => {
    const draft = {
      title: `Free sorter ${++names}`,
      name: `Free sorter ${names}`,
      description: "Sorts rows of files.",
      price: 0
    }
    return dataOf<{ id: string }>(await seller.post("/api/v1/skills", draft), 201).id
  }

  const buy = async (buyer: Member, skillId: string): Promise<void> => {
    dataOf(await buyer.post("/api/v1/purchases", { skillId }), 201)
  }

  const release = (id: string, version: string) => `/v1/listings/${id}/releases/${version}`

  const download = async (path: string, key: string, headers: Readonly<Record<string, string>> = {}) => {
    const response = await fetch(server.baseUrl + path, { headers: { authorization: `Bearer ${key}`, ...headers } })
    return { status: response.status, headers: response.headers, bytes: new Uint8Array(await response.arrayBuffer()) }
  }

  it("an upload is scanned, signed, published and installed (RELEASE-1, RELEASE-7, RELEASE-8, RELEASE-14, RELEASE-20, RELEASE-21, RELEASE-22)", async () => {
    const id = await listing()
    const archive = skillArchive("1.0.0", { "scripts/sort.py": "print(1)\n" })
    const first = bodyOf<WireRelease>(await upload(seller, id, archive), 201)
    assert.match(first.id, /^rel_/)
    assert.deepInclude(first, { version: "1.0.0", sha256: digestOf(archive), size: archive.length, status: "scanning" })
    assert.deepStrictEqual(
      first.files.map(({ path }) => path),
      ["SKILL.md", "scripts/sort.py"]
    )
    assert.isNull(first.verdict)
    const done = await scanned(seller, id, "1.0.0")
    assert.strictEqual(done.status, "published", JSON.stringify(done))
    assert.strictEqual(done.statement?.payloadType, "application/vnd.in-toto+json")
    const statement = JSON.parse(Buffer.from(done.statement?.payload ?? "", "base64").toString())
    assert.deepStrictEqual(statement.subject[0], { name: "archive", digest: { sha256: digestOf(archive) } })
    assert.deepInclude(statement.predicate, { itemId: id, version: "1.0.0", level: done.verdict?.level })
    const place = bodyOf<{ kind: string; version: string; url: string; sha256: string }>(
      await seller.get(`/v1/listings/${id}/install`)
    )
    assert.deepInclude(place, { kind: "release", version: "1.0.0", sha256: digestOf(archive) })
    const got = await download(new URL(place.url).pathname, seller.key)
    assert.deepStrictEqual(digestOf(got.bytes), place.sha256)
    const item = bodyOf<Record<string, unknown>>(await seller.get(`/v1/listings/${id}`))
    assert.deepInclude(item, { delivery: "release", trust: done.verdict?.level })
    const list = dataOf<ReadonlyArray<WireRelease>>(await seller.get(`/api/v1/listings/${id}/releases`))
    assert.deepStrictEqual(list, [done])
    const trust = dataOf<Record<string, unknown>>(
      await market.guest.get(`/api/v1/items/${id}/trust`, { authorization: `Bearer ${seller.key}` })
    )
    assert.deepInclude(trust, { level: done.verdict?.level, ruleset: done.verdict?.ruleset, releases: 1, reports: 0 })
  })

  it("the same version with the same bytes is the first release again, other bytes are refused (RELEASE-3)", async () => {
    const id = await listing()
    const archive = skillArchive("1.0.0")
    const first = bodyOf<WireRelease>(await upload(seller, id, archive), 201)
    assert.strictEqual(bodyOf<WireRelease>(await upload(seller, id, archive)).id, first.id)
    const other = await upload(seller, id, skillArchive("1.0.0", { "a.txt": "x" }))
    assert.deepInclude(failureOf(other, 409), { code: "CONFLICT", details: { state: "version_taken" } })
    await scanned(seller, id, "1.0.0")
    bodyOf(await seller.post(`${release(id, "1.0.0")}/yank`, { reason: "Broken on Windows." }))
    const late = await upload(seller, id, skillArchive("1.0.0", { "a.txt": "y" }))
    assert.deepInclude(failureOf(late, 409), { details: { state: "version_taken" } })
  })

  it("of ten concurrent uploads of one version with different bytes, one is stored (RELEASE-3)", async () => {
    const id = await listing()
    /** An account has four places for uploads (LIMIT-15), so others repeat until one is free. */
    const uploaded = (archive: Uint8Array) =>
      waitFor("a place is free", async () => {
        const reply = await upload(seller, id, archive)
        return reply.status === 429 ? undefined : reply
      })
    const replies = await Promise.all(
      Array.from({ length: 10 }, (_, n) => uploaded(skillArchive("1.0.0", { "n.txt": String(n) })))
    )
    const statuses = replies.map(({ status }) => status).sort()
    assert.deepStrictEqual(statuses, [201, ...Array.from({ length: 9 }, () => 409)])
    const same = skillArchive("2.0.0")
    const again = await Promise.all(Array.from({ length: 6 }, () => uploaded(same)))
    assert.deepStrictEqual(again.map(({ status }) => status).sort(), [200, 200, 200, 200, 200, 201])
    assert.lengthOf(new Set(again.map((reply) => (reply.body as WireRelease).id)), 1)
  })

  it("wrong uploads are refused with the field and the rule, and store nothing (RELEASE-1, RELEASE-2, RELEASE-4)", async () => {
    const id = await listing()
    const path = `/v1/listings/${id}/releases`
    const archive = skillArchive("1.0.0")
    const issue = (reply: Reply) => failureOf(reply, 400).details.issues[0]
    assert.strictEqual((await seller.post(path, "{}", { "content-type": "application/json" })).status, 415)
    assert.strictEqual((await seller.post(path, new Uint8Array(20 * 1_048_576 + 1), gzip)).status, 413)
    assert.strictEqual(issue(await upload(seller, id, skillArchive(undefined))).path, "version")
    for (const version of ["1.0", "v1.0.0", "01.0.0", "1.0.0-01", "1.0.0-%C3%BC", `1.0.0-${"a".repeat(100)}`]) {
      assert.strictEqual(issue(await upload(seller, id, archive, version)).path, "version", version)
    }
    assert.include(issue(await upload(seller, id, archive, "1.0.1")).message, "1.0.0")
    assert.strictEqual(issue(await seller.post(path, "no archive", gzip)).path, "body")
    assert.strictEqual(issue(await seller.post(path, archive, { "content-type": "application/zip" })).path, "body")
    assert.strictEqual(issue(await seller.post(path, "", gzip)).path, "body")
    const stranger = await market.member({ seller: true })
    assert.strictEqual(failureOf(await upload(stranger, id, archive), 403).details.required[0], "creator")
    assert.strictEqual(failureOf(await upload(stranger, "lst_unknown", archive), 404).code, "LISTING_NOT_FOUND")
    assert.lengthOf(bodyOf<{ releases: ReadonlyArray<unknown> }>(await seller.get(path)).releases, 0)
  })

  it("bytes are for license holders and the creator, of a free item for everybody (RELEASE-15)", async () => {
    const id = await listing()
    await released(seller, id, "1.0.0")
    const [buyer, stranger] = [await market.fundedMember(20), await market.member()]
    await buy(buyer, id)
    const path = `${release(id, "1.0.0")}/download`
    assert.strictEqual((await download(path, buyer.key)).status, 200)
    assert.strictEqual((await download(path, seller.key)).status, 200)
    const refused = failureOf(await stranger.get(path), 402)
    assert.deepInclude(refused, { code: "LICENSE_REQUIRED", details: { price: "5.00", itemId: id } })
    assert.strictEqual(failureOf(await buyer.get(`${release(id, "9.9.9")}/download`), 404).code, "RELEASE_NOT_FOUND")
    assert.strictEqual((await market.guest.get(path)).status, 401)
    const free = await freeSkill()
    await released(seller, free, "1.0.0")
    assert.strictEqual((await download(`${release(free, "1.0.0")}/download`, stranger.key)).status, 200)
  })

  it("ETag is the digest; ranges, If-Range and If-None-Match work (RELEASE-15)", async () => {
    const id = await listing()
    const archive = skillArchive("1.0.0", { "data.bin": crypto.getRandomValues(new Uint8Array(5000)) })
    await released(seller, id, "1.0.0", archive)
    const path = `${release(id, "1.0.0")}/download`
    const etag = `"${digestOf(archive)}"`
    const whole = await download(path, seller.key)
    assert.strictEqual(whole.headers.get("etag"), etag)
    assert.strictEqual(whole.headers.get("content-type"), "application/gzip")
    assert.strictEqual(digestOf(whole.bytes), digestOf(archive))
    const part = await download(path, seller.key, { range: "bytes=10-19" })
    assert.strictEqual(part.status, 206)
    assert.strictEqual(part.headers.get("content-range"), `bytes 10-19/${archive.length}`)
    assert.deepStrictEqual(Buffer.from(part.bytes), Buffer.from(archive.subarray(10, 20)))
    assert.strictEqual((await download(path, seller.key, { range: "bytes=-5", "if-range": etag })).status, 206)
    assert.strictEqual((await download(path, seller.key, { range: "bytes=-5", "if-range": '"other"' })).status, 200)
    const outside = await download(path, seller.key, { range: `bytes=${archive.length}-` })
    assert.strictEqual(outside.status, 416)
    assert.strictEqual(outside.headers.get("content-range"), `bytes */${archive.length}`)
    assert.strictEqual((await download(path, seller.key, { "if-none-match": etag })).status, 304)
  })

  it("a yanked release is off sale, and for holders of an earlier license only (RELEASE-12, RELEASE-24)", async () => {
    const id = await listing()
    await released(seller, id, "1.0.0")
    await released(seller, id, "1.1.0")
    const [early, late] = [await market.fundedMember(20), await market.fundedMember(20)]
    await buy(early, id)
    const path = release(id, "1.1.0")
    const invalid = failureOf(await seller.post(`${path}/yank`, {}), 400)
    assert.strictEqual(invalid.details.issues[0].path, "reason")
    assert.strictEqual(
      failureOf(await early.post(`${path}/yank`, { reason: "Mine." }), 403).code,
      "INSUFFICIENT_PERMISSIONS"
    )
    const yanked = bodyOf<WireRelease>(await seller.post(`${path}/yank`, { reason: "Deletes files." }))
    assert.deepInclude(yanked, { status: "yanked", reason: { code: "other", text: "Deletes files." } })
    assert.deepStrictEqual(bodyOf(await seller.post(`${path}/yank`, { reason: "Again." })), yanked)
    await market.advance(5)
    await buy(late, id)
    assert.deepInclude(bodyOf<object>(await late.get(`/v1/listings/${id}/install`)), { version: "1.0.0" })
    assert.strictEqual((await early.get(`${path}/download`)).status, 200)
    assert.strictEqual(failureOf(await late.get(`${path}/download`), 404).code, "RELEASE_NOT_FOUND")
    assert.strictEqual((await late.get(`${release(id, "1.0.0")}/download`)).status, 200)
    assert.strictEqual((await seller.get(`${path}/download`)).status, 200)
  })

  it("harmful content is quarantined: not listed, bought or downloaded, under no version (RELEASE-7, RELEASE-10, RELEASE-13)", async () => {
    const id = await listing()
    const archive = skillArchive(undefined, {}, harmful)
    const first = await released(seller, id, "1.0.0", archive)
    assert.strictEqual(first.status, "quarantined", JSON.stringify(first.verdict))
    assert.isAbove(first.verdict?.findings[0]?.line ?? 0, 0)
    assert.isNotEmpty(first.reason?.text)
    const buyer = await market.fundedMember(20)
    assert.strictEqual((await buyer.get(`/v1/listings/${id}`)).status, 404)
    assert.strictEqual(failureOf(await buyer.post("/api/v1/purchases", { skillId: id }), 404).code, "LISTING_NOT_FOUND")
    assert.strictEqual((await seller.get(`${release(id, "1.0.0")}/download`)).status, 200)
    assert.strictEqual((await released(seller, id, "1.0.1", archive)).status, "quarantined")
    await released(seller, id, "1.1.0")
    await buy(buyer, id)
    for (const version of ["1.0.0", "1.0.1"]) {
      assert.strictEqual((await buyer.get(`${release(id, version)}/download`)).status, 404)
    }
    assert.deepInclude(bodyOf<object>(await buyer.get(`/v1/listings/${id}/install`)), { version: "1.1.0" })
    assert.deepInclude(failureOf(await seller.post(`${release(id, "1.0.0")}/yank`, { reason: "Bad." }), 409), {
      details: { state: "quarantined" }
    })
  })

  it("a rescan is possible once an hour, also beside a yank (RELEASE-16)", async () => {
    const id = await listing()
    await released(seller, id, "1.0.0")
    const path = `${release(id, "1.0.0")}/rescan`
    const replies = await Promise.all([seller.post(path), seller.post(path), seller.post(path)])
    assert.deepStrictEqual(replies.map(({ status }) => status).sort(), [200, 409, 409])
    const refused = replies.find(({ status }) => status === 409)
    assert.deepInclude(failureOf(refused!, 409).details, { state: "rescan_too_soon" })
    await market.advance(3601)
    const [yank] = await Promise.all([
      seller.post(`${release(id, "1.0.0")}/yank`, { reason: "Superseded." }),
      seller.post(path)
    ])
    assert.strictEqual(yank.status, 200)
    await scanned(seller, id, "1.0.0")
    assert.strictEqual(bodyOf<WireRelease>(await seller.get(release(id, "1.0.0"))).status, "yanked")
  })

  it("an upload beside the deletion of its listing is stored before it, or not at all", async () => {
    for (let round = 0; round < 3; round++) {
      const id = await listing()
      const [uploaded, removed] = await Promise.all([
        upload(seller, id, skillArchive("1.0.0")),
        seller.delete(`/v1/listings/${id}`)
      ])
      assert.strictEqual(removed.status, 200)
      assert.include([201, 404], uploaded.status, uploaded.text)
      assert.strictEqual((await upload(seller, id, skillArchive("1.0.1"))).status, 404)
    }
  })

  it("uploads stop at the quota of bytes, which the account's usage shows (RELEASE-6)", async () => {
    const poor = await market.member({ seller: true })
    dataOf(await market.operator.patch(`/api/v1/admin/accounts/${poor.id}`, { quotas: { releaseBytes: 6000 } }))
    const id = await market.listing(poor, `Quota ${++names}`, 5)
    const noise = () => ({ "noise.bin": crypto.getRandomValues(new Uint8Array(4000)) })
    const first = bodyOf<WireRelease>(await upload(poor, id, skillArchive("1.0.0", noise())), 201)
    const refused = failureOf(await upload(poor, id, skillArchive("1.0.1", noise())), 403)
    assert.deepInclude(refused.details, { quota: "releaseBytes", limit: 6000, used: first.size })
    const usage = dataOf<{ quotas: Record<string, unknown> }>(await poor.get("/api/v1/account/usage"))
    assert.deepStrictEqual(usage.quotas["releaseBytes"], { limit: 6000, used: first.size })
  })

  const clientOf = (key: string): Client => makeClient(server.baseUrl, key)

  it("agents without a claim read releases, and upload nothing", async () => {
    const id = await listing()
    await released(seller, id, "1.0.0")
    const agent = dataOf<{ apiKey: { key: string } }>(
      await market.guest.post("/api/v1/agents/register", { name: "Stray" }),
      201
    )
    const client = clientOf(agent.apiKey.key)
    assert.strictEqual((await client.get(release(id, "1.0.0"))).status, 200)
    assert.strictEqual((await client.get(`${release(id, "1.0.0")}/download`)).status, 402)
    assert.strictEqual(failureOf(await upload(client, id, skillArchive("1.0.2")), 403).code, "AGENT_NOT_CLAIMED")
  })
})
