import { ReleaseScans } from "@agent-marketplace/core/releases/ReleaseScans"
import { Effect } from "effect"
import { afterAll, assert, describe, it } from "vitest"
import { adminToken, startMarket } from "../fixtures/startMarket.ts"

const rules = { ruleset: "2026.11.1" }
const market = startMarket({ config: { listingReview: "auto" }, http: { testClock: true }, rules })
afterAll(market.stop)

const admin = (method: string, path: string, body?: object) =>
  market.send(method, `/api/v1/admin/${path}`, { key: adminToken, ...(body === undefined ? {} : { body }) })

const scan = () => market.run(Effect.flatMap(ReleaseScans, ({ scanDue }) => scanDue))

/** Names are younger than others only if time passes. */
const advance = async (seconds = 1) =>
  assert.strictEqual((await admin("POST", "clock", { advanceSeconds: seconds })).status, 200)

const listing = async (key: string, name: string) => {
  await advance()
  const body = { name, description: "Sorts files.", price: 0 }
  return (await market.send("POST", "/api/v1/skills", { key, body })).body.data.id as string
}

/** Uploads and scans a release that says this. */
const upload = async (key: string, id: string, version: string, says: string, more = "") => {
  const raw = JSON.stringify({ "SKILL.md": `version: ${version}\nsays: ${says}\n${more}` })
  const headers = { "content-type": "application/gzip" }
  const sent = await market.send("POST", `/v1/listings/${id}/releases?version=${version}`, { key, raw, headers })
  assert.strictEqual(sent.status, 201, sent.text)
  await scan()
}

const release = async (key: string, id: string, version: string) =>
  (await market.send("GET", `/v1/listings/${id}/releases/${version}`, { key })).body

const trust = async (key: string, id: string) => {
  const { body, status } = await market.send("GET", `/api/v1/items/${id}/trust`, { key })
  assert.strictEqual(status, 200)
  return body.data
}

const rulesOf = ({ findings }: { readonly findings: ReadonlyArray<{ readonly rule: string }> }) =>
  findings.map(({ rule }) => rule)

