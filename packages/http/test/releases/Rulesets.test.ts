import { Advisories } from "@agent-marketplace/core/advisories/Advisories"
import { EventLog } from "@agent-marketplace/core/events/EventLog"
import { ReleaseScans } from "@agent-marketplace/core/releases/ReleaseScans"
import { Effect } from "effect"
import { afterAll, assert, describe, it } from "vitest"
import { adminToken, startMarket } from "../fixtures/startMarket.ts"

const [first, second] = ["2026.11.1", "2026.12.1"]

const start = (listingReview: "manual" | "auto") => {
  const rules = { ruleset: first ?? "" }
  const market = startMarket({ config: { listingReview }, rules })
  const admin = (method: string, path: string, body?: object) =>
    market.send(method, `/api/v1/admin/${path}`, { key: adminToken, ...(body === undefined ? {} : { body }) })
  const upload = async (key: string, listing: string, version: string, text: string) => {
    const raw = JSON.stringify({ "SKILL.md": `version: ${version}\n${text}` })
    const headers = { "content-type": "application/gzip" }
    const path = `/v1/listings/${listing}/releases?version=${version}`
    assert.strictEqual((await market.send("POST", path, { key, raw, headers })).status, 201)
  }
  const scan = () => market.run(Effect.flatMap(ReleaseScans, ({ scanDue }) => scanDue))
  const release = async (key: string, listing: string, version: string) =>
    (await market.send("GET", `/v1/listings/${listing}/releases/${version}`, { key })).body
  const listing = async (key: string, name: string) =>
    (await market.send("POST", "/api/v1/skills", { key, body: { name, description: "Sorts files.", price: 0 } })).body
      .data.id as string
  const eventsOf = async (subject: string) =>
    (await market.run(Effect.flatMap(EventLog, ({ read }) => read(undefined, 1000)))).filter(
      (event) => event.subject === subject
    )
  return { ...market, rules, admin, upload, scan, release, listing, eventsOf }
}

describe("a new ruleset", () => {
  const market = start("auto")
  afterAll(market.stop)

  it("stops what is on sale if its level is worse, says why, and publishes an advisory where it was sold (RELEASE-18, RELEASE-20, RELEASE-21, RELEASE-23, ADVISORY-6)", async () => {
    market.rules.ruleset = first ?? ""
    const [seller, buyer] = [await market.account({ seller: true }), await market.account()]
    const levels = { better: "clean", notice: "notice", warn: "warn", block: "block", unsold: "block" } as const
    const ids = new Map<string, string>()
    for (const [name, level] of Object.entries(levels)) {
      const id = await market.listing(seller.key, `Sorter with ${name}`)
      ids.set(name, id)
      await market.upload(seller.key, id, "1.0.0", `level: notice\nlevel by ${second}: ${level}\n${name}`)
    }
    await market.scan()
    for (const [name, id] of ids) {
      const { status, verdict } = await market.release(seller.key, id, "1.0.0")
      assert.deepStrictEqual([status, verdict.level, verdict.ruleset], ["published", "notice", first])
      if (name === "unsold") continue
      const bought = await market.send("POST", "/api/v1/purchases", { key: buyer.key, body: { skillId: id } })
      assert.strictEqual(bought.status, 201, bought.text)
    }
    await market.scan()
    const release = (name: string) => market.release(seller.key, ids.get(name) ?? "", "1.0.0")
    const before = await release("block")
    assert.strictEqual(before.verdict.ruleset, first, "the same rules change nothing")

    market.rules.ruleset = second ?? ""
    await market.scan()
    await market.scan()
    for (const [name, level, status] of [
      ["better", "clean", "published"],
      ["notice", "notice", "published"],
      ["warn", "warn", "in_review"],
      ["block", "block", "quarantined"],
      ["unsold", "block", "quarantined"]
    ] as const) {
      const found = await release(name)
      assert.deepStrictEqual([found.status, found.verdict.level, found.verdict.ruleset], [status, level, second])
      if (status === "published") assert.isNull(found.reason)
      else assert.include(found.reason.text, "SKILL-TEST-001 in SKILL.md, line 1")
      const statement = JSON.parse(Buffer.from(found.statement.payload, "base64").toString())
      assert.deepInclude(statement.predicate, { level, ruleset: second, version: "1.0.0" })
      const types = (await market.eventsOf(found.id)).map(({ accounts, type }) => {
        assert.deepStrictEqual<ReadonlyArray<string>>(accounts, [seller.id])
        return type
      })
      const left = status === "published" ? [] : ["release.quarantined"]
      assert.deepStrictEqual(types, ["release.published", ...left], name)
      const trust = (await market.send("GET", `/api/v1/items/${ids.get(name)}/trust`, { key: seller.key })).body.data
      assert.deepInclude(trust, { level, ruleset: second, releases: 1 }, "RELEASE-23")
    }
    assert.deepInclude((await market.eventsOf(before.id)).at(-1)?.data, { status: "quarantined", level: "block" })

    await market.run(Effect.flatMap(Advisories, ({ publishNow }) => publishNow))
    const published = (await market.send("GET", "/api/v1/advisories")).body.data as ReadonlyArray<{
      readonly itemId: string
      readonly severity: string
      readonly versions: ReadonlyArray<string>
      readonly sha256: ReadonlyArray<string>
    }>
    assert.deepStrictEqual(
      published.map(({ itemId }) => itemId),
      [ids.get("block")],
      "unsold items and reviews need none"
    )
    assert.deepInclude(published[0], { severity: "high", versions: ["1.0.0"], sha256: [before.sha256] })
    const late = await market.send("POST", "/api/v1/purchases", {
      key: (await market.account()).key,
      body: { skillId: ids.get("block") }
    })
    assert.strictEqual(late.status, 404)
  })
})

describe("releases with a review by operators", () => {
  const market = start("manual")
  afterAll(market.stop)

  it("wait for the approval of their listing, or for an operator if their level is warn (RELEASE-17, RELEASE-20)", async () => {
    const seller = await market.account({ seller: true })
    const id = await market.listing(seller.key, "Reviewed sorter")
    await market.upload(seller.key, id, "1.0.0", "level: notice")
    await market.upload(seller.key, id, "1.1.0", "level: warn")
    await market.scan()
    const statuses = async () =>
      Promise.all(
        ["1.0.0", "1.1.0", "1.2.0"].map(async (version) => (await market.release(seller.key, id, version)).status)
      )
    assert.deepStrictEqual((await statuses()).slice(0, 2), ["in_review", "in_review"])
    await market.scan()
    assert.deepStrictEqual((await statuses()).slice(0, 2), ["in_review", "in_review"], "the listing is not approved")
    assert.strictEqual((await market.admin("POST", `listings/${id}/approve`)).status, 200)
    await market.scan()
    assert.deepStrictEqual((await statuses()).slice(0, 2), ["published", "in_review"])
    await market.upload(seller.key, id, "1.2.0", "level: clean")
    await market.scan()
    assert.deepStrictEqual(await statuses(), ["published", "in_review", "in_review"])
    const released = await market.admin("POST", `items/${id}/release`, { reason: "All of it is fine." })
    assert.strictEqual(released.status, 200, released.text)
    assert.deepStrictEqual(await statuses(), ["published", "published", "published"])
    for (const version of ["1.0.0", "1.1.0", "1.2.0"]) {
      const { id: subject } = await market.release(seller.key, id, version)
      const types = (await market.eventsOf(subject)).map(({ type }) => type)
      assert.deepStrictEqual(types, ["release.published"], version)
    }
  })
})
