import type { MarketApi } from "@agent-marketplace/api/MarketApi"
import { MarketApi as api } from "@agent-marketplace/api/MarketApi"
import type { eventPayloads } from "@agent-marketplace/core/webhooks/EventPayloads"
import { assert, describe, it } from "vitest"
import { operations } from "../../src/operations/operations.ts"
import type { MarketRequest } from "../../src/requests/Send.ts"
import type { Endpoints, WebhookData } from "../../src/wire/Endpoints.ts"

type Groups = (typeof MarketApi)["groups"]
type EndpointOf<G> = G extends { readonly endpoints: infer E } ? E[keyof E] : never
type Endpoint = EndpointOf<Groups[keyof Groups]>

/** The endpoint of a name, as `packages/api` defines it. */
type Defined<Name> = Name extends `${infer Method} ${infer Path}`
  ? Extract<Endpoint, { readonly method: Method; readonly path: Path }>
  : never

/** The encoded type of a schema. */
type Wire<S> = S extends { readonly schema: { readonly Encoded: infer E } } ? E : never

type Bodies<Name> = Exclude<Wire<Defined<Name>["~Success"]>, string>

type Data<Name> = Bodies<Name> extends { readonly success: true; readonly data: infer D } ? D : Bodies<Name>

type Same<A, B> = [A] extends [B] ? ([B] extends [A] ? true : false) : false

type Input<Name> = [Defined<Name>["~Payload"]] extends [never]
  ? undefined
  : Exclude<Wire<Defined<Name>["~Payload"]>, void>

type Drifted = {
  [N in keyof Endpoints]: Same<Endpoints[N]["data"], Data<N>> extends true ? never : N
}[keyof Endpoints]

/** The bodies that the market accepts but the client's types do not. */
type Narrower = {
  [N in keyof Endpoints]: N extends `GET ${string}` | `DELETE ${string}`
    ? never
    : Input<N> extends (Endpoints[N] extends { readonly input?: infer I } ? I | undefined : undefined)
      ? never
      : N
}[keyof Endpoints]

type EventsDrifted = {
  [N in keyof WebhookData]: Same<WebhookData[N], (typeof eventPayloads)[N]["Encoded"]> extends true ? never : N
}[keyof WebhookData]

const none = <N extends never>(...names: ReadonlyArray<N>) => names.length

/** Calls every operation, with an id (two if its path has two) and an input, and records the request that it sends. */
const requestsOf = async (table: object): Promise<ReadonlyArray<string>> => {
  const found: Array<string> = []
  const send = async ({ method, path }: MarketRequest): Promise<unknown> => {
    const [route = ""] = path.split("?")
    found.push(`${method} ${route.replace("the-id", ":id").replace("the-id", ":version")}`)
    return new Proxy([], { get: (list, name) => (name in list ? Reflect.get(list, name) : []) })
  }
  for (const entry of Object.values(table) as ReadonlyArray<object>) {
    if (typeof entry !== "function") {
      found.push(...(await requestsOf(entry)))
      continue
    }
    const call = (entry as (send: unknown) => (...args: ReadonlyArray<unknown>) => unknown)(send)
    const called: unknown = entry === operations.souls.version ? call("the-id", "the-id") : call("the-id", {})
    if (typeof called === "object" && called !== null && Symbol.asyncIterator in called)
      for await (const _ of called as AsyncIterable<unknown>) assert.fail("the list is empty")
    else await called
  }
  return found
}

describe("the client's types and paths (generated from the endpoint definitions)", () => {
  it("match packages/api: responses are assignable both ways, and every accepted input can be passed", () => {
    assert.strictEqual(none<Drifted>() + none<Narrower>() + none<EventsDrifted>(), 0)
  })

  it("every operation calls an existing endpoint, and every public endpoint has an operation", async () => {
    const names = Object.values(api.groups).flatMap((group) =>
      Object.values(group.endpoints).map(({ method, path }) => `${method} ${path.replace(/:\w+/, ":id")}`)
    )
    const called = new Set(await requestsOf(operations))
    assert.deepStrictEqual(
      [...called].filter((name) => !names.includes(name)),
      []
    )
    // Creating an account needs no key; /api/v1/listings is /v1/listings in another envelope.
    const left = names.filter(
      (name) => !called.has(name) && !/ \/api\/v1\/(?:admin|listings)\b|^GET \/[\w.]+$/.test(name)
    )
    assert.sameMembers(left, [
      "POST /api/v1/accounts",
      "POST /api/v1/agents/register",
      "GET /api/v1/wallet/deposit/:id/qr.png"
    ])
  })
})
