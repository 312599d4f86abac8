import { readFileSync } from "node:fs"
import { MarketApi } from "@agent-marketplace/api/MarketApi"
import { openApiJson } from "@agent-marketplace/api/openapi"
import { webhookEvents } from "@agent-marketplace/core/webhooks/Webhook"
import { Schema } from "effect"
import { HttpApi } from "effect/http-api"
import { assert, describe, it } from "vitest"

// A parsed document is walked by name.
// oxlint-disable-next-line typescript/no-explicit-any
type Node = { readonly [key: string]: any }

const document = JSON.parse(openApiJson()) as Node
const operations = Object.entries(document.paths as Node).flatMap(([path, item]) =>
  Object.entries(item as Node).map(([method, operation]) => ({
    name: `${method.toUpperCase()} ${path}`,
    operation: operation as Node
  }))
)

const resolved = (node: Node): Node => {
  if (typeof node.$ref !== "string") return node
  const target = node.$ref
    .slice(2)
    .split("/")
    .reduce((parent: Node, key: string) => parent[key], document)
  return { ...target, ...node }
}

/** All properties below a node, with their paths. */
const propertiesBelow = (node: unknown, at: string): Array<readonly [string, Node]> => {
  if (typeof node !== "object" || node === null) return []
  return Object.entries(node).flatMap(([key, child]) => {
    const own =
      key === "properties" && typeof child === "object"
        ? Object.entries(child as Node).map(([name, property]) => [`${at}.${name}`, property as Node] as const)
        : []
    return key === "examples" || key === "example" ? [] : [...own, ...propertiesBelow(child, `${at}.${key}`)]
  })
}

const isContainer = (schema: Node): boolean => schema.type === "object" || schema.type === "array"

