import { access, Access, checkAccess } from "@agent-marketplace/api/access/Access"
import type { AccessRule } from "@agent-marketplace/api/access/Access"
import { BodyLimit, ErrorFormat } from "@agent-marketplace/api/access/Operation"
import { RateLimit, Unmetered } from "@agent-marketplace/api/access/EndpointLimits"
import { MarketApi } from "@agent-marketplace/api/MarketApi"
import type { Scope } from "@agent-marketplace/core/identity/ApiKey"
import type { Caller } from "@agent-marketplace/core/identity/Caller"
import { Context, Result } from "effect"
import { HttpApi } from "effect/http-api"
import type { HttpApiEndpoint } from "effect/http-api"
import { assert, describe, it } from "vitest"

const caller = (scope: Scope, kind: "owner" | "agent" | "unclaimed" = "owner"): Caller => ({
  keyId: "key_1" as Caller["keyId"],
  scope,
  agentId: kind === "owner" ? null : ("agt_1" as Caller["agentId"]),
  accountId: kind === "unclaimed" ? null : ("usr_1" as Caller["accountId"]),
  accountName: kind === "unclaimed" ? null : "Ada",
  seller: false,
  tier: "free",
  hourlyLimit: null,
  expiresAt: null,
  frozen: null,
  agentFrozen: null
})

const refusal = (rule: AccessRule, who: Caller): unknown => {
  const checked = checkAccess(rule, who)
  if (Result.isSuccess(checked)) return "open"
  return checked.failure._tag === "Forbidden" ? checked.failure.required : checked.failure._tag
}

const endpoints = (() => {
  const found: Array<{ readonly id: string; readonly endpoint: HttpApiEndpoint.Top }> = []
  HttpApi.reflect(MarketApi, {
    onGroup: () => {},
    onEndpoint: ({ endpoint, group }) => found.push({ id: `${group.identifier}.${endpoint.identifier}`, endpoint })
  })
  return found
})()

const idsWith = (holds: (endpoint: HttpApiEndpoint.Top) => boolean): ReadonlyArray<string> =>
  endpoints.flatMap(({ endpoint, id }) => (holds(endpoint) ? [id] : [])).sort()

const idsOf = (...rules: ReadonlyArray<AccessRule>): ReadonlyArray<string> =>
  idsWith((endpoint) => {
    const own = JSON.stringify(Context.get(endpoint.annotations, Access))
    return rules.some((rule) => JSON.stringify(rule) === own)
  })

const listings = (...names: ReadonlyArray<string>) =>
  ["envelopedListings", "listings"].flatMap((group) => names.map((name) => `${group}.${name}`))

const releases = (...names: ReadonlyArray<string>) =>
  ["envelopedReleases", "releases"].flatMap((group) => names.map((name) => `${group}.${name}`))

const images = (...names: ReadonlyArray<string>) =>
  ["envelopedImages", "images", "soulImages"].flatMap((group) => names.map((name) => `${group}.${name}`))

describe("who may call", () => {
  it("write: requires one of the scopes, then a claimed agent (SCOPE-2, SCOPE-3, AGENT-12)", () => {
    const rule = access.write("SELLER", "FULL")
    assert.strictEqual(refusal(rule, caller("SELLER")), "open")
    assert.strictEqual(refusal(rule, caller("FULL", "agent")), "open")
    assert.deepStrictEqual(refusal(rule, caller("BUYER")), ["SELLER", "FULL"])
    assert.deepStrictEqual(refusal(rule, caller("READ", "unclaimed")), ["SELLER", "FULL"])
    assert.strictEqual(refusal(rule, caller("FULL", "unclaimed")), "AgentNotClaimed")
  })

  it("owner: requires the owner's FULL key, never an agent's; to read, the owner's key of any scope (SCOPE-6, SCOPE-7)", () => {
    assert.strictEqual(refusal(access.owner, caller("FULL")), "open")
    assert.deepStrictEqual(refusal(access.owner, caller("SELLER")), ["FULL"])
    assert.strictEqual(refusal(access.ownerRead, caller("READ")), "open")
    for (const rule of [access.owner, access.ownerRead]) {
      assert.deepStrictEqual(refusal(rule, caller("FULL", "agent")), ["owner"])
      assert.strictEqual(refusal(rule, caller("FULL", "unclaimed")), "AgentNotClaimed")
    }
  })

  it("any: every key that acts for an account; anyKey: every key", () => {
    assert.strictEqual(refusal(access.any, caller("READ", "agent")), "open")
    assert.strictEqual(refusal(access.any, caller("FULL", "unclaimed")), "AgentNotClaimed")
    assert.strictEqual(refusal(access.anyKey, caller("FULL", "unclaimed")), "open")
  })

  it("admin: no key at all", () => {
    assert.deepStrictEqual(refusal(access.admin, caller("FULL")), ["admin"])
  })
})

