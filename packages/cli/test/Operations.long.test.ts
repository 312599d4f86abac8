import { existsSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, afterEach, assert, beforeAll, describe, it, vi } from "vitest"
import { assertHarmless } from "./running/assertHarmless.ts"
import { cli, freshHome } from "./running/cli.ts"
import type { RunningMarket } from "./running/startMarket.ts"
import { startMarket } from "./running/startMarket.ts"

const { paths } = JSON.parse(readFileSync(new URL("../../api/openapi.json", import.meta.url), "utf8")) as {
  readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly operationId: string }>>>>
}

const documented = Object.entries(paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, { operationId }]) => ({
    id: operationId,
    // A fixed part of a path takes precedence over a parameter.
    weight: path.split("{").length,
    matches: new RegExp(`^${method.toUpperCase()} ${path.replace(/\{\w+\}/g, "[^/]+").replaceAll(".", "\\.")}$`)
  }))
)

const operationOf = (request: string): string | undefined =>
  documented.filter(({ matches }) => matches.test(request)).toSorted((a, b) => a.weight - b.weight)[0]?.id

const address = "TMVQGm1qAQYVdetCeGRRkTWYYrLXuHK2HC"

/** For each operation a command line that calls it. */
const commands: Readonly<Record<string, string>> = {
  "souls.list": "search --type soul",
  "souls.get": "show a-soul --type soul",
  "souls.create": "publish SOUL.md",
  "souls.update": "publish SOUL.md --update a-soul",
  "souls.remove": "unpublish a-soul --type soul --yes",
  "souls.versions": "versions list a-soul",
  "souls.version": "versions show a-soul 1",
  "souls.yankVersion": "versions yank a-soul 1 --reason Broken --yes",
  "souls.rescanVersion": "versions rescan a-soul 1",
  "souls.reviews": "reviews a-soul --type soul",
  "souls.review": "review a-soul --type soul --rating 5",
  "souls.lint": "lint SOUL.md",
  "listings.get": "show a-skill --type skill",
  "listings.remove": "unpublish a-skill --type skill --yes",
  "listings.install": "install-source a-skill",
  "images.upload": "images upload a-skill SOUL.md --type skill",
  "images.list": "images list a-skill --type skill",
  "images.content": `images download a-skill img_1 --output ${join(mkdtempSync(join(tmpdir(), "images-")), "picture.webp")} --type skill`,
  "images.update": "images edit a-skill img_1 --position 1 --type skill",
  "images.remove": "images remove a-skill img_1 --type skill --yes",
  "soulImages.upload": "images upload a-soul SOUL.md --type soul",
  "soulImages.list": "images list a-soul --type soul",
  "soulImages.content": `images download a-soul img_1 --output ${join(mkdtempSync(join(tmpdir(), "soul-images-")), "picture.webp")} --type soul`,
  "soulImages.update": "images edit a-soul img_1 --position 1 --type soul",
  "soulImages.remove": "images remove a-soul img_1 --type soul --yes",
  "releases.upload": "releases upload a-skill SOUL.md",
  "releases.list": "releases list a-skill",
  "releases.get": "releases show a-skill 1.0.0",
  "releases.download": `releases download a-skill 1.0.0 --output ${join(mkdtempSync(join(tmpdir(), "releases-")), "archive.tar.gz")}`,
  "releases.yank": "releases yank a-skill 1.0.0 --reason Broken --yes",
  "releases.rescan": "releases rescan a-skill 1.0.0",
  "trust.get": "trust lst_1",
  "listings.reviews": "reviews a-skill --type skill",
  "listings.review": "review a-skill --type skill --rating 5",
  "skills.list": "search",
  "skills.get": "show a-skill --type skill",
  "skills.create": "publish skill",
  "skills.update": "publish skill --update a-skill",
  "catalogue.categories": "categories",
  "catalogue.creator": "creator usr_1",
  "purchases.spendingTimeline": "wallet timeline",
  "purchases.earningsTimeline": "purchases earnings",
  "purchases.buy": "buy a-skill --type skill --yes",
  "purchases.list": "purchases",
  "purchases.get": "purchases show pur_1",
  "purchases.refund": "purchases refund pur_1 --yes",
  "purchases.sales": "purchases sales",
  "purchases.spending": "wallet spending",
  "purchases.validateLicense": "validate-license AAAAA-AAAAA",
  "signing.keys": "licenses keys",
  "licenses.proof": "licenses proof pur_1",
  "licenses.activate": "licenses activate AAAAA-AAAAA --machine laptop",
  "licenses.deactivate": "licenses deactivate AAAAA-AAAAA --machine laptop --yes",
  "licenses.activations": "licenses machines pur_1",
  "subscriptions.list": "subscriptions",
  "subscriptions.get": "subscriptions show sub_1",
  "subscriptions.resume": "subscriptions resume sub_1",
  "subscriptions.cancel": "subscriptions cancel sub_1",
  "approvals.list": "approvals",
  "approvals.get": "approvals show apr_1",
  "approvals.approve": "approve apr_1",
  "approvals.reject": "reject apr_1",
  "policies.get": "wallet policy get",
  "policies.set": "wallet policy set --reset",
  "policies.change": "wallet policy set --daily-limit 5",
  "policies.budget": "wallet budget",
  "policies.getForAgent": "wallet policy get --agent agt_1",
  "policies.setForAgent": "wallet policy set --reset --agent agt_1",
  "policies.changeForAgent": "wallet policy set --daily-limit 5 --agent agt_1",
  "policies.agentBudget": "wallet budget --agent agt_1",
  "wallets.balance": "wallet balance",
  "wallets.deposit": "wallet deposit",
  "wallets.withdrawals": "wallet withdrawals",
  "wallets.withdraw": `wallet withdraw 10 ${address} --yes`,
  "wallets.quote": `wallet withdrawals quote 10 ${address}`,
  "wallets.withdrawal": "wallet withdrawals show wdr_1",
  "wallets.cancelWithdrawal": "wallet cancel wdr_1",
  "wallets.transactions": "wallet transactions",
  "withdrawalRules.addresses": "wallet addresses",
  "withdrawalRules.saveAddress": `wallet addresses add ${address}`,
  "withdrawalRules.removeAddress": "wallet addresses remove adr_1",
  "withdrawalRules.rules": "wallet withdrawal-rules",
  "withdrawalRules.changeRules": "wallet withdrawal-rules set --allow-list-only",
  "accounts.create": "operator create-account Ada",
  "accounts.get": "whoami",
  "accounts.update": "account update --seller",
  "accounts.erase": "account erase --yes",
  "accounts.usage": "account usage",
  "accounts.export": "account export",
  "agents.claim": "agents claim CODE",
  "agents.create": "agents create Scout",
  "agents.list": "agents",
  "agents.get": "agents show agt_1",
  "agents.rename": "agents rename agt_1 Ranger",
  "agents.retire": "agents retire agt_1 --yes",
  "agents.freeze": "agents freeze agt_1",
  "agents.unfreeze": "agents unfreeze agt_1",
  "keys.create": "keys create --name CI --scope READ",
  "keys.list": "keys list",
  "keys.get": "keys show key_1",
  "keys.deactivate": "keys deactivate key_1",
  "keys.rotate": "keys rotate key_1",
  "sessions.list": "sessions list",
  "sessions.end": "sessions end ses_1",
  "sessions.link": "console --no-open",
  "appeals.appeal": "appeal a-skill --type skill --text wrong",
  "appeals.own": "appeals a-skill --type skill",
  "adminAppeals.list": "operator appeals list",
  "adminAppeals.decide": "operator appeals decide apl_1 --decision upheld --reason right",
  "reports.report": "report a-skill --type skill --reason malware --text steals",
  "adminReports.list": "operator reports list",
  "adminReports.resolve": "operator reports resolve rpt_1 --action none --reason fine",
  "domains.add": "domains add ada.dev",
  "domains.list": "domains",
  "notifications.get": "notifications",
  "notifications.set": "notifications off sale",
  "notifications.list": "notifications channels",
  "notifications.add": "notifications add email --address ada@ada.dev --digest daily",
  "notifications.update": "notifications change nch_1 --state off",
  "notifications.remove": "notifications remove nch_1",
  "notifications.sendCode": "notifications send-code nch_1",
  "notifications.verify": "notifications verify nch_1 4f7k2m9q",
  "notifications.test": "notifications test nch_1",
  "notifications.pushKey": "notifications push-key",
  "domains.verify": "domains verify ada.dev",
  "domains.remove": "domains remove ada.dev",
  "oauth.registerClient": "oauth clients create Helper --redirect https://app.example.com/callback",
  "oauth.listClients": "oauth clients",
  "oauth.getClient": "oauth clients show oac_1",
  "oauth.removeClient": "oauth clients delete oac_1 --yes",
  "oauth.listGrants": "oauth grants",
  "oauth.endGrant": "oauth grants end ogr_1 --yes",
  "webhooks.create": "webhooks create https://example.com/hook",
  "webhooks.list": "webhooks list",
  "webhooks.get": "webhooks show whk_1",
  "webhooks.update": "webhooks update whk_1 --status active",
  "webhooks.remove": "webhooks delete whk_1",
  "webhooks.rotateSecret": "webhooks rotate-secret whk_1",
  "webhooks.test": "webhooks test whk_1",
  "webhooks.deliveries": "webhooks deliveries whk_1",
  "webhooks.deliveryTimeline": "webhooks timeline",
  "webhooks.recover": "webhooks recover whk_1 --since 2026-01-15T10:30:00Z",
  "webhooks.replay": "webhooks replay dlv_1",
  "activity.live": "activity",
  "live.events": "events --follow",
  "live.activity": "activity --follow",
  "admin.listings": "operator review list",
  "admin.approve": "operator review approve lst_1",
  "admin.reject": "operator review reject lst_1 --reason copied",
  "admin.suspend": "operator review suspend lst_1",
  "admin.feature": "operator review feature lst_1",
  "admin.audit": "operator audit",
  "admin.simulateDeposit": `operator simulate-deposit ${address} 5`,
  "admin.advanceClock": "operator advance-clock 60",
  "adminAccounts.list": "operator accounts find",
  "adminAccounts.get": "operator accounts show usr_1",
  "adminAccounts.update": "operator set-tier usr_1 pro",
  "adminAccounts.freeze": "operator accounts freeze usr_1 --reason stolen",
  "adminAccounts.unfreeze": "operator accounts unfreeze usr_1",
  "adminAccounts.recover": "operator accounts recover usr_1 --yes",
  "adminAccounts.endKey": "operator accounts end-key key_1",
  "adminAccounts.purchases": "operator purchases",
  "adminAccounts.purchase": "operator purchases show pur_1",
  "adminAccounts.actions": "operator actions",
  "adminPayouts.withdrawals": "operator withdrawals list",
  "adminPayouts.withdrawal": "operator withdrawals show wdr_1",
  "adminPayouts.approve": "operator withdrawals approve wdr_1 --yes",
  "adminPayouts.reject": "operator withdrawals reject wdr_1 --reason unclear",
  "adminPayouts.hold": "operator withdrawals hold wdr_1 --reason unclear",
  "adminPayouts.settle": `operator withdrawals settle wdr_1 --transaction ${"ab".repeat(32)} --reason restored --yes`,
  "adminTreasury.treasury": "operator treasury",
  "adminTreasury.setWallet": `operator treasury set hot --from none --to ${address} --reason new --yes`,
  "adminTreasury.setLimits": "operator treasury set --ceiling 5000 --top-up-below none --reason new --yes",
  "adminTreasury.energy": "operator treasury energy",
  "adminTreasury.resume": `operator treasury resume --match ${"ab".repeat(32)}=wdr_1 --reason restored --yes`,
  "adminDeposits.deposits": "operator deposits held",
  "adminDeposits.release": "operator deposits release dep_1 --reason known --yes",
  "adminDeposits.reject": "operator deposits reject dep_1 --reason stolen --yes",
  "adminTreasury.recheck": `operator deposits recheck ${"ab".repeat(32)}`,
  "adminForeignAssets.list": "operator foreign-assets list",
  "adminForeignAssets.recheck": `operator foreign-assets recheck ${"ab".repeat(32)}`,
  "adminForeignAssets.return": "operator foreign-assets return fas_1 --reason mistake --yes",
  "adminPayouts.payouts": "operator payouts",
  "adminPayouts.pause": "operator payouts pause",
  "adminPayouts.resume": "operator payouts resume",
  "adminConditions.conditions": "operator conditions",
  "adminItems.quarantine": "operator items quarantine lst_1 --reason unclear",
  "adminItems.release": "operator items release lst_1 --reason harmless",
  "adminItems.revoke": "operator items revoke lst_1 --reason theft --refund-days 30 --yes",
  "advisories.list": "advisories",
  "adminItems.releases": "operator releases --status in_review",
  "adminItems.purge": "operator items purge lst_1 --version 1.0.0 --reason leaked --code illegal --yes",
  "adminItems.revocations": "operator items revocations",
  "adminSouls.list": "operator souls list",
  "adminSouls.suspend": "operator souls suspend a-soul --reason copied",
  "adminSouls.restore": "operator souls restore a-soul"
}

