import type { MarketApi } from "@agent-marketplace/api/MarketApi"
import type { eventPayloads } from "@agent-marketplace/core/webhooks/EventPayloads"
import { readFileSync } from "node:fs"
import { assert, describe, it } from "vitest"
import { MarketplaceError } from "../../src/errors/MarketplaceError.ts"
import { operations } from "../../src/operations/operations.ts"
import type { MarketRequest } from "../../src/requests/Send.ts"
import type { AllEndpoints } from "../../src/operations/operation.ts"
import type { WebhookData } from "../../src/wire/Endpoints.ts"

const document = JSON.parse(readFileSync(new URL("../../../api/openapi.json", import.meta.url), "utf8")) as {
  readonly paths: Readonly<
    Record<
      string,
      Readonly<
        Record<string, { readonly operationId: string; readonly parameters?: ReadonlyArray<{ readonly name: string }> }>
      >
    >
  >
}

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

/** The states before and after an action are JSON, which the document and the client's types leave open. */
type Open = "GET /api/v1/admin/actions"

type Drifted = {
  [N in keyof AllEndpoints]: N extends Open
    ? [Data<N>] extends [AllEndpoints[N]["data"]]
      ? never
      : N
    : Same<AllEndpoints[N]["data"], Data<N>> extends true
      ? never
      : N
}[keyof AllEndpoints]

/** The bodies that the market accepts but the client's types do not. */
type Narrower = {
  [N in keyof AllEndpoints]: N extends `GET ${string}` | `DELETE ${string}`
    ? never
    : Input<N> extends (AllEndpoints[N] extends { readonly input?: infer I } ? I | undefined : undefined)
      ? never
      : N
}[keyof AllEndpoints]

type EventsDrifted = {
  [N in keyof WebhookData]: Same<WebhookData[N], (typeof eventPayloads)[N]["Encoded"]> extends true ? never : N
}[keyof WebhookData]

const none = <N extends never>(...names: ReadonlyArray<N>) => names.length

interface Documented {
  readonly id: string
  readonly method: string
  /** With `:id` instead of `{slug}`, and `:second` for a second parameter. */
  readonly path: string
  readonly paged: boolean
}

const operationsOf = ({ paths }: typeof document): ReadonlyArray<Documented> =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { operationId, parameters = [] }]) => ({
      id: operationId,
      method: method.toUpperCase(),
      path: path.replace(/\{(version|imageId)\}/, ":second").replace(/\{\w+\}/, ":id"),
      paged: parameters.some(({ name }) => name === "page" || name === "cursor" || name === "offset")
    }))
  )

/** Why an operation of the document, or a whole group, is not one of the client's. */
const reasons: Readonly<Record<string, string>> = {
  envelopedImages: "the same operations as images, in another envelope",
  envelopedReleases: "the same operations as releases, in another envelope",
  envelopedListings: "the same operations as listings, in another envelope",
  admin: "for the operator",
  adminAccounts: "for the operator",
  adminConditions: "for the operator",
  adminForeignAssets: "for the operator",
  adminAppeals: "for the operator",
  adminItems: "for the operator",
  adminReports: "for the operator",
  adminPayouts: "for the operator",
  adminSouls: "for the operator",
  adminTreasury: "for the operator",
  adminDeposits: "for the operator",
  system: "probes and pages, without a key",
  "accounts.create": "needs no key, and a client is made for a key",
  passkeys: "only pages in a browser use passkeys",
  "sessions.start": "sets a cookie in a browser, and a client is made for a key",
  "sessions.current": "a client has a key, not a session",
  "sessions.endCurrent": "a client has a key, not a session",
  "agents.register": "needs no key, and a client is made for a key",
  "live.socket": "a WebSocket; the streams send the same messages",
  "wallets.depositQr": "an image, whose URL is part of the deposit information"
}

const reasonOf = (id: string): string | undefined => reasons[id] ?? reasons[id.split(".")[0] ?? ""]

/** The endpoints whose iterators were called. */
const iterated = new Set<string>()

