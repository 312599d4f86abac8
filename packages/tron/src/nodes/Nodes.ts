import { ChainUnavailable } from "@agent-marketplace/core/chain/Chain"
import { Clock, Effect, Redacted, Result, Schema } from "effect"
import type { TronTimings } from "../TronSettings.ts"
import { blockAt } from "./BlockAt.ts"
import { Header } from "./NodeAnswers.ts"
import type { Node, NodeApi, Sent } from "./Node.ts"
import { NotOffered } from "./Node.ts"
import { parseJson } from "./parseJson.ts"
import { bytesOf, NodeFault, NodeTransport } from "./NodeTransport.ts"
import { shownAnswer } from "./shownAnswer.ts"

interface Kept {
  readonly url: string
  /** The host only: a URL may contain a key. */
  readonly name: string
  failures: number
  restsUntil: number
  genesis: string | undefined
  genesisMisses: number
}

/** One of the configured nodes. */
export interface Member {
  readonly name: string
  /** Whether it is not used at this time, after failures. */
  readonly isPaused: (now: number) => boolean
  /** Runs `body` with this node. Fails at once while the node is not used after failures, and if it belongs to another network. */
  readonly use: <A>(body: (node: Node) => Effect.Effect<A, ChainUnavailable>) => Effect.Effect<A, ChainUnavailable>
}

/** After this many failures in a row a node is not used for a while. */
const toleratedFailures = 3

/** A node that returns its newest block but not its first one this often in a row does not have the first one. */
const mostGenesisMisses = 8

/** Nodes without a first block are treated as one network. Databases contain this id, so it must never change. */
const unknownGenesis = "untold"

const parsed = (bytes: Buffer): Result.Result<unknown, NodeFault> =>
  Result.try({ try: () => parseJson(bytes), catch: () => new NodeFault("the answer is not JSON") })

/** The start of a response, of which an error shows less. */
const startOf = (bytes: Buffer) => bytes.toString("utf8", 0, 65_536)

/** The decoded response, or a fault if it does not match the schema. */
const decoded = <A>(bytes: Buffer, answer: Schema.Codec<A, unknown>, headers: Record<string, string>) =>
  Result.flatMap(parsed(bytes), (value) =>
    Result.mapError(
      Schema.decodeUnknownResult(answer)(value),
      () => new NodeFault(`unexpected answer: ${shownAnswer(startOf(bytes), headers)}`)
    )
  )

/**
 * The nodes of one network. Requests go to the first working node (CHAIN-11). A node that fails or limits the rate is not used for a while.
 * A node whose network differs from that of the first node that answered is never used.
 */
export class Nodes {
  private readonly nodes: Record<NodeApi, ReadonlyArray<Kept>>
  private readonly headers: Record<string, string>
  private readonly timings: TronTimings
  private genesis: string | undefined

  constructor(
    urls: Record<NodeApi, ReadonlyArray<string>>,
    apiKey: Redacted.Redacted | undefined,
    timings: TronTimings
  ) {
    const keep = (url: string): Kept => ({
      url,
      name: URL.canParse(url) ? new URL(url).host : "a node",
      failures: 0,
      restsUntil: 0,
      genesis: undefined,
      genesisMisses: 0
    })
    this.nodes = { wallet: urls.wallet.map(keep), walletsolidity: urls.walletsolidity.map(keep) }
    this.headers = {
      "content-type": "application/json",
      ...(apiKey === undefined ? {} : { "TRON-PRO-API-KEY": Redacted.value(apiKey) })
    }
    this.timings = timings
  }

  /** The id of the first block, which identifies the network. */
  get network(): Effect.Effect<string, ChainUnavailable> {
    return Effect.suspend(() =>
      this.genesis === undefined
        ? this.using("walletsolidity", () => Effect.sync(() => this.genesis ?? ""))
        : Effect.succeed(this.genesis)
    )
  }

  ask<A>(
    api: NodeApi,
    method: string,
    body: object,
    answer: Schema.Codec<A, unknown>
  ): Effect.Effect<A, ChainUnavailable> {
    return this.using(api, (node) => node.ask(method, body, answer))
  }

