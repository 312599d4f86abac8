import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { cli, freshHome } from "./running/cli.ts"
import type { Ran } from "./running/cli.ts"
import type { RunningMarket } from "./running/startMarket.ts"
import { startMarket } from "./running/startMarket.ts"

let market: RunningMarket
let env: Readonly<Record<string, string>>

/** A TRON address that no account of this market has. */
const address = "TMVQGm1qAQYVdetCeGRRkTWYYrLXuHK2HC"

const words = (line: string): ReadonlyArray<string> => line.split(" ").filter((word) => word !== "")

const run = (line: string): Promise<Ran> => cli({ env, terminal: 100 }, ...words(line))

/** The output of a command with `--json`: one document and nothing else. */
const json = async (line: string) => {
  const { code, stderr, stdout } = await run(`${line} --json`)
  assert.deepStrictEqual([code, stderr], [0, ""], line)
  return JSON.parse(stdout)
}

/** A withdrawal that was already broadcast cannot be cancelled: then another one is tried. */
const isCancelled = async (id: string, tries: number): Promise<boolean> => {
  const { code, stderr, stdout } = await run(`wallet cancel ${id} --json`)
  if (code === 0) return JSON.parse(stdout).status === "cancelled"
  assert.strictEqual(JSON.parse(stderr).error.code, "CONFLICT")
  return tries > 0 && isCancelled((await json(`wallet withdraw 10 ${address} --yes`)).id, tries - 1)
}

beforeAll(async () => {
  market = await startMarket()
  env = { HOME: freshHome(), MARKETPLACE_URL: market.baseUrl, MARKETPLACE_API_KEY: market.keys.buyer }
})

afterAll(() => market.stop())