const contract = `
GET /api/activity/stream
GET /api/v1/events/stream
GET /api/v1/ws
GET /api/souls
GET /api/souls/{slug}
POST /api/v1/souls/create
PATCH /api/v1/souls/{slug}
DELETE /api/v1/souls/{slug}
POST /api/v1/souls/{slug}/download
GET /api/v1/souls/{slug}/versions
GET /api/v1/souls/{slug}/versions/{version}
POST /api/v1/souls/{slug}/versions/{version}/yank
POST /api/v1/souls/{slug}/versions/{version}/rescan
GET /api/v1/souls/{slug}/reviews
POST /api/v1/souls/{slug}/reviews
POST /api/v1/souls/lint
GET /api/v1/admin/souls
POST /api/v1/admin/souls/{slug}/suspend
POST /api/v1/admin/souls/{slug}/restore
GET /api/v1/categories
GET /api/v1/creators/{id}
GET /v1/listings/{id}/install
GET /api/v1/listings/{id}/install
GET /v1/listings
POST /v1/listings
GET /v1/listings/{id}
PATCH /v1/listings/{id}
DELETE /v1/listings/{id}
GET /v1/listings/{id}/reviews
POST /v1/listings/{id}/reviews
GET /api/v1/listings
POST /api/v1/listings
GET /api/v1/listings/{id}
PATCH /api/v1/listings/{id}
DELETE /api/v1/listings/{id}
GET /api/v1/listings/{id}/reviews
POST /api/v1/listings/{id}/reviews
GET /api/v1/skills
GET /api/v1/skills/{idOrSlug}
POST /api/v1/skills
PATCH /api/v1/skills/{id}
DELETE /api/v1/skills/{id}
GET /api/v1/subscriptions
GET /api/v1/subscriptions/{id}
POST /api/v1/subscriptions/{id}/cancel
POST /api/v1/subscriptions/{id}/resume
POST /api/v1/purchases
GET /api/v1/purchases
GET /api/v1/purchases/{id}
POST /api/v1/purchases/{id}/refund
GET /api/v1/sales
GET /api/v1/sales/timeline
POST /api/v1/licenses/validate
GET /api/v1/approvals
GET /api/v1/approvals/{id}
POST /api/v1/approvals/{id}/approve
POST /api/v1/approvals/{id}/reject
GET /api/v1/wallet/policy
PUT /api/v1/wallet/policy
PATCH /api/v1/wallet/policy
GET /api/v1/wallet/budget
GET /api/v1/wallet/spending
GET /api/v1/wallet/spending/timeline
GET /api/v1/agents/{id}/budget
PATCH /api/v1/agents/{id}/policy
GET /api/v1/agents/{id}/policy
PUT /api/v1/agents/{id}/policy
GET /api/v1/wallet/balance
GET /api/v1/wallet/deposit
GET /api/v1/wallet/deposit/{address}/qr.png
GET /api/v1/wallet/withdrawals
GET /api/v1/wallet/withdrawals/quote
GET /api/v1/wallet/withdrawals/{id}
POST /api/v1/wallet/withdrawals
POST /api/v1/wallet/withdrawals/{id}/cancel
GET /api/v1/wallet/transactions
GET /api/v1/wallet/addresses
POST /api/v1/wallet/addresses
DELETE /api/v1/wallet/addresses/{id}
GET /api/v1/wallet/withdrawal-rules
PATCH /api/v1/wallet/withdrawal-rules
POST /api/v1/accounts
GET /api/v1/account
GET /api/v1/account/usage
PATCH /api/v1/account
GET /api/v1/account/export
DELETE /api/v1/account
POST /api/v1/agents/register
POST /api/v1/agents/claim
POST /api/v1/agents
GET /api/v1/agents
GET /api/v1/agents/{id}
PATCH /api/v1/agents/{id}
DELETE /api/v1/agents/{id}
POST /api/v1/agents/{id}/freeze
POST /api/v1/agents/{id}/unfreeze
POST /api/v1/keys
GET /api/v1/keys
GET /api/v1/keys/{id}
DELETE /api/v1/keys/{id}
POST /api/v1/keys/{id}/rotate
POST /api/v1/keys/refresh
POST /api/v1/sessions
GET /api/v1/sessions
GET /api/v1/sessions/current
DELETE /api/v1/sessions/current
DELETE /api/v1/sessions/{id}
GET /api/v1/oauth/clients
GET /api/v1/oauth/clients/{id}
GET /api/v1/oauth/grants
GET /api/v1/oauth/requests
GET /api/v1/oauth/requests/{id}
POST /api/v1/oauth/clients
POST /api/v1/oauth/requests/{id}/decision
DELETE /api/v1/oauth/clients/{id}
DELETE /api/v1/oauth/grants/{id}
POST /api/v1/sessions/links
POST /api/v1/passkeys/options
POST /api/v1/passkeys
GET /api/v1/passkeys
PATCH /api/v1/passkeys/{id}
DELETE /api/v1/passkeys/{id}
POST /api/v1/sessions/passkey/options
POST /api/v1/sessions/passkey
POST /api/v1/sessions/current/step-up/options
POST /api/v1/sessions/current/step-up
POST /api/v1/webhooks
GET /api/v1/webhooks
GET /api/v1/webhooks/{id}
PATCH /api/v1/webhooks/{id}
DELETE /api/v1/webhooks/{id}
POST /api/v1/webhooks/{id}/rotate-secret
POST /api/v1/webhooks/{id}/test
GET /api/v1/webhooks/{id}/deliveries
GET /api/v1/webhooks/deliveries/timeline
POST /api/v1/webhooks/{id}/recover
POST /api/v1/webhooks/deliveries/{id}/replay
GET /api/activity/live
GET /api/v1/admin/listings
POST /api/v1/admin/listings/{id}/approve
POST /api/v1/admin/listings/{id}/reject
POST /api/v1/admin/listings/{id}/suspend
POST /api/v1/admin/listings/{id}/feature
GET /api/v1/admin/accounts
GET /api/v1/admin/accounts/{id}
PATCH /api/v1/admin/accounts/{id}
POST /api/v1/admin/accounts/{id}/freeze
POST /api/v1/admin/accounts/{id}/unfreeze
POST /api/v1/admin/accounts/{id}/recover
DELETE /api/v1/admin/keys/{id}
GET /api/v1/admin/purchases
GET /api/v1/admin/purchases/{id}
GET /api/v1/admin/actions
GET /api/v1/admin/withdrawals
GET /api/v1/admin/withdrawals/{id}
POST /api/v1/admin/withdrawals/{id}/approve
POST /api/v1/admin/withdrawals/{id}/reject
GET /api/v1/advisories
POST /api/v1/admin/items/{id}/purge
POST /api/v1/admin/items/{id}/quarantine
POST /api/v1/admin/items/{id}/release
POST /api/v1/admin/items/{id}/revoke
GET /api/v1/admin/revocations
GET /api/v1/admin/conditions
GET /api/v1/admin/payouts
POST /api/v1/admin/payouts/pause
POST /api/v1/admin/payouts/resume
GET /api/v1/admin/treasury
POST /api/v1/admin/treasury/wallets
POST /api/v1/admin/treasury/limits
GET /api/v1/admin/treasury/energy
POST /api/v1/admin/treasury/resume
POST /api/v1/admin/deposits/recheck
GET /api/v1/admin/foreign-assets
POST /api/v1/admin/foreign-assets/recheck
POST /api/v1/admin/foreign-assets/{id}/return
GET /api/v1/admin/deposits
POST /api/v1/admin/deposits/{id}/release
POST /api/v1/admin/deposits/{id}/reject
POST /api/v1/admin/withdrawals/{id}/hold
POST /api/v1/admin/withdrawals/{id}/settle
GET /api/v1/admin/ledger/audit
POST /api/v1/admin/simulated-chain/deposits
POST /api/v1/admin/clock
GET /healthz
GET /readyz
GET /metrics
GET /openapi.json
GET /.well-known/agent-marketplace-keys.json
GET /api/v1/purchases/{id}/proof
GET /api/v1/purchases/{id}/activations
POST /api/v1/licenses/activate
POST /api/v1/licenses/deactivate
DELETE /api/v1/account/domains/{domain}
GET /api/v1/account/domains
POST /api/v1/account/domains
POST /api/v1/account/domains/{domain}/verify
GET /api/v1/account/notifications
PUT /api/v1/account/notifications
GET /api/v1/account/notifications/channels
POST /api/v1/account/notifications/channels
PATCH /api/v1/account/notifications/channels/{id}
DELETE /api/v1/account/notifications/channels/{id}
POST /api/v1/account/notifications/channels/{id}/code
POST /api/v1/account/notifications/channels/{id}/verify
POST /api/v1/account/notifications/channels/{id}/test
GET /api/v1/notifications/push-key
GET /api/v1/admin/appeals
POST /api/v1/admin/appeals/{id}/decide
GET /api/v1/items/{id}/appeals
POST /api/v1/items/{id}/appeals
GET /api/v1/admin/releases
GET /api/v1/admin/reports
POST /api/v1/admin/reports/{id}/resolve
POST /api/v1/items/{id}/reports
GET /api/v1/items/{id}/trust
GET /v1/listings/{id}/releases
GET /v1/listings/{id}/releases/{version}
GET /v1/listings/{id}/releases/{version}/download
POST /v1/listings/{id}/releases
POST /v1/listings/{id}/releases/{version}/rescan
POST /v1/listings/{id}/releases/{version}/yank
GET /api/v1/listings/{id}/releases
GET /api/v1/listings/{id}/releases/{version}
GET /api/v1/listings/{id}/releases/{version}/download
POST /api/v1/listings/{id}/releases
POST /api/v1/listings/{id}/releases/{version}/rescan
POST /api/v1/listings/{id}/releases/{version}/yank
POST /v1/listings/{id}/images
GET /v1/listings/{id}/images
GET /v1/listings/{id}/images/{imageId}/content
PATCH /v1/listings/{id}/images/{imageId}
DELETE /v1/listings/{id}/images/{imageId}
POST /api/v1/listings/{id}/images
GET /api/v1/listings/{id}/images
GET /api/v1/listings/{id}/images/{imageId}/content
PATCH /api/v1/listings/{id}/images/{imageId}
DELETE /api/v1/listings/{id}/images/{imageId}
POST /api/v1/souls/{slug}/images
GET /api/v1/souls/{slug}/images
GET /api/v1/souls/{slug}/images/{imageId}/content
PATCH /api/v1/souls/{slug}/images/{imageId}
DELETE /api/v1/souls/{slug}/images/{imageId}
GET /docs
`
  .trim()
  .split("\n")