/** The result of every request for a stream. */
const refused = new MarketplaceError({ message: "refused", code: "INVALID_API_KEY", statusCode: 401 })

/** The arguments after the id, where they are not one input. */
const more = new Map<unknown, ReadonlyArray<unknown>>([
  [operations.souls.version, ["the-id"]],
  [operations.souls.yankVersion, ["the-id", {}]],
  [operations.souls.rescanVersion, ["the-id"]],
  [operations.images.upload, [new Uint8Array([0x89])]],
  [operations.images.download, ["the-id"]],
  [operations.images.update, ["the-id", {}]],
  [operations.images.delete, ["the-id"]],
  [operations.soulImages.upload, [new Uint8Array([0x89])]],
  [operations.soulImages.download, ["the-id"]],
  [operations.soulImages.update, ["the-id", {}]],
  [operations.soulImages.delete, ["the-id"]],
  [operations.releases.get, ["the-id"]],
  [operations.releases.download, ["the-id"]],
  [operations.releases.yank, ["the-id", {}]],
  [operations.releases.rescan, ["the-id"]],
  [operations.releases.upload, [new Uint8Array([0x1f, 0x8b])]]
])

/** Calls every operation, with an id (two if its path has two) and an input, and records the request that it sends. */
const requestsOf = async (table: object): Promise<ReadonlyArray<string>> => {
  const found: Array<string> = []
  const send = async ({ method, path, stream }: MarketRequest): Promise<unknown> => {
    const [route = ""] = path.split("?")
    found.push(`${method} ${route.replace("the-id", ":id").replace("the-id", ":second")}`)
    if (stream !== undefined) throw refused
    return new Proxy([], { get: (list, name) => (name in list ? Reflect.get(list, name) : []) })
  }
  for (const entry of Object.values(table) as ReadonlyArray<object>) {
    if (typeof entry !== "function") {
      found.push(...(await requestsOf(entry)))
      continue
    }
    const call = (entry as (send: unknown) => (...args: ReadonlyArray<unknown>) => unknown)(send)
    const called: unknown = call("the-id", ...(more.get(entry) ?? [{}]))
    if (typeof called === "object" && called !== null && Symbol.asyncIterator in called) {
      try {
        for await (const _ of called as AsyncIterable<unknown>) assert.fail("the list is empty")
        iterated.add(found.at(-1) ?? "")
      } catch (error) {
        assert.strictEqual(error, refused)
      }
    } else await called
  }
  return found
}

describe("the client's types and paths (generated from the endpoint definitions)", () => {
  it("match packages/api: responses are assignable both ways, and every accepted input can be passed", () => {
    assert.strictEqual(none<Drifted>() + none<Narrower>() + none<EventsDrifted>(), 0)
  })

  it("every operation calls an existing one of the OpenAPI document, and each of the document has an operation or a reason (CLIENT-18)", async () => {
    const called = new Set(await requestsOf(operations))
    const documented = new Map(operationsOf(document).map(({ id, method, path }) => [`${method} ${path}`, id]))
    assert.deepStrictEqual(
      [...called].filter((name) => !documented.has(name)),
      []
    )
    const left = [...documented].filter(([name]) => !called.has(name)).map(([, id]) => id)
    assert.deepStrictEqual(
      left.filter((id) => reasonOf(id) === undefined),
      []
    )
    assert.deepStrictEqual(
      Object.keys(reasons).filter((prefix) => !left.some((id) => id === prefix || id.startsWith(`${prefix}.`))),
      [],
      "a reason for what has an operation, or for what the document does not have"
    )
  })

  it("every paged list has an iterator (CLIENT-18)", async () => {
    await requestsOf(operations)
    const paged = operationsOf(document)
      .filter(({ method, paged }) => method === "GET" && paged)
      .map(({ id, method, path }) => ({ id, name: `${method} ${path}` }))
      .filter(({ id }) => reasonOf(id) === undefined)
    for (const { name } of paged) assert.isTrue(iterated.has(name), `${name} has no iterator`)
  })
})
