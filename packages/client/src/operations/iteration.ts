import { MarketplaceError } from "../errors/MarketplaceError.ts"
import type { CallOptions, Send } from "../requests/Send.ts"
import type { Endpoints } from "../wire/Endpoints.ts"
import type { EndpointName } from "./operation.ts"
import { operation } from "./operation.ts"

type Identified = { readonly id: string }

/** Where in the answer the records are; `undefined` where it is the records. */
type ListName<E extends EndpointName> =
  Endpoints[E]["data"] extends ReadonlyArray<Identified>
    ? undefined
    : {
        [N in keyof Endpoints[E]["data"]]: Endpoints[E]["data"][N] extends ReadonlyArray<Identified> ? N : never
      }[keyof Endpoints[E]["data"]]

type RecordOf<D, N> =
  D extends ReadonlyArray<infer R> ? R : N extends keyof D ? (D[N] extends ReadonlyArray<infer R> ? R : never) : never

type Filter<E extends EndpointName> = Endpoints[E] extends { readonly input?: infer I }
  ? Omit<NonNullable<I>, "page" | "offset" | "cursor">
  : never

type Iteration<E extends EndpointName, N> = (
  ...args: [
    ...(E extends `${string}/:${string}` ? [id: string] : []),
    /** `limit`: how many records a request fetches; 100 where absent. */
    input?: Filter<E>,
    options?: CallOptions
  ]
) => AsyncGenerator<RecordOf<Endpoints[E]["data"], N>, void, undefined>

const pageSize = 100

/** A page may be the one before once more, where as many records as it holds were added meanwhile; a server that goes on so says nothing new. */
const mostRepeats = 2

const strange = (response: unknown, message: string): MarketplaceError =>
  new MarketplaceError({ message, code: "INVALID_RESPONSE", statusCode: 200, response })

/** The parameters of a page: lists are paged by offset, by the last record before, or by number. */
const placeOf = (endpoint: EndpointName, page: number, limit: number, cursor: string | undefined) => {
  switch (endpoint) {
    case "GET /api/souls":
      return { offset: (page - 1) * limit }
    case "GET /api/v1/webhooks/:id/deliveries":
      return cursor === undefined ? {} : { cursor }
    default:
      return { page }
  }
}

/**
 * Every record of a list, page by page, each fetched when it is needed. Records that are added meanwhile move others to the next
 * page: what the page before had is passed over.
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
        const records = (name === undefined ? data : (data as Record<PropertyKey, unknown>)[name]) as Array<Identified>
        if (!Array.isArray(records)) throw strange(data, "the answer holds no list")
        repeats = records.length > 0 && records.every(({ id }) => before.has(id)) ? repeats + 1 : 0
        if (repeats > mostRepeats) throw strange(data, "the answer is the page before once more")
        for (const record of records) if (!before.has(record.id)) yield record
        if (records.length < limit) return
        before = new Set(records.map(({ id }) => id))
        cursor = records.at(-1)?.id
      }
    }
    return iterate as unknown as Iteration<E, N>
  }