/** Why an operation, or a whole group, has no command. */
const reasons: Readonly<Record<string, string>> = {
  envelopedListings: "the same operations as listings, in another envelope",
  envelopedImages: "the same operations as images, in another envelope",
  envelopedReleases: "the same operations as releases, in another envelope",
  system: "probes and pages for other programs",
  "listings.list": "search uses the same list of skills",
  "listings.create": "publish creates the same item as a skill",
  "listings.update": "publish --update changes the same item as a skill",
  "skills.remove": "unpublish removes the same item as a listing",
  "souls.download": "install downloads the text of a purchased SOUL",
  "live.socket": "a WebSocket; the streams send the same messages",
  "wallets.depositQr": "an image, whose URL `wallet deposit` prints",
  "agents.register": "an agent registers itself, before it has an owner",
  passkeys: "of a browser",
  "sessions.start": "a browser signs in, for example with the link of `console`",
  "sessions.current": "of a browser",
  "sessions.endCurrent": "of a browser",
  "oauth.findRequest": "only a session, in a browser, may decide about applications",
  "oauth.getRequest": "only a session, in a browser, may decide about applications",
  "oauth.decide": "only a session, in a browser, may decide about applications",
  "keys.refresh": "needs a stored key; Login.long.test.ts runs it"
}

