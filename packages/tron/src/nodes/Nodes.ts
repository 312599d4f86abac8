import { ChainUnavailable } from "@agent-marketplace/core/chain/Chain"
import type { Duration } from "effect"
import { Clock, Effect, Option, Redacted, Result, Schema } from "effect"
import type { Pace } from "../TronSettings.ts"
import { blockAt } from "./BlockAt.ts"
import { Header } from "./NodeAnswers.ts"
import type { Node, View } from "./Node.ts"
import { NotOffered } from "./NotOffered.ts"

const overloadedStatus = new Set([403, 429, 503])

/** A node could not be used; `rest` asks for mercy: milliseconds, or undefined for the usual. */
class NodeFault {
  readonly reason: string
  readonly status: number | undefined
  readonly rest: number | undefined
  readonly overloaded: boolean
  constructor(reason: string, status?: number, rest?: number) {
    this.reason = reason
    this.status = status
    this.rest = rest
    this.overloaded = status !== undefined && overloadedStatus.has(status)
  }
}

interface Kept {
  readonly url: string
  /** The host alone: a URL may hold a key. */
  readonly name: string
  failures: number
  restsUntil: number
  genesis: string | undefined
  untold: number
}

/** After this many faults in a row a node is left alone for a while. */
const tolerated = 3

/** Where a node tells its newest block and not its first so often in a row, it has none: what it says at random is not like that. */
const untoldTimes = 8

/** Such nodes are taken for one network. */
const untold = "untold"

const retryAfter = (value: string | null): number | undefined => {
  const seconds = Number(value)
  return value !== null && Number.isFinite(seconds) && seconds > 0 ? seconds * 1000 : undefined
}

const post = (url: string, body: object, headers: Record<string, string>, timeout: number) =>
  Effect.tryPromise({
    try: async (signal) => {
      const response = await fetch(url, {
        method: "POST",
        body: JSON.stringify(body),
        headers,
        redirect: "error",
        signal: AbortSignal.any([signal, AbortSignal.timeout(timeout)])
      })
      const text = await response.text()
      return { status: response.status, text, rest: retryAfter(response.headers.get("retry-after")) }
    },
    catch: (cause) =>
      new NodeFault(cause instanceof Error ? (cause.name === "TimeoutError" ? "no answer" : "not reached") : "")
  })

const json = (text: string): Result.Result<unknown, NodeFault> =>
  Result.try({ try: (): unknown => JSON.parse(text), catch: () => new NodeFault("the answer is not JSON") })

/** TRON's own words for "too many requests" come with status 200. */
const isOverloaded = (text: string) => text.startsWith("{") && text.includes("lack of computing resources")

const ask = Effect.fnUntraced(function* <A>(
  url: string,
  body: object,
  answer: Schema.Codec<A, unknown>,
  headers: Record<string, string>,
  timeout: number
) {
  const { rest, status, text } = yield* post(url, body, headers, timeout)
  if (status !== 200) return yield* Effect.fail(new NodeFault(`status ${status}`, status, rest))
  if (text.length < 500 && isOverloaded(text)) return yield* Effect.fail(new NodeFault("overloaded", 503))
  const value = yield* Effect.fromResult(json(text))
  return yield* Effect.fromResult(
    Result.mapError(
      Schema.decodeUnknownResult(answer)(value),
      () => new NodeFault(`the answer is not what was asked for: ${text.slice(0, 120)}`)
    )
  )
})

/**
 * The nodes of one network. The first that works answers (CHAIN-11); one that fails, or asks for mercy, is left alone for a while. A
 * node of another network than the first one that answered is never believed.
 */
export class Nodes {
  private readonly nodes: Record<View, ReadonlyArray<Kept>>
  private readonly headers: Record<string, string>
  private readonly pace: Pace
  private genesis: string | undefined

  constructor(urls: Record<View, ReadonlyArray<string>>, apiKey: Redacted.Redacted | undefined, pace: Pace) {
    const keep = (url: string): Kept => ({
      url,
      name: URL.canParse(url) ? new URL(url).host : "a node",
      failures: 0,
      restsUntil: 0,
      genesis: undefined,
      untold: 0
    })
    this.nodes = { wallet: urls.wallet.map(keep), walletsolidity: urls.walletsolidity.map(keep) }
    this.headers = {
      "content-type": "application/json",
      ...(apiKey === undefined ? {} : { "TRON-PRO-API-KEY": Redacted.value(apiKey) })
    }
    this.pace = pace
  }