describe("every command", () => {
  it("finds and shows items", async () => {
    assert.deepStrictEqual(
      (await json("search mail")).skills.map(({ slug }: { slug: string }) => slug),
      ["mail-sorter"]
    )
    assert.strictEqual((await json("search --sort price --order desc --limit 1")).skills.length, 1)
    assert.include((await run("search --limit 1 --page 2")).stdout, "3 in all; --page 3 shows more.")
    assert.strictEqual((await run("search nothing-fits-this")).stdout, "No skill found.\n")
    assert.strictEqual((await json("search --type soul HARD small")).souls[0].slug, "patient-tutor")
    assert.deepStrictEqual((await json("search --type soul --category knowledge")).souls, [])
    assert.strictEqual((await json("show mail-sorter")).listing.id, market.items.skills.paid)
    assert.strictEqual((await json(`show ${market.items.skills.free}`)).skill.title, "Unit Converter")
    assert.include((await run("show patient-tutor")).stdout, "A tutor that never hurries.")
  })

  it("shows the wallet and withdraws from it", async () => {
    assert.strictEqual((await json("wallet balance")).availableBalance, 1000)
    assert.include((await run("wallet deposit")).stdout, "Send only USDT on TRON (TRC-20).")
    const withdrawal = await json(`wallet withdraw 10 ${address} --yes`)
    assert.deepInclude(withdrawal, { amount: 10, destinationAddress: address })
    assert.strictEqual((await json("wallet withdrawals")).withdrawals[0].id, withdrawal.id)
    assert.isTrue(await isCancelled(withdrawal.id, 5))
    assert.strictEqual((await json("wallet transactions --limit 1"))[0].type, "release")
  })

  it("changes only the given fields of the policy", async () => {
    await json("wallet policy set --daily-limit 50 --weekly-limit 100.5 --allowed-categories automation,data")
    await json("wallet policy set --no-auto-approve --daily-limit none --blocked-sellers usr_1")
    assert.deepInclude(await json("wallet policy get"), {
      autoApprove: false,
      dailyLimit: null,
      weeklyLimit: 100.5,
      allowedCategories: ["automation", "data"],
      blockedSellers: ["usr_1"]
    })
    assert.deepInclude(await json("wallet policy set --reset"), { autoApprove: true, weeklyLimit: null })
    assert.include((await run("wallet policy get")).stdout, "always")
  })

  it("shows the feed without a key", async () => {
    const anonymous = { HOME: freshHome(), MARKETPLACE_URL: market.baseUrl }
    const { code, stdout } = await cli({ env: anonymous, terminal: 100 }, "activity", "--limit", "2")
    assert.strictEqual(code, 0)
    assert.match(stdout, /Harness Seller listed Daily Digest[\s\S]*in 24 hours \d+\.\d\d USDT in trades: \d+/)
    assert.strictEqual((await json("activity --limit 2")).activities.length, 2)
  })

  it("manages keys, and shows a new one once", async () => {
    const made = await json("keys create --name CI --scope READ")
    assert.match(made.key, /^amk_/)
    const rotated = await json(`keys rotate ${made.id} --grace-seconds 0`)
    assert.strictEqual((await json(`keys deactivate ${rotated.id}`)).status, "deactivated")
    const listed = await run("keys list")
    assert.notInclude(listed.stdout, made.key)
    assert.include(listed.stdout, "deactivated")
    assert.strictEqual((await run("keys refresh")).code, 2)
  })

  it("changes and shows the account", async () => {
    assert.strictEqual((await json("account update --seller --name Bob")).seller, true)
    assert.strictEqual((await json("whoami")).account.name, "Bob")
    assert.strictEqual((await run("account update")).code, 2)
  })

  it("creates and claims agents, and creates their keys", async () => {
    const agent = await json("agents create Shopper")
    const { key } = await json(`keys create --name shopper --scope BUYER --agent ${agent.id}`)
    const registered = await fetch(`${market.baseUrl}/api/v1/agents/register`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ name: "Wanderer" })
    })
    const { data } = (await registered.json()) as { data: { claimCode: string; apiKey: { key: string } } }
    const lost = { env: { ...env, MARKETPLACE_API_KEY: data.apiKey.key } }
    assert.include((await cli(lost, "wallet", "balance")).stderr, "agents claim")
    assert.strictEqual((await json(`agents claim ${data.claimCode}`)).name, "Wanderer")
    assert.strictEqual((await json("agents")).length, 2)
    const shopper = { env: { ...env, MARKETPLACE_API_KEY: key } }
    await json(`wallet policy set --agent ${agent.id} --no-auto-approve`)
    const bought = await cli(shopper, "buy", "daily-digest", "--yes", "--json")
    assert.strictEqual(JSON.parse(bought.stdout).status, "pending_approval")
    assert.strictEqual((await json("approvals"))[0].agentId, agent.id)
  })

  it("ends subscriptions", async () => {
    const [approval] = await json("approvals")
    await json(`approve ${approval.id}`)
    const [subscription] = await json("subscriptions")
    assert.deepInclude(subscription, { status: "active", cancelAtPeriodEnd: false })
    assert.match(
      (await run(`subscriptions cancel ${subscription.id}`)).stdout,
      /^Daily Digest is cancelled; it is valid/
    )
    assert.match((await run("subscriptions")).stdout, /Daily Digest +10\.00 USDT every 30 days +ends/)
  })

  it("manages webhooks", async () => {
    const made = await json("webhooks create http://127.0.0.1:9/ --event purchase.completed --event webhook.test")
    assert.match(made.secret, /^whsec_/)
    const delivery = await json(`webhooks test ${made.id}`)
    assert.strictEqual(delivery.event, "webhook.test")
    assert.strictEqual((await json(`webhooks deliveries ${made.id}`))[0].id, delivery.id)
    assert.strictEqual((await json(`webhooks replay ${delivery.id}`)).id, delivery.id)
    const listed = await run("webhooks list")
    assert.notInclude(listed.stdout, made.secret)
    assert.strictEqual((await json(`webhooks delete ${made.id}`)).deleted, true)
  })
})

