import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { cli, freshHome } from "../running/cli.ts"
import type { RunningMarket } from "../running/startMarket.ts"
import { startMarket } from "../running/startMarket.ts"

let market: RunningMarket
let home: string

beforeAll(async () => {
  market = await startMarket()
  home = freshHome()
})

afterAll(() => market.stop())

const runWith = (key: string, ...args: ReadonlyArray<string>) =>
  cli(
    {
      env: {
        HOME: home,
        MARKETPLACE_URL: market.baseUrl,
        MARKETPLACE_API_KEY: key,
        ADMIN_TOKEN: market.keys.admin,
        MARKETPLACE_OPERATOR: "ada"
      },
      terminal: 160
    },
    ...args
  )
const run = (...args: ReadonlyArray<string>) => runWith(market.keys.buyer, ...args)
const json = async (...args: ReadonlyArray<string>) => {
  const { code, stderr, stdout } = await run(...args, "--json")
  assert.deepStrictEqual([code, stderr], [0, ""], args.join(" "))
  return JSON.parse(stdout)
}

describe("agents (AGENT-6, AGENT-7, AGENT-8)", () => {
  it("are shown, renamed, frozen, unfrozen and retired", async () => {
    const { id } = await json("agents", "create", "Scout")
    const { key } = await json("keys", "create", "--name", "scout", "--scope", "BUYER", "--agent", id)
    assert.include(await json("agents", "rename", id, "Ranger"), { id, name: "Ranger" })
    const frozen = await json("agents", "freeze", id, "--reason", "looks odd")
    assert.strictEqual(frozen.frozenReason, "looks odd")
    assert.match((await run("agents", "show", id)).stdout, /status +frozen/)
    const refused = await runWith(key, "buy", "unit-converter", "--yes")
    assert.strictEqual(refused.code, 1)
    assert.match(refused.stderr, /frozen/i)
    assert.strictEqual((await json("agents", "unfreeze", id)).frozenAt, null)
    assert.strictEqual((await runWith(key, "buy", "unit-converter", "--yes")).code, 0)
    assert.strictEqual((await run("agents", "retire", id, "--json")).code, 2)
    await json("agents", "retire", id, "--yes")
    assert.strictEqual((await runWith(key, "whoami")).code, 3)
    assert.match((await run("agents")).stdout, /Ranger +retired/)
  })
})

describe("keys (KEY-5, KEY-10)", () => {
  it("are shown, and deactivated with their family", async () => {
    const first = await json("keys", "create", "--name", "old", "--scope", "READ")
    const second = await json("keys", "rotate", first.id)
    const shown = await json("keys", "show", second.id)
    assert.strictEqual(shown.rotatedFrom, first.id)
    assert.notProperty(shown, "key")
    await json("keys", "deactivate", second.id, "--family")
    for (const { id } of [first, second]) assert.strictEqual((await json("keys", "show", id)).status, "deactivated", id)
  })
})

describe("the budget (BUDGET-1)", () => {
  it("shows the rules in effect and the remaining amounts; changed terms are refused", async () => {
    await json("wallet", "policy", "set", "--auto-approve-threshold", "5", "--daily-limit", "50")
    assert.deepInclude(await json("wallet", "budget"), {
      daily: { limit: 50, spent: 0, remaining: 50 },
      autoApproveThreshold: 5
    })
    assert.match((await run("wallet", "budget")).stdout, /24 hours +50\.00 USDT of 50\.00 USDT left/)
    const { status } = await json("buy", "daily-digest", "--yes")
    assert.strictEqual(status, "pending_approval")
    const [{ id }] = await json("approvals")
    assert.match((await run("approvals", "show", id)).stdout, /price +10\.00 USDT every 30 days/)
    assert.strictEqual((await run("approve", id)).code, 0)
    const [subscription] = await json("subscriptions")
    await json("subscriptions", "cancel", subscription.id)
    assert.match(
      (await run("subscriptions", "resume", subscription.id)).stdout,
      /renews again: 10\.00 USDT every 30 days/
    )
  })
})

describe("operator accounts (OPERATOR-1)", () => {
  it("are found, frozen, unfrozen and recovered; every write is in the action log, with its operator", async () => {
    const [buyer] = await json("operator", "accounts", "find", "Harness Buyer")
    assert.strictEqual(buyer.name, "Harness Buyer")
    await json("operator", "accounts", "freeze", buyer.id, "--reason", "stolen key")
    assert.match((await run("operator", "accounts", "show", buyer.id)).stdout, /reason +stolen key/)
    assert.strictEqual((await json("operator", "accounts", "find", "--frozen"))[0].id, buyer.id)
    assert.match((await run("buy", "mail-sorter", "--yes")).stderr, /frozen/i)
    await json("operator", "accounts", "unfreeze", buyer.id)
    const { apiKey } = await json("operator", "accounts", "recover", buyer.id, "--yes")
    assert.strictEqual((await run("whoami")).code, 3)
    assert.strictEqual((await runWith(apiKey.key, "whoami")).code, 0)
    await json("operator", "accounts", "end-key", apiKey.id)
    assert.strictEqual((await runWith(apiKey.key, "whoami")).code, 3)
    const actions = await json("operator", "actions", "--subject", buyer.id)
    assert.isAtLeast(actions.length, 3)
    for (const { actor } of actions) assert.strictEqual(actor, "ada")
    const reasons = actions.map(({ reason }: { reason: string | null }) => reason)
    assert.include(reasons, "stolen key")
  })

  it("purchases of all accounts are listed and shown", async () => {
    const found = await json("operator", "purchases", "--item", market.items.skills.free)
    assert.strictEqual(found.length, 1)
    assert.strictEqual((await json("operator", "purchases", "show", found[0].id)).id, found[0].id)
  })
})