describe("the OpenAPI document", () => {
  it("has every operation of the reference, and no other (SYSTEM-3)", () => {
    assert.deepStrictEqual(operations.map(({ name }) => name).sort(), [...contract].sort())
  })

  it("has the version of the package (SYSTEM-3)", () => {
    const { version } = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8")) as Node
    assert.strictEqual(document.info.version, version)
  })

  it("equals the committed openapi.json", () => {
    const committed = readFileSync(new URL("../../openapi.json", import.meta.url), "utf8")
    assert.strictEqual(committed, openApiJson())
  })

  it("describes every operation, parameter, body and response", () => {
    for (const { name, operation } of operations) {
      assert.isOk(operation.summary, `${name} has no summary`)
      assert.isOk(operation.description, `${name} has no description`)
      for (const parameter of operation.parameters as ReadonlyArray<Node>) {
        assert.isOk(parameter.description, `${name} ${parameter.name} has no description`)
        assert.isDefined(parameter.example, `${name} ${parameter.name} has no example`)
      }
      const bodies = Object.values((operation.requestBody?.content ?? {}) as Node)
      const texts = bodies.filter(({ schema }) => resolved(schema as Node).format !== "binary")
      for (const body of texts) assert.isOk(body.example, `${name} has no example of its body`)
      for (const [status, response] of Object.entries(operation.responses as Node)) {
        assert.isOk(resolved(response).description, `${name} ${status} has no description`)
        assert.isOk(resolved(response).headers["X-Request-Id"], `${name} ${status} has no X-Request-Id`)
      }
    }
  })

  it("names each header of a request, none of them twice", () => {
    const names = new Set<string>()
    for (const { name, operation } of operations) {
      const headers = (operation.parameters as ReadonlyArray<Node>).filter((parameter) => parameter.in === "header")
      const own = headers.map((parameter) => parameter.name as string)
      assert.lengthOf(own, new Set(own).size, name)
      own.forEach((each) => names.add(each))
    }
    assert.sameMembers([...names], ["Idempotency-Key", "Last-Event-ID", "X-Agent-Id"])
  })

  it("gives every field a description, and every field that is not a container an example", () => {
    const properties = [
      ...propertiesBelow(document.components, "components"),
      ...propertiesBelow(document.paths, "paths")
    ]
    assert.isAbove(properties.length, 500)
    for (const [at, property] of properties) {
      const schema = resolved(property)
      assert.isOk(schema.description, `${at} has no description`)
      if (!isContainer(schema)) assert.isArray(schema.examples, `${at} has no example`)
    }
    for (const [name, schema] of Object.entries(document.components.schemas as Node)) {
      assert.isOk(schema.description, `${name} has no description`)
      assert.isArray(schema.examples, `${name} has no example`)
    }
  })

  it("a purchase can fail with SOUL_NOT_FOUND as well as LISTING_NOT_FOUND, since both can be bought (BUY-20)", () => {
    const buy = document.paths["/api/v1/purchases"].post as Node
    const text = JSON.stringify(resolved(buy.responses["404"] as Node))
    for (const failure of ["ListingNotFoundFailure", "SoulNotFoundFailure"]) assert.include(text, failure)
  })

  it("closes no object, because unknown fields are ignored and responses may gain fields (WIRE-20)", () => {
    assert.notInclude(openApiJson(), '"additionalProperties": false')
  })

  it("contains no key that only the generator needs", () => {
    assert.notMatch(openApiJson(), /"x-(?:shape|limited|optional-body)"/)
  })

  it("names a key for every operation that needs one (KEY-2)", () => {
    const open = operations.filter(({ operation }) => operation.security.length === 0).map(({ name }) => name)
    assert.deepStrictEqual(open.sort(), [
      "GET /.well-known/agent-marketplace-keys.json",
      "GET /api/activity/live",
      "GET /api/activity/stream",
      "GET /api/v1/advisories",
      "GET /api/v1/notifications/push-key",
      "GET /api/v1/wallet/deposit/{address}/qr.png",
      "GET /api/v1/ws",
      "GET /docs",
      "GET /healthz",
      "GET /metrics",
      "GET /openapi.json",
      "GET /readyz",
      "POST /api/v1/agents/register",
      "POST /api/v1/licenses/activate",
      "POST /api/v1/licenses/deactivate",
      "POST /api/v1/sessions",
      "POST /api/v1/sessions/passkey",
      "POST /api/v1/sessions/passkey/options"
    ])
  })
})

