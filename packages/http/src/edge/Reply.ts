import { toEnvelope, toPage } from "@agent-marketplace/api/wire/Envelope"
import type { Page, PageRequest } from "@agent-marketplace/core/paging/Page"
import { Effect } from "effect"
import { pageOf } from "../paging/PageOf.ts"
import { currentCaller, currentOperator } from "./CurrentRequest.ts"

/** Replies of handlers that make one call on behalf of somebody. */
const replies = <Who, Refused>(who: Effect.Effect<Who, Refused>) => ({
  /** The result of the call in the general envelope (WIRE-7). */
  one: <A, B, E, R>(toWire: (result: A) => B, call: (who: Who) => Effect.Effect<A, E, R>) =>
    Effect.map(Effect.flatMap(who, call), (result) => toEnvelope(toWire(result))),
  /** The page that the query requests, in the general envelope (WIRE-10). */
  page: <A, B, E, R>(
    query: Partial<PageRequest>,
    toWire: (record: A) => B,
    call: (who: Who, page: PageRequest) => Effect.Effect<Page<A>, E, R>
  ) => {
    const page = pageOf(query)
    return Effect.map(
      Effect.flatMap(who, (known) => call(known, page)),
      ({ items, total }) =>
        toPage(
          items.map((item) => toWire(item)),
          page,
          total
        )
    )
  }
})

/** Replies to the caller that the endpoint guard identified. */
export const forCaller = replies(currentCaller)

/** Replies to the operator. */
export const forOperator = replies(currentOperator)