  /** Runs all of `body` with one node and, if that fails, with the next one. */
  using<A>(api: NodeApi, body: (node: Node) => Effect.Effect<A, ChainUnavailable>): Effect.Effect<A, ChainUnavailable> {
    return Effect.gen({ self: this }, function* () {
      const reasons: Array<string> = []
      for (const { use } of this.members(api)) {
        const result = yield* Effect.result(use(body))
        if (Result.isSuccess(result)) return result.success
        reasons.push(result.failure.reason)
      }
      return yield* new ChainUnavailable({
        reason: reasons.join("; ") || "no node is configured: set TRON_FULL_NODE_URL"
      })
    })
  }

  /** The configured nodes, in order of preference. */
  members(api: NodeApi): ReadonlyArray<Member> {
    return this.nodes[api].map((kept) => this.memberOf(api, kept))
  }

  private memberOf(api: NodeApi, kept: Kept): Member {
    return {
      name: kept.name,
      isPaused: (now) => kept.restsUntil > now,
      use: (body) =>
        Effect.flatMap(Clock.currentTimeMillis, (now) =>
          kept.restsUntil > now
            ? Effect.fail(new ChainUnavailable({ reason: `${kept.name} is not used after failures` }))
            : this.onNode(api, kept, body)
        )
    }
  }

  private onNode<A>(api: NodeApi, kept: Kept, body: (node: Node) => Effect.Effect<A, ChainUnavailable>) {
    const node = this.nodeOf(api, kept)
    return Effect.andThen(
      this.sameNetwork(kept, node),
      Effect.suspend(() => body(node))
    )
  }

  private nodeOf(api: NodeApi, kept: Kept): Node {
    return {
      name: kept.name,
      ask: (method, body, answer, of = api) =>
        this.request(kept, of, method, body, (bytes) => decoded(bytes, answer, this.headers)),
      askUnless: <A>(
        known: () => Uint8Array | undefined,
        method: string,
        body: object,
        answer: Schema.Codec<A, unknown>
      ) =>
        this.request(kept, api, method, body, (bytes): Result.Result<Sent<A>, NodeFault> => {
          const same = known()
          return same !== undefined && bytes.equals(same)
            ? Result.succeed({ bytes, value: undefined })
            : Result.map(decoded(bytes, answer, this.headers), (value) => ({ bytes, value }))
        })
    }
  }

  private request<A>(
    kept: Kept,
    of: NodeApi,
    method: string,
    body: object,
    read: (bytes: Buffer) => Result.Result<A, NodeFault>
  ): Effect.Effect<A, ChainUnavailable> {
    return NodeTransport.pipe(
      Effect.flatMap((post) => post(`${kept.url}/${of}/${method}`, body, this.headers, this.timings.timeout)),
      Effect.flatMap((response) => Effect.fromResult(Result.flatMap(bytesOf(response), read))),
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

  private failed(kept: Kept, fault: NodeFault, now: number): void {
    const { restMax, restMin } = this.timings
    kept.failures++
    const beyond = fault.overloaded ? kept.failures - 1 : kept.failures - toleratedFailures
    if (beyond < 0) return
    kept.restsUntil = Math.max(
      kept.restsUntil,
      now + Math.min(restMax, fault.rest ?? restMin * 2 ** Math.min(beyond, 10))
    )
  }

  /** The node's network is read once. */
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
      kept.genesisMisses = first === undefined ? kept.genesisMisses : 0
      if (first !== undefined) return first.header.blockID
      yield* node.ask("getblock", { detail: false }, Header)
      kept.genesisMisses++
      return kept.genesisMisses < mostGenesisMisses
        ? yield* new ChainUnavailable({ reason: `${kept.name} does not return its first block` })
        : unknownGenesis
    })
  }

  private compared(kept: Kept, genesis: string): Effect.Effect<void, ChainUnavailable> {
    return genesis === this.genesis
      ? Effect.void
      : Effect.fail(new ChainUnavailable({ reason: `${kept.name} belongs to another network` }))
  }
}