describe("a release that repeats another creator's", () => {
  it("waits for an operator and names the original, which stays as it is, also after a new ruleset (RELEASE-30, RELEASE-21)", async () => {
    const [author, thief] = [await market.account({ seller: true }), await market.account({ seller: true })]
    const original = await listing(author.key, "Original sorter")
    await upload(author.key, original, "1.0.0", "sort well")
    const copy = await listing(thief.key, "Other sorter")
    await upload(thief.key, copy, "1.0.0", "sort well", "and a line of its own")

    const found = await release(thief.key, copy, "1.0.0")
    assert.deepInclude(found, { status: "in_review" })
    assert.deepInclude(found.reason, { code: "copy" })
    assert.deepInclude(found.verdict, { level: "warn", ruleset: rules.ruleset })
    assert.deepInclude(found.verdict.findings[0], {
      rule: "SKILL-COPY-001",
      level: "warn",
      file: "SKILL.md",
      evidence: `100 % as in ${original}`
    })
    const statement = JSON.parse(Buffer.from(found.statement.payload, "base64").toString())
    assert.strictEqual(statement.predicate.level, "warn")
    assert.deepStrictEqual(rulesOf(await trust(thief.key, copy)), ["SKILL-COPY-001"])
    assert.deepInclude(await trust(thief.key, original), { level: "clean", findings: [] })

    const approved = await admin("POST", `items/${copy}/release`, { reason: "Licensed by the author." })
    assert.strictEqual(approved.status, 200, approved.text)
    await upload(author.key, original, "1.1.0", "sort well", "better")
    assert.strictEqual((await release(author.key, original, "1.1.0")).status, "published")
    rules.ruleset = "2026.12.1"
    for (let n = 0; n < 3; n++) await scan()
    for (const version of ["1.0.0", "1.1.0"]) {
      const { status, verdict } = await release(author.key, original, version)
      assert.deepStrictEqual([status, verdict.level, verdict.ruleset], ["published", "clean", "2026.12.1"])
    }
    const again = await release(thief.key, copy, "1.0.0")
    assert.deepStrictEqual(
      [again.status, again.verdict.level, again.verdict.ruleset],
      ["published", "warn", "2026.12.1"],
      "an operator's decision remains in force"
    )
    assert.deepInclude(await trust(author.key, copy), { level: "warn" })
  })

  it("is found with the very same bytes too, and never in its creator's own items (RELEASE-30, RELEASE-9)", async () => {
    const [author, thief] = [await market.account({ seller: true }), await market.account({ seller: true })]
    const [one, own, copy] = [
      await listing(author.key, "First of mine"),
      await listing(author.key, "Second of mine"),
      await listing(thief.key, "Not of mine")
    ]
    for (const id of [one, own]) await upload(author.key, id, "1.0.0", "count all lines")
    await upload(thief.key, copy, "1.0.0", "count all lines")
    const [first, second, third] = [
      await release(author.key, one, "1.0.0"),
      await release(author.key, own, "1.0.0"),
      await release(thief.key, copy, "1.0.0")
    ]
    assert.deepStrictEqual([first.sha256, second.sha256], [third.sha256, third.sha256])
    assert.deepStrictEqual([first.status, second.status, third.status], ["published", "published", "in_review"])
    assert.deepStrictEqual([first.verdict.level, second.verdict.level, third.verdict.level], ["clean", "clean", "warn"])
  })

  it("is found though the original is deleted, without naming it (RELEASE-30)", async () => {
    const [author, thief] = [await market.account({ seller: true }), await market.account({ seller: true })]
    const original = await listing(author.key, "Soon gone")
    await upload(author.key, original, "1.0.0", "rename every file")
    assert.strictEqual(
      (await market.send("DELETE", `/v1/listings/${original}`, { key: author.key })).status < 300,
      true
    )
    const copy = await listing(thief.key, "Still here")
    await upload(thief.key, copy, "1.0.0", "rename every file")
    const [finding] = (await release(thief.key, copy, "1.0.0")).verdict.findings
    assert.strictEqual(finding.evidence, "100 % as in an item that is not public")
  })

  it("may be a soul: its text waits, and the soul is not listed (RELEASE-30, SOUL-49)", async () => {
    const [author, thief] = [await market.account({ seller: true }), await market.account({ seller: true })]
    const create = (key: string, name: string, more = "") => {
      const content = `# SOUL\n\n## Identity\n\nsays: be patient and precise\n${more}`
      return market.send("POST", "/api/v1/souls/create", { key, body: { name, description: "Reads twice.", content } })
    }
    const original = (await create(author.key, "Patient one")).body
    const copy = (await create(thief.key, "Precise one", "Always.")).body
    const found = await trust(thief.key, copy.id)
    assert.deepInclude(found, { level: "warn" })
    assert.deepInclude(found.findings[0], { file: "SOUL.md", evidence: `100 % as in ${original.id}` })
    assert.strictEqual((await market.send("GET", `/api/souls/${copy.slug}`, { key: author.key })).status, 404)
    assert.strictEqual((await market.send("GET", `/api/souls/${original.slug}`, { key: thief.key })).status, 200)
  })

  it("is quarantined by four trusted reporters, and the original stays on sale (REPORT-3, RELEASE-30)", async () => {
    const [author, thief] = [await market.account({ seller: true }), await market.account({ seller: true })]
    const original = await listing(author.key, "Honest work")
    await upload(author.key, original, "1.0.0", "join two tables")
    const copy = await listing(thief.key, "Stolen work")
    await upload(thief.key, copy, "1.0.0", "join two tables", "mine")
    assert.strictEqual((await admin("POST", `items/${copy}/release`, { reason: "Looks different." })).status, 200)
    const reporters: Array<{ readonly key: string }> = []
    for (let n = 0; n < 4; n++) reporters.push(await market.account({ name: `Reporter ${n}` }))
    for (const { key } of reporters) {
      const bought = await market.send("POST", "/api/v1/purchases", { key, body: { skillId: original } })
      assert.strictEqual(bought.status, 201, bought.text)
    }
    await advance(8 * 86_400)
    const isOnSale = async (id: string) =>
      (await market.send("GET", `/api/v1/skills/${id}`, { key: reporters[0]?.key })).status === 200
    const report = { reason: "copy", text: "It is the text of another creator." }
    for (const [n, { key }] of reporters.entries()) {
      assert.isTrue(await isOnSale(copy), `after ${n} reports`)
      assert.strictEqual(
        (await market.send("POST", `/api/v1/items/${copy}/reports`, { key, body: report })).status,
        201
      )
    }
    assert.isFalse(await isOnSale(copy))
    assert.strictEqual((await release(thief.key, copy, "1.0.0")).status, "quarantined")
    assert.isTrue(await isOnSale(original))
    assert.strictEqual((await release(author.key, original, "1.0.0")).status, "published")
    assert.deepInclude(await trust(author.key, original), { level: "clean", findings: [], reports: 0 })
    const key = reporters[0]?.key
    const install = await market.send("GET", `/v1/listings/${original}/install`, { key })
    assert.strictEqual(install.body.kind, "release")
  })

  it("is quarantined as a copy by an operator without the original, whose bytes it has (RELEASE-27)", async () => {
    const [author, thief] = [await market.account({ seller: true }), await market.account({ seller: true })]
    const [original, copy] = [await listing(author.key, "Honest words"), await listing(thief.key, "Stolen words")]
    for (const [{ key }, id] of [
      [author, original],
      [thief, copy]
    ] as const)
      await upload(key, id, "1.0.0", "draw a graph")
    const decided = await admin("POST", `items/${copy}/quarantine`, { reason: "Stolen.", code: "copy" })
    assert.strictEqual(decided.status, 200, decided.text)
    assert.strictEqual((await release(thief.key, copy, "1.0.0")).status, "quarantined")
    assert.strictEqual((await release(author.key, original, "1.0.0")).status, "published")
    const later = await listing(author.key, "Honest words again")
    await upload(author.key, later, "1.0.0", "draw a graph", "again")
    assert.strictEqual((await release(author.key, later, "1.0.0")).status, "published")
  })
})

