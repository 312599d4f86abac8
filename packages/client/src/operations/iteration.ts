import { MarketplaceError } from "../errors/MarketplaceError.ts"
import type { CallOptions, Send } from "../requests/Send.ts"
import type { AllEndpoints, EndpointName } from "./operation.ts"
import { operation } from "./operation.ts"

/** A record of a list. Versions, categories, sums and machines have no id: another property identifies them. */
type Identified =
  | { readonly id: string }
  | { readonly key: string }
  | { readonly slug: string }
  | { readonly version: number }
  | { readonly machine: string }
  | { readonly client_id: string }
  | { readonly domain: string }

const identityOf = (
  record: Partial<Record<"client_id" | "domain" | "id" | "key" | "machine" | "slug" | "version", string | number>>
): string =>
  String(
    record.id ?? record.key ?? record.slug ?? record.client_id ?? record.machine ?? record.domain ?? record.version
  )

/** The property of the response that contains the records; `undefined` if the response is the list itself. */
type ListName<E extends EndpointName> =
  AllEndpoints[E]["data"] extends ReadonlyArray<Identified>
    ? undefined
    : {
        [N in keyof AllEndpoints[E]["data"]]: AllEndpoints[E]["data"][N] extends ReadonlyArray<Identified> ? N : never
      }[keyof AllEndpoints[E]["data"]]

type RecordOf<D, N> =
  D extends ReadonlyArray<infer R> ? R : N extends keyof D ? (D[N] extends ReadonlyArray<infer R> ? R : never) : never

type Filter<E extends EndpointName> = AllEndpoints[E] extends { readonly input?: infer I }
  ? Omit<NonNullable<I>, "page" | "offset" | "cursor">
  : never

type Iteration<E extends EndpointName, N> = (
  ...args: [
    ...(E extends `${string}/:${string}` ? [id: string] : []),
    /** `limit`: how many records a request fetches; 100 if absent. */
    input?: Filter<E>,
    options?: CallOptions
  ]
) => AsyncGenerator<RecordOf<AllEndpoints[E]["data"], N>, void, undefined>

const pageSize = 100

/** A page may repeat the previous one, if as many records as it contains were added meanwhile. A server that repeats it further is faulty. */
const mostRepeats = 2

const invalidResponse = (response: unknown, message: string): MarketplaceError =>
  new MarketplaceError({ message, code: "INVALID_RESPONSE", statusCode: 200, response })

/** The parameters of a page: lists are paged by offset, by the last record of the previous page, or by number. */
const placeOf = (endpoint: EndpointName, page: number, limit: number, cursor: string | undefined) => {
  switch (endpoint) {
    case "GET /api/souls":
      return { offset: (page - 1) * limit }
    case "GET /api/v1/webhooks/:id/deliveries":
      return cursor === undefined ? {} : { cursor }
    case "GET /api/v1/advisories":
      return cursor === undefined ? {} : { after: cursor }
    default:
      return { page }
  }
}

/**
 * Every record of a list. Each page is fetched when it is needed. Records that are added meanwhile move others to the next
 * page: records of the previous page are skipped.
 */
export const iteration =
  <E extends EndpointName, N extends ListName<E>>(endpoint: E, name: N): ((send: Send) => Iteration<E, N>) =>
  (send) => {
    const list = (operation as (endpoint: E, traits: unknown) => (send: Send) => unknown)(endpoint, { input: true })(
      send
    ) as (...args: ReadonlyArray<unknown>) => Promise<unknown>
    const iterate = async function* (...args: ReadonlyArray<unknown>) {
      const ids = endpoint.includes("/:") ? args.slice(0, 1) : []
      const [input, options] = args.slice(ids.length) as [{ readonly limit?: number } | undefined, unknown]
      const limit = input?.limit ?? pageSize
      let before = new Set<string>()
      let repeats = 0
      let cursor: string | undefined
      for (let page = 1; ; page += 1) {
        const place = placeOf(endpoint, page, limit, cursor)
        const data = await list(...ids, { ...input, limit, ...place }, options)
        const records = (
          name === undefined ? data : (data as Record<PropertyKey, unknown>)[name]
        ) as ReadonlyArray<Identified>
        if (!Array.isArray(records)) throw invalidResponse(data, "the response contains no list")
        repeats = records.length > 0 && records.every((record) => before.has(identityOf(record))) ? repeats + 1 : 0
        if (repeats > mostRepeats) throw invalidResponse(data, "the response repeats the previous page")
        for (const record of records) if (!before.has(identityOf(record))) yield record
        if (records.length < limit) return
        before = new Set(records.map(identityOf))
        cursor = [...before].at(-1)
      }
    }
    return iterate as unknown as Iteration<E, N>
  }