  /** The id of the first block: what tells networks apart. */
  get network(): Effect.Effect<string, ChainUnavailable> {
    return Effect.suspend(() =>
      this.genesis === undefined
        ? this.using("walletsolidity", () => Effect.sync(() => this.genesis ?? ""))
        : Effect.succeed(this.genesis)
    )
  }

  ask<A>(
    view: View,
    method: string,
    body: object,
    answer: Schema.Codec<A, unknown>
  ): Effect.Effect<A, ChainUnavailable> {
    return this.using(view, (node) => node.ask(method, body, answer))
  }

  /** All of `body` with one node, and where that fails with the next. */
  using<A>(view: View, body: (node: Node) => Effect.Effect<A, ChainUnavailable>): Effect.Effect<A, ChainUnavailable> {
    return Effect.gen({ self: this }, function* () {
      const now = yield* Clock.currentTimeMillis
      const reasons: Array<string> = []
      for (const kept of this.nodes[view]) {
        if (kept.restsUntil > now) {
          reasons.push(`${kept.name} is left alone`)
          continue
        }
        const result = yield* Effect.result(this.asked(view, kept, body))
        if (Result.isSuccess(result)) return result.success
        reasons.push(result.failure.reason)
      }
      return yield* new ChainUnavailable({ reason: reasons.join("; ") || "no node is configured" })
    })
  }

  /** `body` with every node that is not left alone; who fails, or takes longer, is left out. */
  all<A>(
    view: View,
    body: (node: Node) => Effect.Effect<A, ChainUnavailable>,
    patience: Duration.Input
  ): Effect.Effect<ReadonlyArray<A>> {
    return Effect.gen({ self: this }, function* () {
      const now = yield* Clock.currentTimeMillis
      const found = yield* Effect.forEach(
        this.nodes[view].filter(({ restsUntil }) => restsUntil <= now),
        (kept) => Effect.option(Effect.timeout(this.asked(view, kept, body), patience)),
        { concurrency: "unbounded" }
      )
      return found.flatMap(Option.toArray)
    })
  }

  private asked<A>(view: View, kept: Kept, body: (node: Node) => Effect.Effect<A, ChainUnavailable>) {
    const node = this.nodeOf(view, kept)
    return Effect.andThen(
      this.sameNetwork(kept, node),
      Effect.suspend(() => body(node))
    )
  }

  private nodeOf(view: View, kept: Kept): Node {
    return {
      name: kept.name,
      ask: (method, body, answer, of = view) =>
        ask(`${kept.url}/${of}/${method}`, body, answer, this.headers, this.pace.timeout).pipe(
          Effect.tap(() =>
            Effect.sync(() => {
              kept.failures = 0
            })
          ),
          Effect.catch((fault) =>
            Effect.flatMap(Clock.currentTimeMillis, (now) => {
              const reason = `${kept.name} ${method}: ${fault.reason}`
              if (fault.status === 404) return Effect.fail(new NotOffered({ reason }))
              this.failed(kept, fault, now)
              return Effect.fail(new ChainUnavailable({ reason }))
            })
          )
        )
    }
  }

  private failed(kept: Kept, fault: NodeFault, now: number): void {
    const { restMax, restMin } = this.pace
    kept.failures++
    const beyond = fault.overloaded ? kept.failures - 1 : kept.failures - tolerated
    if (beyond < 0) return
    kept.restsUntil = Math.max(
      kept.restsUntil,
      now + Math.min(restMax, fault.rest ?? restMin * 2 ** Math.min(beyond, 10))
    )
  }

  /** Asked once of each node. */
  private sameNetwork(kept: Kept, node: Node): Effect.Effect<void, ChainUnavailable> {
    if (kept.genesis !== undefined) return this.compared(kept, kept.genesis)
    return Effect.flatMap(this.firstBlock(kept, node), (genesis) => {
      kept.genesis = genesis
      this.genesis ??= genesis
      return this.compared(kept, genesis)
    })
  }

  private firstBlock(kept: Kept, node: Node): Effect.Effect<string, ChainUnavailable> {
    return Effect.gen(function* () {
      const first = yield* blockAt(node, 0)
      kept.untold = first === undefined ? kept.untold : 0
      if (first !== undefined) return first.header.blockID
      yield* node.ask("getblock", { detail: false }, Header)
      kept.untold++
      return kept.untold < untoldTimes
        ? yield* new ChainUnavailable({ reason: `${kept.name} does not tell its first block` })
        : untold
    })
  }

  private compared(kept: Kept, genesis: string): Effect.Effect<void, ChainUnavailable> {
    return genesis === this.genesis
      ? Effect.void
      : Effect.fail(new ChainUnavailable({ reason: `${kept.name} belongs to another network` }))
  }
}