describe("the webhooks section", () => {
  it("describes the body, the headers and the recipients of every event (EVENT-12)", () => {
    assert.deepStrictEqual(Object.keys(document.webhooks as Node).sort(), [...webhookEvents].sort())
    for (const [event, item] of Object.entries(document.webhooks as Node)) {
      const { description, parameters, requestBody } = (item as Node).post
      const { properties, required } = requestBody.content["application/json"].schema
      assert.match(description, /\. To /, event)
      assert.strictEqual(properties.event.const, event)
      assert.deepStrictEqual(required, ["event", "timestamp", "data", "signature"])
      assert.isAbove(Object.keys(properties.data.properties).length, 0, event)
      const headers = parameters.map(({ name }: Node) => name)
      assert.includeMembers(headers, ["x-service-signature", "x-service-timestamp", "webhook-id", "webhook-signature"])
    }
  })
})

describe("the examples", () => {
  const byId = new Map(operations.map(({ operation }) => [operation.operationId as string, operation]))

  it("match the schemas of the endpoints' requests and responses", () => {
    let checked = 0
    HttpApi.reflect(MarketApi, {
      onGroup: () => {},
      onEndpoint: ({ endpoint, group }) => {
        const operation = byId.get(`${group.identifier}.${endpoint.identifier}`) as Node
        const body = operation.requestBody?.content["application/json"]?.example
        if (body !== undefined) {
          // Operations without a body of their own document the operator's `reason` (OPERATOR-24).
          if (endpoint.payload.size === 0) {
            assert.match(endpoint.path, /^\/api\/v1\/admin\//)
            assert.deepStrictEqual(Object.keys(body), ["reason"])
            return
          }
          const [payload] = [...endpoint.payload.values()].flatMap(({ schemas }) => [...schemas])
          Schema.decodeUnknownSync(payload as Schema.Codec<unknown>)(body)
          checked++
        }
        const success = Object.entries(operation.responses as Node).find(([status]) => status.startsWith("2"))?.[1]
        const answer = success?.content["application/json"]?.example
        if (answer !== undefined) {
          const [schema] = endpoint.success
          Schema.decodeUnknownSync(schema as Schema.Codec<unknown>)(answer)
          checked++
        }
      }
    })
    assert.isAbove(checked, 80)
  })
})