describe("a name that another creator's item has", () => {
  it("is a notice for the later item, with and without a release, and none for the earlier one (NAME-2, RELEASE-23)", async () => {
    const [one, other] = [await market.account({ seller: true }), await market.account({ seller: true })]
    const name = "Twice the same name"
    const first = await listing(one.key, name)
    const second = await listing(other.key, name)
    const bare = await trust(other.key, second)
    assert.deepInclude(bare, { level: null, ruleset: null, releases: 0 })
    assert.deepInclude(bare.findings[0], { rule: "SKILL-COPY-002", level: "notice", evidence: `${name}, as ${first}` })
    assert.deepStrictEqual((await trust(one.key, first)).findings, [])
    await upload(one.key, first, "1.0.0", "the first text")
    await upload(other.key, second, "1.0.0", "the second text, longer")
    assert.deepInclude(await trust(one.key, first), { level: "clean", findings: [] })
    const found = await trust(other.key, second)
    assert.deepStrictEqual([found.level, rulesOf(found)], ["notice", ["SKILL-COPY-002"]])
    assert.strictEqual((await release(other.key, second, "1.0.0")).status, "published")
    const listed = await market.send("GET", `/v1/listings/${second}`, { key: one.key })
    assert.strictEqual((listed.body.listing ?? listed.body).trust, "notice")
  })

  it("or nearly has is a warning if 50 were sold, and the item waits as a whole (NAME-3, RELEASE-7)", async () => {
    const [one, other] = [await market.account({ seller: true }), await market.account({ seller: true })]
    const popular = await listing(one.key, "Quicksilver")
    for (let n = 0; n < 50; n++) {
      const { key } = await market.account({ name: `Buyer ${n}` })
      const bought = await market.send("POST", "/api/v1/purchases", { key, body: { skillId: popular } })
      assert.strictEqual(bought.status, 201, bought.text)
    }
    const near = await listing(other.key, "Quicksilvers")
    await upload(other.key, near, "1.0.0", "something else entirely")
    const found = await trust(other.key, near)
    assert.strictEqual(found.level, "warn")
    assert.deepInclude(found.findings[0], {
      rule: "SKILL-COPY-003",
      level: "warn",
      evidence: `Quicksilvers, as ${popular}`
    })
    const visible = async () => (await market.send("GET", `/api/v1/skills/${near}`, { key: one.key })).status
    assert.strictEqual(await visible(), 404)
    const approved = await admin("POST", `listings/${near}/approve`, {})
    assert.strictEqual(approved.status, 200, approved.text)
    assert.strictEqual(await visible(), 200, "the operator approved the name, so its releases need no further decision")
    assert.deepInclude(await trust(one.key, near), { level: "warn" })
    const soul = await market.send("POST", "/api/v1/souls/create", {
      key: other.key,
      body: { name: "Quicksilver", description: "Reads twice.", content: "# SOUL\n\n## Identity\n\nYou are quick." }
    })
    assert.deepStrictEqual(rulesOf(await trust(other.key, soul.body.id)), ["SKILL-COPY-003"])
    assert.deepStrictEqual((await trust(one.key, popular)).findings, [])
  })
})