const reasonOf = (id: string): string | undefined => reasons[id] ?? reasons[id.split(".")[0] ?? ""]

const words = (line: string): ReadonlyArray<string> => line.split(" ")

/** The fields that commands read from responses before they send the next request. */
const anyRecord = {
  id: "lst_1",
  name: "A name",
  title: "A name",
  slug: "a-skill",
  kind: "skill",
  price: "1.00",
  currency: "USDT",
  pricingModel: "one_time",
  status: "approved",
  creator: { name: "Ada" },
  keys: [],
  soul: { id: "soul_1", slug: "a-soul", name: "A name", price: "1.00", author: "Ada" }
}

/** The environment of a command whose requests a test answers. */
const stubbed = () => ({
  HOME: freshHome(),
  MARKETPLACE_URL: "http://market.test",
  MARKETPLACE_API_KEY: "amk_test",
  ADMIN_TOKEN: "a-token-of-an-operator-0000000000"
})

const manifest = { name: "A skill", description: "Does what it says.", price: 1, category: "automation" }

describe("the commands and the OpenAPI document (CLI-14)", () => {
  let files: string

  beforeAll(() => {
    files = freshHome()
    writeFileSync(join(files, "SOUL.md"), "---\nname: A soul\ndescription: A soul of a test.\n---\n\n# SOUL\n")
    mkdirSync(join(files, "skill"))
    writeFileSync(join(files, "skill", "skill.json"), JSON.stringify(manifest))
  })

  afterEach(() => {
    vi.unstubAllGlobals()
  })

  it("name the same operations, apart from those with a reason", () => {
    const known = documented.map(({ id }) => id)
    assert.deepStrictEqual(
      known.filter((id) => commands[id] === undefined && reasonOf(id) === undefined),
      []
    )
    assert.deepStrictEqual(
      Object.keys(commands).filter((id) => !known.includes(id) || reasons[id] !== undefined),
      []
    )
    const groups = known.map((id) => id.split(".")[0])
    assert.deepStrictEqual(
      Object.keys(reasons).filter((id) => !known.includes(id) && !groups.includes(id)),
      []
    )
  })

  it("agree: each command sends the request of its operation (NOTIFY-18)", async () => {
    const requested: Array<string> = []
    vi.stubGlobal("fetch", (url: string, init?: RequestInit) => {
      requested.push(`${init?.method ?? "GET"} ${new URL(url).pathname}`)
      return Promise.resolve(Response.json({ success: true, data: anyRecord, meta: {} }))
    })
    const missing: Array<string> = []
    for (const [id, line] of Object.entries(commands)) {
      requested.length = 0
      const args = words(line).map((word, at, all) =>
        word === "SOUL.md" || (word === "skill" && all[at - 1] === "publish") ? join(files, word) : word
      )
      const { stderr } = await cli({ env: stubbed() }, ...args, "--json")
      if (!requested.map(operationOf).includes(id)) missing.push(`${id}: ${line}: ${requested.join(", ")} ${stderr}`)
    }
    assert.deepStrictEqual(missing, [])
  })

  const confirmed = [...Object.values(commands), "operator purchases refund pur_1 --yes"].filter((line) =>
    line.endsWith(" --yes")
  )

  it.each(confirmed)("%s: without --yes and without a terminal nothing is changed", async (line) => {
    const methods: Array<string> = []
    vi.stubGlobal("fetch", (_: string, init?: RequestInit) => {
      methods.push(init?.method ?? "GET")
      return Promise.resolve(Response.json({ success: true, data: anyRecord, meta: {} }))
    })
    const { code, stderr } = await cli({ env: stubbed() }, ...words(line.replace(/ --yes$/, "")))
    assert.strictEqual(code, 2, stderr)
    assert.include(stderr, "this command needs a confirmation")
    assert.deepStrictEqual(
      methods.filter((method) => method !== "GET"),
      []
    )
  })

  it("export waits longer for an account and prints strangers' text harmlessly (CLI-10)", async () => {
    const exported = { reviews: [{ comment: "\u009B2J\u202Egniht hcus\u2028\u0007" }] }
    vi.stubGlobal("fetch", () => Promise.resolve(Response.json({ success: true, data: exported, meta: {} })))
    const timers = vi.spyOn(globalThis, "setTimeout")
    for (const json of [[], ["--json"]]) {
      timers.mockClear()
      const { code, stdout } = await cli({ env: stubbed(), terminal: 80 }, "account", "export", ...json)
      assert.strictEqual(code, 0)
      assertHarmless(stdout)
      assert.deepStrictEqual(JSON.parse(stdout), exported)
      assert.include(
        timers.mock.calls.map(([, millis]) => millis),
        600_000
      )
    }
    timers.mockRestore()
  })
})

