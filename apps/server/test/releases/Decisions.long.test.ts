import { assert, beforeAll, describe, it } from "vitest"
import { bodyOf, dataOf, failureOf, issuesOf } from "../fixtures/Client.ts"
import { onMarket } from "../fixtures/Market.ts"
import type { Market, Member } from "../fixtures/Market.ts"
import { released, skillArchive } from "../fixtures/skillArchives.ts"
import type { WireRelease } from "../fixtures/skillArchives.ts"
import { sharedServer } from "../fixtures/sharedServer.ts"
import type { SharedServer } from "../fixtures/sharedServer.ts"

interface Advisory {
  readonly itemId: string
  readonly versions: ReadonlyArray<string>
  readonly sha256: ReadonlyArray<string>
  readonly severity: string
  readonly action: string
  readonly reason: string
}

interface Controlled {
  readonly quarantined: boolean
  readonly releases: ReadonlyArray<{ readonly version: string; readonly status: string }>
}

describe("decisions about versions", () => {
  let server: SharedServer
  let market: Market
  let seller: Member
  let buyer: Member

  beforeAll(async () => {
    server = await sharedServer()
    market = onMarket(server.baseUrl, { testClock: true })
    seller = await market.member({ seller: true })
    buyer = await market.fundedMember(50)
  })

  const decide = (verb: string, item: string, body: object) =>
    market.operator.post(`/api/v1/admin/items/${item}/${verb}`, body)

  /** A listing that was sold, with two releases on sale. */
  const sold = async (name: string) => {
    const id = await market.listing(seller, name, 2)
    // Bytes that are quarantined in one item are quarantined in all, so each item has its own.
    const release = (version: string) => released(seller, id, version, skillArchive(version, { "notes.txt": name }))
    await release("1.0.0")
    const newer = await release("1.1.0")
    dataOf(await buyer.post("/api/v1/purchases", { skillId: id }), 201)
    return { id, newer }
  }

  const installed = async (id: string): Promise<string> =>
    bodyOf<{ version: string }>(await buyer.get(`/v1/listings/${id}/install`)).version

  const download = async (reader: Member, id: string, version: string): Promise<number> =>
    (await reader.get(`/v1/listings/${id}/releases/${version}/download`)).status

  const statusesOf = ({ releases }: Controlled): Readonly<Record<string, string>> =>
    Object.fromEntries(releases.map(({ status, version }) => [version, status]))

  const about = async (id: string): Promise<ReadonlyArray<Advisory>> =>
    dataOf<ReadonlyArray<Advisory>>(await market.guest.get("/api/v1/advisories")).filter(({ itemId }) => itemId === id)

  it("a version is quarantined, released and revoked while the other stays on sale (QUARANTINE-1, QUARANTINE-4, REVOKE-1, ADVISORY-1)", async () => {
    const { id, newer } = await sold("Decided by version")
    const versions = ["1.1.0"]
    const quarantined = dataOf<Controlled>(await decide("quarantine", id, { versions, reason: "reported" }))
    assert.isFalse(quarantined.quarantined)
    assert.deepStrictEqual(statusesOf(quarantined), { "1.0.0": "published", "1.1.0": "quarantined" })
    assert.strictEqual(await installed(id), "1.0.0")
    assert.deepStrictEqual([await download(buyer, id, "1.1.0"), await download(seller, id, "1.1.0")], [404, 200])

    const allowed = dataOf<Controlled>(await decide("release", id, { versions, reason: "harmless" }))
    assert.deepStrictEqual(statusesOf(allowed), { "1.0.0": "published", "1.1.0": "published" })
    assert.deepStrictEqual([await installed(id), await download(buyer, id, "1.1.0")], ["1.1.0", 200])

    const revoked = dataOf<Controlled>(await decide("revoke", id, { versions, reason: "theft", refundDays: 1 }))
    assert.deepStrictEqual(statusesOf(revoked), { "1.0.0": "published", "1.1.0": "quarantined" })
    assert.deepStrictEqual([await installed(id), await download(buyer, id, "1.1.0")], ["1.0.0", 404])
    failureOf(await decide("release", id, { versions, reason: "harmless" }), 409, "CONFLICT")

    const same = { versions, sha256: [newer.sha256] }
    const advisories = await about(id)
    assert.strictEqual(advisories.length, 3)
    assert.deepInclude(advisories[0], { ...same, severity: "high", action: "note", reason: "reported" })
    assert.deepInclude(advisories[1], { ...same, severity: "info", action: "note" })
    assert.deepInclude(advisories[2], { ...same, severity: "critical", action: "remove", reason: "theft" })
  })

  it("a version that the item does not have is refused by its place, and nothing changes (QUARANTINE-2)", async () => {
    const { id } = await sold("Decided wrongly by version")
    for (const verb of ["quarantine", "release", "revoke"]) {
      const reply = await decide(verb, id, { versions: ["1.0.0", "9.9.9"], reason: "reported" })
      assert.match(issuesOf(reply).join(), /versions\.1/, verb)
    }
    assert.deepStrictEqual([await installed(id), await about(id)], ["1.1.0", []])
  })

  it("a yank publishes an advisory about the version once, of severity info (ADVISORY-1, RELEASE-24)", async () => {
    const { id, newer } = await sold("Yanked by version")
    for (const reason of ["Deletes files.", "Again."]) {
      bodyOf<WireRelease>(await seller.post(`/v1/listings/${id}/releases/1.1.0/yank`, { reason }))
    }
    const [advisory, ...more] = await about(id)
    assert.lengthOf(more, 0)
    const { action, reason, severity, sha256, versions } = advisory!
    assert.deepStrictEqual(
      { action, reason, severity, sha256, versions },
      { action: "note", reason: "Deletes files.", severity: "info", sha256: [newer.sha256], versions: ["1.1.0"] }
    )
  })
})
