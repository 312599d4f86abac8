import { ReleaseScans } from "@agent-marketplace/core/releases/ReleaseScans"
import { Clock, Effect } from "effect"
import { afterAll, assert, describe, it } from "vitest"
import { startMarket } from "../fixtures/startMarket.ts"

const ruleset = "2026.11.1"

describe("scans that fail", () => {
  const rules = { ruleset, failures: new Map<string, number>() }
  const market = startMarket({ config: { listingReview: "auto" }, rules })
  afterAll(market.stop)

  /** One run of the job, `later` milliseconds from now. */
  const scan = (later = 0) =>
    market.run(
      Effect.gen(function* () {
        const clock = yield* Clock.Clock
        const shifted: Clock.Clock = Object.assign(Object.create(clock) as Clock.Clock, {
          currentTimeMillis: Effect.map(clock.currentTimeMillis, (now) => now + later)
        })
        const { scanDue } = yield* ReleaseScans
        return yield* Effect.provideService(scanDue, Clock.Clock, shifted)
      })
    )

  const uploaded = async (key: string, name: string, text: string) => {
    const body = { name, description: "Sorts files.", price: 0 }
    const { id } = (await market.send("POST", "/api/v1/skills", { key, body })).body.data
    const raw = JSON.stringify({ "SKILL.md": `version: 1.0.0\n${text}` })
    const path = `/v1/listings/${id}/releases?version=1.0.0`
    const reply = await market.send("POST", path, { key, raw, headers: { "content-type": "application/gzip" } })
    assert.strictEqual(reply.status, 201, reply.text)
    return async () => (await market.send("GET", `/v1/listings/${id}/releases/1.0.0`, { key })).body
  }

  it("do not keep others from being scanned, and end with the verdict of an incomplete scan (RELEASE-9, RELEASE-33)", async () => {
    const { key } = await market.account({ seller: true })
    const failing = []
    for (let n = 0; n < 12; n++) {
      rules.failures.set(`broken ${n} `, Number.POSITIVE_INFINITY)
      failing.push(await uploaded(key, `Broken ${n}`, `broken ${n} `))
    }
    rules.failures.set("twice", 2)
    const twice = await uploaded(key, "Broken twice", "twice")
    const whole = await uploaded(key, "Whole", "level: clean")
    await scan()
    assert.strictEqual((await whole()).status, "scanning", "the first ten releases fail")
    await scan()
    assert.strictEqual((await whole()).status, "published", "the failed ones wait")
    for (let run = 1; run < 8; run++) await scan(run * 5_000)
    assert.deepStrictEqual(await twice().then(({ status, verdict }) => [status, verdict.ruleset]), [
      "published",
      ruleset
    ])
    for (const release of failing) {
      const { status, verdict } = await release()
      assert.deepStrictEqual([status, verdict.level, verdict.ruleset], ["in_review", "warn", `${ruleset}+incomplete`])
      assert.strictEqual(verdict.findings[0].rule, "SCAN-INCOMPLETE")
    }
  })
})