describe("these commands, against a market", () => {
  let market: RunningMarket
  let home: string

  beforeAll(async () => {
    market = await startMarket()
    home = freshHome()
  })

  afterAll(() => market.stop())

  const runAs = (key: string, line: string) =>
    cli(
      {
        env: {
          HOME: home,
          MARKETPLACE_URL: market.baseUrl,
          MARKETPLACE_API_KEY: key,
          ADMIN_TOKEN: market.keys.admin
        },
        terminal: 120
      },
      ...words(line)
    )
  const run = (line: string) => runAs(market.keys.buyer, line)
  const jsonAs = async (key: string, line: string) => {
    const { code, stderr, stdout } = await runAs(key, `${line} --json`)
    assert.deepStrictEqual([code, stderr], [0, ""], line)
    return JSON.parse(stdout)
  }
  const json = (line: string) => jsonAs(market.keys.buyer, line)

  it("show categories, a creator, versions and where an item is installed from", async () => {
    const categories: ReadonlyArray<{ slug: string; count: number }> = await json("categories")
    assert.strictEqual(categories.find(({ slug }) => slug === "automation")?.count, 3)
    const { skill } = await json("show mail-sorter")
    assert.deepInclude(await json(`creator ${skill.creator.id}`), { name: "Harness Seller", listings: 3, souls: 1 })
    assert.match((await run(`creator ${skill.creator.id}`)).stdout, /rating +none yet/)
    const [version] = await json("versions list patient-tutor")
    assert.deepInclude(version, { version: 1, current: true })
    assert.include((await run("versions show patient-tutor 1")).stdout, "A tutor that never hurries.")
    assert.strictEqual((await json("install-source unit-converter")).kind, "link")
    const refused = await run("install-source mail-sorter")
    assert.strictEqual(refused.code, 1)
    assert.include(refused.stderr, "Buy it first, for 10.00: `agent-marketplace buy`.")
  })

  it("review what was bought, and validate and remove what is sold", async () => {
    const { licenseKey } = await json("buy unit-converter --yes")
    assert.deepInclude(await json("review unit-converter --rating 5 --comment Handy"), { rating: 5, comment: "Handy" })
    assert.match((await run("reviews unit-converter")).stdout, /5 of 5 +Harness Buyer +Handy/)
    assert.strictEqual((await run("review unit-converter --rating 6")).code, 1)
    await json("buy patient-tutor --yes")
    await json("review patient-tutor --rating 4")
    assert.strictEqual((await json("reviews patient-tutor"))[0].rating, 4)

    const { seller } = market.keys
    assert.strictEqual((await jsonAs(seller, `validate-license ${licenseKey}`)).valid, true)
    assert.strictEqual((await jsonAs(seller, "validate-license AAAAA-AAAAA-AAAAA-AAAAA-AAAAA")).valid, false)
    assert.strictEqual((await runAs(seller, "unpublish unit-converter")).code, 2)
    assert.strictEqual((await runAs(market.keys.buyer, "unpublish unit-converter --yes")).code, 1)
    await jsonAs(seller, "unpublish unit-converter --yes")
    assert.deepStrictEqual((await json("search unit")).skills, [])
    assert.strictEqual((await jsonAs(seller, `validate-license ${licenseKey}`)).valid, true)
  })

  it("lint a SOUL.md, and exit with 1 if it cannot be published", async () => {
    const good = join(home, "good.md")
    writeFileSync(good, "# SOUL\n\n## Identity\nA soul of a test.\n")
    assert.strictEqual((await json(`lint ${good}`)).valid, true)
    const bad = join(home, "bad.md")
    writeFileSync(bad, "no heading")
    const { code, stderr, stdout } = await run(`lint ${bad} --json`)
    assert.deepStrictEqual([code, JSON.parse(stdout).valid], [1, false])
    assert.strictEqual(JSON.parse(stderr).error.code, "SOUL_NOT_VALID")
    assert.strictEqual((await run(`lint ${join(home, "absent.md")}`)).code, 2)
  })

  it("show usage, single records, and manage a webhook", async () => {
    assert.deepInclude(await json("account usage"), { tier: "free" })
    assert.match((await run("account usage")).stdout, /keys +\d+ of 50/)
    await json("buy daily-digest --yes")
    const [{ id: subscription }] = await json("subscriptions")
    assert.strictEqual((await json(`subscriptions show ${subscription}`)).skill.slug, "daily-digest")
    const { id } = await json("webhooks create http://127.0.0.1:9/hook")
    assert.strictEqual((await run(`webhooks update ${id}`)).code, 2)
    const changed = await json(`webhooks update ${id} --status disabled --event purchase.completed`)
    assert.deepInclude(changed, { status: "disabled", events: ["purchase.completed"], url: "http://127.0.0.1:9/hook" })
    assert.strictEqual((await json(`webhooks show ${id}`)).status, "disabled")
    assert.match((await json(`webhooks rotate-secret ${id}`)).secret, /^whsec_/)
    await json(`webhooks update ${id} --status active`)
    assert.strictEqual((await json(`webhooks recover ${id} --since 2020-01-01T00:00:00Z`)).id, id)
  })

  it("let the operator suspend SOULs, feature listings, and decide on withdrawals after a confirmation", async () => {
    assert.strictEqual((await run("operator souls suspend patient-tutor")).code, 2)
    assert.strictEqual((await json("operator souls suspend patient-tutor --reason copied")).status, "suspended")
    const suspended: ReadonlyArray<{ slug: string }> = await json("operator souls list --status suspended")
    assert.deepStrictEqual(
      suspended.map(({ slug }) => slug),
      ["patient-tutor"]
    )
    assert.include((await run("operator souls restore patient-tutor")).stdout, "is active.")
    const { paid } = market.items.skills
    assert.strictEqual((await json(`operator review feature ${paid}`)).featured, true)
    assert.strictEqual((await json(`operator review feature ${paid} --off`)).featured, false)
    await json("operator payouts pause")
    const { id } = await json(`wallet withdraw 10 ${address} --yes`)
    assert.strictEqual((await json(`wallet withdrawals show ${id}`)).id, id)
    assert.match((await run(`operator withdrawals show ${id}`)).stdout, /amount +10\.00 USDT/)
    assert.strictEqual((await run(`operator withdrawals approve ${id}`)).code, 2)
    assert.strictEqual((await run(`operator withdrawals approve ${id} --yes`)).code, 1)
    await json(`wallet cancel ${id}`)
    await json("operator payouts resume")
  })

  it("move the market's time and deposit on the simulated chain", async () => {
    const { address: deposit } = await json("wallet deposit")
    assert.deepInclude(await json(`operator simulate-deposit ${deposit} 5`), { address: deposit, amount: "5.00" })
    assert.strictEqual((await run("operator advance-clock 0")).code, 2)
    const { now } = await json("operator advance-clock 86400")
    assert.isAbove(Date.parse(now), Date.now() + 86_000_000)
  })

  it("audit what is installed, and fail if it was revoked, until it is moved away (ADVISORY-11)", async () => {
    const folder = join(home, "installed")
    mkdirSync(join(folder, "mail-sorter"), { recursive: true })
    const { skill } = await json("show mail-sorter")
    const install = {
      id: skill.id,
      purchaseId: "pur_1",
      licenseKey: null,
      source: {},
      version: "1",
      sha256: "ab".repeat(32),
      files: {},
      installedAt: "2026-01-01T00:00:00.000Z"
    }
    const lock = { lockfileVersion: 1, skills: { "mail-sorter": install } }
    writeFileSync(join(folder, "marketplace.lock.json"), JSON.stringify(lock))
    assert.deepInclude((await json(`audit --dir ${folder}`))[0], { name: "mail-sorter", state: "clean" })
    const revoked = await json(`operator items revoke ${skill.id} --reason theft --refund-days 30 --yes`)
    assert.isTrue(revoked.quarantined)
    const advisories: ReadonlyArray<{ itemId: string; action: string }> = await json("advisories")
    assert.deepInclude(advisories.at(-1), { itemId: skill.id, action: "remove" })
    const failed = await run(`audit --dir ${folder} --json`)
    assert.deepStrictEqual([failed.code, JSON.parse(failed.stdout)[0].state], [1, "remove"])
    assert.strictEqual(JSON.parse(failed.stderr).error.code, "ADVISORY_REMOVE")
    const moved = await run(`audit --dir ${folder} --quarantine`)
    assert.strictEqual(moved.code, 0)
    assert.include(moved.stdout, "MOVED TO")
    assert.isTrue(existsSync(join(folder, ".marketplace-quarantine")))
    assert.match((await run(`audit --dir ${folder}`)).stdout, /Nothing is installed/)
  })
})
