import type { Timestamp } from "@agent-marketplace/core/clock/Timestamp"
import type { Conflict } from "@agent-marketplace/core/errors/MarketError"
import { StoreUnavailable } from "@agent-marketplace/core/errors/MarketError"
import type { StoreEffect } from "@agent-marketplace/core/errors/StoreEffect"
import type { ReportId } from "@agent-marketplace/core/ids/Ids"
import type { Report, ReportAction } from "@agent-marketplace/core/moderation/Report"
import { ReportStore } from "@agent-marketplace/core/moderation/ReportStore"
import type { ItemReleasesRule } from "@agent-marketplace/core/releases/ReleaseStore"
import { MemoryStores } from "@agent-marketplace/memory/MemoryStores"
import type { Option } from "effect"
import { Effect, Layer } from "effect"
import { afterAll, assert, describe, it } from "vitest"
import { adminToken, startMarket } from "../fixtures/startMarket.ts"

const market = startMarket({ config: { listingReview: "auto" }, http: { testClock: true } })
const { send } = market
afterAll(market.stop)

const operator = { authorization: `Bearer ${adminToken}` }

const admin = (method: string, path: string, body?: object) =>
  send(method, `/api/v1/admin/${path}`, { headers: operator, ...(body === undefined ? {} : { body }) })

const signUp = async (name: string, seller = false) => {
  const { body } = await send("POST", "/api/v1/accounts", { body: { name, seller }, headers: operator })
  const headers = { authorization: `Bearer ${body.data.apiKey.key}` }
  const call = (method: string, path: string, sent?: object) =>
    send(method, path, { headers, ...(sent === undefined ? {} : { body: sent }) })
  return { id: body.data.account.id as string, call }
}

const skill = (name: string) => ({ name, description: "Cleans and normalises files.", price: 0 })
const complaint = { reason: "malware", text: "It sends keys away." }