describe("a wrong call", () => {
  const wrong: ReadonlyArray<readonly [line: string, message: string]> = [
    ["frobnicate", "frobnicate"],
    ["show", "item"],
    ["search --sort colour", "colour"],
    ["search --nothing", "--nothing"],
    ["search --limit many", "many"],
    ["search --type soul --min-price 3", "--min-price"],
    ["wallet withdraw 1.1234567 x --yes", "amount: must have at most 6 decimals"],
    ["wallet withdraw ten x --yes", "amount"],
    ["wallet policy set", "no change"],
    ["wallet policy set --daily-limit -5", ""],
    ["activity --interval 1 --live", "--interval: must be 10 to 3600 seconds"],
    ["activity --limit 51", "--limit: must be 1 to 50"],
    ["keys create --name x --scope ALL", "ALL"],
    ["webhooks listen --port 70000", "--port: must be 0 to 65535"]
  ]

  it("exits with 2, explains the error on standard error, and prints nothing on standard output (CLI-3)", async () => {
    for (const [line, message] of wrong) {
      const { code, stderr, stdout } = await run(line)
      assert.deepStrictEqual([code, stdout], [2, ""], line)
      assert.include(stderr, message, line)
    }
  })

  it("is a JSON error with --json, also for a command that only groups others (CLI-3)", async () => {
    for (const line of [...wrong.map(([call]) => call), "", "wallet", "wallet policy", "webhooks", "operator review"]) {
      const { code, stderr, stdout } = await run(`${line} --json`)
      assert.deepStrictEqual([code, stdout], [2, ""], line)
      assert.isString(JSON.parse(stderr).error.message, line)
    }
    assert.include((await run("wallet policy --json")).stderr, "agent-marketplace wallet policy needs a subcommand")
    assert.include((await run("wallet policy")).stdout, "SUBCOMMANDS")
  })
})

describe("a command that the market refuses", () => {
  it("exits with 1 and explains what to do next (CLI-11)", async () => {
    const refused: ReadonlyArray<readonly [line: string, message: RegExp]> = [
      ["show no-such-thing", /agent-marketplace search/],
      ["purchases show pur_1", /agent-marketplace purchases/],
      ["approve apr_1", /agent-marketplace approvals/],
      ["webhooks delete whk_1", /agent-marketplace webhooks list/],
      ["keys deactivate key_1", /agent-marketplace keys list/],
      ["wallet withdraw 10 nowhere --yes", /destinationAddress must be a valid TRON address/],
      ["search --limit 500", /limit /]
    ]
    for (const [line, message] of refused) {
      const { code, stderr, stdout } = await run(line)
      assert.deepStrictEqual([code, stdout], [1, ""], line)
      assert.match(stderr, message, line)
    }
  })

  it("names the required scope of a key", async () => {
    const { key } = await json("keys create --name reader --scope READ")
    const reader = { env: { ...env, MARKETPLACE_API_KEY: key }, terminal: 100 }
    const { code, stderr } = await cli(reader, "buy", "mail-sorter", "--yes")
    assert.strictEqual(code, 1)
    assert.match(stderr, /Use a key with the scope .*BUYER.*FULL/)
  })
})

describe("input that no request can be built from", () => {
  it("is a usage error that names the required input", async () => {
    for (const args of [["show"], ["approve"], ["purchases", "show"]]) {
      const { code, stderr } = await cli({ env }, ...args, "")
      assert.deepStrictEqual([code, stderr], [2, "error: an id or slug must not be empty\n"])
    }
    const context = { env: { ...env, MARKETPLACE_API_KEY: "amk_ключ" } }
    const { code, stderr } = await cli(context, "show", "mail-sorter")
    assert.deepStrictEqual([code, stderr], [2, "error: apiKey must be printable ASCII\n"])
  })
})

describe("help and completions", () => {
  it("exist for every command, with its options", async () => {
    const help = await run("wallet policy set --help")
    assert.strictEqual(help.code, 0)
    assert.include(help.stdout, "--daily-limit")
    assert.include((await run("--help")).stdout, "webhooks")
    assert.match((await run("--version")).stdout, /^agent-marketplace v\d+\.\d+\.\d+\n$/)
  })

  it("are generated for bash, zsh and fish, including the operator's commands", async () => {
    for (const shell of ["bash", "zsh", "fish"]) {
      const { code, stdout } = await run(`--completions ${shell}`)
      assert.strictEqual(code, 0)
      for (const word of ["wallet", "reconcile", "daily-limit"]) assert.include(stdout, word)
    }
  })

  it("include the options that every command has", async () => {
    const { stdout } = await run("--completions bash")
    const completed = (name: string) => new RegExp(`\\n${name}\\(\\)\n\\{[^]*?\\n\\}\\n`).exec(stdout)?.[0]
    for (const name of ["_agent_marketplace", "_agent_marketplace_buy", "_agent_marketplace_wallet_policy_set"]) {
      for (const flag of ["--json", "--base-url", "--help"]) assert.include(completed(name), flag)
    }
  })
})