describe("who may call each endpoint (SCOPE-1, SCOPE-2, SCOPE-3, SCOPE-5, SCOPE-6)", () => {
  it("the catalogue is open to every key, and a key's own renewal to every key but to no session", () => {
    assert.deepStrictEqual(
      idsOf(access.anyKey),
      [
        "catalogue.categories",
        "catalogue.creator",
        ...listings("get", "install", "list", "reviews"),
        ...releases("download", "get", "list"),
        ...images("content", "list"),
        "skills.get",
        "skills.list",
        "souls.get",
        "souls.list",
        "souls.reviews",
        "souls.version",
        "souls.versions",
        "trust.get"
      ].sort()
    )
    assert.deepStrictEqual(idsOf(access.key), ["keys.refresh"])
  })

  it("publishing and managing needs SELLER or FULL; a refund may come from the operator too", () => {
    assert.deepStrictEqual(
      idsOf(access.write("SELLER", "FULL")),
      [
        ...listings("remove", "update"),
        ...releases("rescan", "upload", "yank"),
        ...images("remove", "update", "upload"),
        ...["remove", "update"].flatMap((name) => [`skills.${name}`, `souls.${name}`]),
        "souls.create",
        "souls.rescanVersion",
        "souls.yankVersion",
        "appeals.appeal",
        "purchases.validateLicense"
      ].sort()
    )
    assert.deepStrictEqual(idsOf(access.sell), [...listings("create"), "skills.create"].sort())
    assert.deepStrictEqual(idsOf(access.writeOrAdmin("SELLER", "FULL")), ["purchases.refund"])
  })

  it("buying and cancelling needs BUYER or FULL; reviewing, downloading and webhooks all but READ", () => {
    assert.deepStrictEqual(idsOf(access.write("BUYER", "FULL")), [
      "purchases.buy",
      "subscriptions.cancel",
      "subscriptions.resume"
    ])
    assert.deepStrictEqual(
      idsOf(access.write("BUYER", "SELLER", "FULL")),
      [
        ...listings("review"),
        "reports.report",
        "souls.download",
        "souls.review",
        ...["create", "recover", "remove", "replay", "rotateSecret", "test", "update"].map((name) => `webhooks.${name}`)
      ].sort()
    )
  })

  it("withdrawals, decisions, policy, account, agents and other keys are the owner's", () => {
    assert.deepStrictEqual(idsOf(access.owner), [
      "accounts.erase",
      "accounts.update",
      "agents.claim",
      "agents.create",
      "agents.freeze",
      "agents.rename",
      "agents.retire",
      "agents.unfreeze",
      "approvals.approve",
      "approvals.reject",
      "domains.add",
      "domains.remove",
      "domains.verify",
      "keys.create",
      "keys.deactivate",
      "keys.rotate",
      "notifications.add",
      "notifications.remove",
      "notifications.sendCode",
      "notifications.set",
      "notifications.test",
      "notifications.update",
      "notifications.verify",
      "oauth.endGrant",
      "oauth.registerClient",
      "oauth.removeClient",
      "policies.change",
      "policies.changeForAgent",
      "policies.set",
      "policies.setForAgent",
      "sessions.link",
      "wallets.cancelWithdrawal",
      "wallets.withdraw",
      "withdrawalRules.changeRules",
      "withdrawalRules.removeAddress",
      "withdrawalRules.saveAddress"
    ])
    assert.deepStrictEqual(idsOf(access.person), ["oauth.decide", "oauth.findRequest", "oauth.getRequest"])
    assert.deepStrictEqual(idsOf(access.ownerRead), [
      "accounts.export",
      "agents.get",
      "agents.list",
      "domains.list",
      "keys.get",
      "keys.list",
      "notifications.get",
      "notifications.list",
      "oauth.getClient",
      "oauth.listClients",
      "oauth.listGrants",
      "purchases.spending",
      "purchases.spendingTimeline",
      "withdrawalRules.addresses",
      "withdrawalRules.rules"
    ])
  })

  it("all other operations need any key, no key, or the operator's token", () => {
    assert.deepStrictEqual(idsOf(access.any), [
      "accounts.get",
      "accounts.usage",
      "appeals.own",
      "approvals.get",
      "approvals.list",
      "licenses.activations",
      "licenses.proof",
      "live.events",
      "policies.agentBudget",
      "policies.budget",
      "policies.get",
      "policies.getForAgent",
      "purchases.earningsTimeline",
      "purchases.get",
      "purchases.list",
      "purchases.sales",
      "souls.lint",
      "subscriptions.get",
      "subscriptions.list",
      "wallets.balance",
      "wallets.deposit",
      "wallets.quote",
      "wallets.transactions",
      "wallets.withdrawal",
      "wallets.withdrawals",
      "webhooks.deliveries",
      "webhooks.deliveryTimeline",
      "webhooks.get",
      "webhooks.list"
    ])
    assert.deepStrictEqual(idsOf(access.signup), ["accounts.create"])
    assert.isTrue(
      idsOf(access.admin).every((id) =>
        /^admin(?:Accounts|Appeals|Conditions|Deposits|ForeignAssets|Items|Payouts|Reports|Souls|Treasury)?\./.test(id)
      )
    )
    assert.strictEqual(idsOf(access.admin).length, 53)
  })
})