describe("reports of items", () => {
  it("are made once by each account, and never of an own item (REPORT-1, REPORT-2)", async () => {
    const [seller, buyer] = [await signUp("Ada", true), await signUp("Bob")]
    const { id } = (await seller.call("POST", "/api/v1/skills", skill("Suspicious one"))).body.data
    const path = `/api/v1/items/${id}/reports`
    const made = await buyer.call("POST", path, complaint)
    assert.strictEqual(made.status, 201)
    assert.deepInclude(made.body.data, { itemId: id, ...complaint, status: "open", resolvedAt: null })
    const again = await buyer.call("POST", path, { reason: "spam", text: "Again." })
    assert.deepStrictEqual([again.status, again.body.error.details], [409, { state: "reported" }])
    assert.strictEqual((await seller.call("POST", path, complaint)).status, 403)
    const read = (await buyer.call("POST", "/api/v1/keys", { name: "r", scope: "READ" })).body.data.key as string
    const refused = await send("POST", path, { headers: { authorization: `Bearer ${read}` }, body: complaint })
    assert.strictEqual(refused.status, 403)
    for (const unknown of ["lst_nothing", "soul_nothing"]) {
      assert.strictEqual((await buyer.call("POST", `/api/v1/items/${unknown}/reports`, complaint)).status, 404)
    }
    for (const [field, body] of [
      ["reason", { text: "x" }],
      ["reason", { reason: "dislike", text: "x" }],
      ["text", { reason: "spam" }],
      ["text", { reason: "spam", text: "" }],
      ["text", { reason: "spam", text: "x".repeat(2001) }]
    ] as const) {
      const invalid = await buyer.call("POST", path, body)
      assert.deepStrictEqual([invalid.status, invalid.body.error.details.issues[0].path], [400, field])
    }
  })

  it("by four trusted accounts quarantine an item until a person looks, and name nobody to the creator (REPORT-3, REPORT-4, REPORT-5)", async () => {
    const seller = await signUp("Carol", true)
    const bought = (await seller.call("POST", "/api/v1/skills", skill("Something harmless"))).body.data.id
    const { id } = (await seller.call("POST", "/api/v1/skills", skill("Something reported"))).body.data
    const reporters = []
    for (let n = 0; n < 5; n++) reporters.push(await signUp(`Reporter ${n}`))
    for (const { call } of reporters.slice(0, 4)) {
      assert.strictEqual((await call("POST", "/api/v1/purchases", { skillId: bought })).status, 201)
    }
    const moved = await admin("POST", "clock", { advanceSeconds: 8 * 86_400 })
    assert.strictEqual(moved.status, 200)
    const visible = async () =>
      (await seller.call("GET", `/v1/listings?creator=${seller.id}`)).body.listings.length as number
    const [first, ...others] = reporters
    for (const { call } of others)
      assert.strictEqual((await call("POST", `/api/v1/items/${id}/reports`, complaint)).status, 201)
    assert.strictEqual(await visible(), 2, "one of the four has bought nothing")
    assert.strictEqual((await first?.call("POST", `/api/v1/items/${id}/reports`, complaint))?.status, 201)
    assert.strictEqual(await visible(), 1)
    const own = (await seller.call("GET", `/v1/listings/${id}`)).text
    for (const reporter of reporters) assert.notInclude(own, reporter.id)

    const open = (await admin("GET", "reports?status=open")).body.data.filter(
      ({ itemId }: { itemId: string }) => itemId === id
    )
    assert.lengthOf(open, 5)
    assert.strictEqual((await admin("POST", `reports/${open[0].id}/resolve`, { action: "none" })).status, 400)
    assert.strictEqual(
      (await admin("POST", `reports/${open[0].id}/resolve`, { action: "ban", reason: "x" })).status,
      400
    )
    const resolved = await admin("POST", `reports/${open[0].id}/resolve`, { action: "none", reason: "It is fine." })
    assert.deepInclude(resolved.body.data, { status: "resolved", action: "none" })
    assert.strictEqual(await visible(), 2)
    const late = await admin("POST", `reports/${open[1].id}/resolve`, { action: "suspend", reason: "No." })
    assert.deepStrictEqual([late.status, late.body.error.details], [409, { state: "resolved" }])
    assert.strictEqual((await admin("POST", "reports/rpt_x/resolve", { action: "none", reason: "x" })).status, 404)
    const log = (await admin("GET", `actions?subject=${id}`)).body.data
    assert.deepInclude(log[0], { action: "report.resolve.none", reason: "It is fine." })
  })

  it("lead to a suspension, a quarantine or a revocation, for a reason of the list (REPORT-5, REASON-1)", async () => {
    const [seller, buyer] = [await signUp("Dora", true), await signUp("Eve")]
    for (const action of ["suspend", "quarantine", "revoke"]) {
      const { id } = (await seller.call("POST", "/api/v1/skills", skill(`Item to ${action}`))).body.data
      // A quarantine also applies to equal bytes of other items.
      const content = `# SOUL\n\n## Identity\n\nYou read. ${action}`
      const soul = { name: `Soul to ${action}`, description: "Reads before it answers.", content }
      const made = (await seller.call("POST", "/api/v1/souls/create", soul)).body
      for (const item of [id, made.id] as ReadonlyArray<string>) {
        const report = (await buyer.call("POST", `/api/v1/items/${item}/reports`, complaint)).body.data
        const unknown = await admin("POST", `reports/${report.id}/resolve`, { action, reason: "x", code: "dislike" })
        assert.deepStrictEqual([unknown.status, unknown.body.error.details.issues[0].path], [400, "code"])
        const resolved = await admin("POST", `reports/${report.id}/resolve`, {
          action,
          reason: "Theft.",
          code: "theft"
        })
        assert.strictEqual(resolved.status, 200, resolved.text)
      }
      assert.strictEqual((await buyer.call("GET", `/api/v1/skills/${id}`)).status, 404, action)
      assert.strictEqual((await buyer.call("GET", `/api/souls/${made.slug}`)).status, 404, action)
    }
  })
})

describe("an interrupted decision about reports", () => {
  it("is completed by the same request again (REPORT-5)", async () => {
    let fails = true
    const failing = Layer.effect(
      ReportStore,
      Effect.map(ReportStore, (store) => ({
        ...store,
        resolve: <E>(id: ReportId, action: ReportAction, at: Timestamp, rule: ItemReleasesRule<E>) =>
          Effect.suspend((): StoreEffect<Option.Option<Report>, Conflict | E> => {
            if (!fails) return store.resolve(id, action, at, rule)
            fails = false
            return Effect.fail(new StoreUnavailable({ cause: "the process was stopped" }))
          })
      }))
    )
    const interrupted = startMarket({
      config: { listingReview: "auto" },
      stores: failing.pipe(Layer.provideMerge(MemoryStores.layer))
    })
    const call = (method: string, path: string, body: object, key = adminToken) =>
      interrupted.send(method, path, { headers: { authorization: `Bearer ${key}` }, body })
    const keyOf = async (name: string, seller: boolean) =>
      (await call("POST", "/api/v1/accounts", { name, seller })).body.data.apiKey.key as string
    const [seller, buyer] = [await keyOf("Ada", true), await keyOf("Bob", false)]
    for (const action of ["suspend", "quarantine", "revoke"]) {
      fails = true
      const { id } = (await call("POST", "/api/v1/skills", skill(`Item to ${action}`), seller)).body.data
      const report = (await call("POST", `/api/v1/items/${id}/reports`, complaint, buyer)).body.data
      const resolve = () => call("POST", `/api/v1/admin/reports/${report.id}/resolve`, { action, reason: "Theft." })
      assert.strictEqual((await resolve()).status, 503)
      const again = await resolve()
      assert.deepInclude(again.body.data, { status: "resolved", action })
    }
    await interrupted.stop()
  })
})
