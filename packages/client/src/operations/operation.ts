import type { CallOptions, MoneyCallOptions, Send } from "../requests/Send.ts"
import type { Endpoints } from "../wire/Endpoints.ts"
import type { OperatorEndpoints } from "../wire/OperatorEndpoints.ts"

const chance = () => Math.random().toString(36).slice(2)

/** A new idempotency key. It has to be unique within an account but need not be secret, so WebCrypto is not required. */
const newIdempotencyKey = (): string =>
  globalThis.crypto?.randomUUID?.() ?? `${Date.now().toString(36)}-${chance()}-${chance()}`

/** The endpoints of the client and of the operator. */
export type AllEndpoints = Endpoints & OperatorEndpoints

/** `"GET /api/v1/purchases/:id"` */
export type EndpointName = keyof AllEndpoints

type IdArgument<E extends EndpointName> = E extends `${string}/:${string}/:${string}`
  ? [id: string, part: string | number]
  : E extends `${string}/:${string}`
    ? [id: string]
    : []

type InputArgument<E extends EndpointName> = AllEndpoints[E] extends { readonly input: infer I }
  ? [input: I]
  : AllEndpoints[E] extends { readonly input?: infer I }
    ? [input?: I]
    : []

type Options<E extends EndpointName> = AllEndpoints[E] extends { readonly once: true } ? MoneyCallOptions : CallOptions

/** The arguments of a call: the id if the path has one, the input if there is one, and options. */
export type Operation<E extends EndpointName> = (
  ...args: [...IdArgument<E>, ...InputArgument<E>, options?: Options<E>]
) => Promise<AllEndpoints[E]["data"]>

/** The facts of an endpoint that are needed at run time; the types check them against the endpoint's definition. */
export type Traits<E extends EndpointName> = ("input" extends keyof AllEndpoints[E]
  ? { readonly input: true }
  : unknown) &
  (AllEndpoints[E] extends { readonly once: true } ? { readonly once: true } : unknown)

interface KnownTraits {
  readonly input?: true
  readonly once?: true
}

const textOf = (value: unknown): string => (Array.isArray(value) ? value.join(",") : String(value))

const queryOf = (input: unknown): string => {
  const given = Object.entries(input ?? {}).filter(([, value]) => value !== undefined && value !== null)
  const query = new URLSearchParams(given.map(([name, value]) => [name, textOf(value)]))
  return given.length === 0 ? "" : `?${query.toString()}`
}

/** An empty id would address the list instead of one of its records. */
const pathOf = (template: string, ids: ReadonlyArray<unknown>): string => {
  const rest = [...ids]
  return template.replace(/:\w+/g, () => {
    const id = rest.shift()
    const text = typeof id === "number" ? String(id) : id
    if (typeof text !== "string" || text === "" || /^\.\.?$/.test(text)) throw new TypeError(`${template} needs an id`)
    return encodeURIComponent(text)
  })
}

/** The operation of an endpoint, to be bound to a client. */
export const operation =
  <E extends EndpointName>(
    endpoint: E,
    ...[traits]: unknown extends Traits<E> ? [] : [traits: Traits<E>]
  ): ((send: Send) => Operation<E>) =>
  (send) => {
    const [method = "", template = ""] = endpoint.split(" ")
    const { input: hasInput, once }: KnownTraits = traits ?? {}
    const call = async (...args: ReadonlyArray<unknown>) => {
      const rest = [...args]
      const path = pathOf(template, rest.splice(0, template.match(/\/:/g)?.length ?? 0))
      const input = hasInput === true ? rest.shift() : undefined
      const options = (rest[0] ?? {}) as MoneyCallOptions
      const isQuery = method === "GET" || method === "DELETE"
      return send({
        method,
        path: isQuery ? path + queryOf(input) : path,
        body: isQuery ? undefined : input,
        idempotencyKey: once === true ? (options.idempotencyKey ?? newIdempotencyKey()) : undefined,
        options
      })
    }
    return call as Operation<E>
  }