describe("limits and envelopes", () => {
  it("has the limits of LIMIT-1, LIMIT-2, LIMIT-3, LIMIT-4 and LIMIT-13", () => {
    const limits = endpoints.flatMap(({ endpoint, id }) => {
      const limit = Context.get(endpoint.annotations, RateLimit)
      return limit === undefined ? [] : [[id, limit.name, limit.limit, limit.windowSeconds, limit.per, limit.soft]]
    })
    assert.deepStrictEqual(limits, [
      ["souls.list", "soul-list", 100, 60, "key", false],
      ["souls.get", "soul-get", 200, 60, "key", false],
      ["souls.create", "soul-create", 10, 60, "key", false],
      ["licenses.activate", "license", 60, 60, "address", false],
      ["licenses.deactivate", "license", 60, 60, "address", false],
      ["accounts.create", "sign-up", 10, 3600, "address", false],
      ["activity.live", "activity", 60, 60, "address", true]
    ])
  })

  it("counts feed, health, documents and QR images apart from requests without a key (LIMIT-12)", () => {
    assert.deepStrictEqual(
      idsWith((endpoint) => Context.get(endpoint.annotations, Unmetered)),
      [
        "activity.live",
        "live.socket",
        "signing.keys",
        "system.health",
        "system.metrics",
        "system.openapi",
        "system.ready",
        "wallets.depositQr"
      ]
    )
  })

  it("fails with `{ error }` on three soul endpoints, never on the feed, and in the general envelope elsewhere (WIRE-3, WIRE-6, WIRE-7)", () => {
    const surfaces = endpoints.flatMap(({ endpoint, id }) => {
      const surface = Context.get(endpoint.annotations, ErrorFormat)
      return surface === "general" ? [] : [[id, surface]]
    })
    assert.deepStrictEqual(surfaces, [
      ["souls.list", "soul-list"],
      ["souls.get", "soul-get"],
      ["souls.create", "soul-create"],
      ["activity.live", "never"]
    ])
  })

  it("reads 20 MiB if the body is an archive, 5 MiB if it is a picture, 4 MiB if it contains a soul's content, otherwise 1 MiB (ERROR-16, RELEASE-1, IMAGE-1)", () => {
    const large = idsWith((endpoint) => Context.get(endpoint.annotations, BodyLimit) === 4 * 1_048_576)
    const normal = idsWith((endpoint) => Context.get(endpoint.annotations, BodyLimit) === 1_048_576)
    const archives = idsWith((endpoint) => Context.get(endpoint.annotations, BodyLimit) === 20 * 1_048_576)
    assert.deepStrictEqual(large, ["souls.create", "souls.lint", "souls.update"])
    const pictures = idsWith((endpoint) => Context.get(endpoint.annotations, BodyLimit) === 5 * 1_048_576)
    assert.deepStrictEqual(archives, releases("upload"))
    assert.deepStrictEqual(pictures, images("upload"))
    assert.strictEqual(normal.length, endpoints.length - large.length - archives.length - pictures.length)
  })
})
