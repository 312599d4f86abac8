import { ChainUnavailable } from "@agent-marketplace/core/chain/Chain"
import type { Head } from "@agent-marketplace/core/chain/Chain"
import type { Schema } from "effect"
import { Clock, Effect, Semaphore } from "effect"
import { Header } from "../nodes/NodeAnswers.ts"
import type { Node, NodeApi } from "../nodes/Node.ts"
import type { Nodes } from "../nodes/Nodes.ts"
import { NotOffered } from "../nodes/Node.ts"
import type { TronTimings } from "../TronSettings.ts"

export interface FinalHead extends Head {
  readonly id: string
}

/** The newest block of the API that the node is askFinal through: the newest one, or the newest final one. */
export const headOf = (node: Node): Effect.Effect<FinalHead & { readonly parent: string }, ChainUnavailable> =>
  Effect.flatMap(node.ask("getblock", { detail: false }, Header), ({ block_header: { raw_data }, blockID }) => {
    const block = raw_data.number ?? 0
    return Number.parseInt(blockID.slice(0, 16), 16) === block
      ? Effect.succeed({ block, at: raw_data.timestamp ?? 0, id: blockID, parent: raw_data.parentHash ?? "" })
      : Effect.fail(
          new ChainUnavailable({ reason: `${node.name}: the id of its newest block does not match the block's height` })
        )
  })

export const behind = (node: Node, block: number) =>
  new ChainUnavailable({ reason: `${node.name} does not have block ${block} yet` })

/** Falls back to the newest state if the node does not offer the method for the final state. */
const askFinal = <A>(node: Node, method: string, body: object, answer: Schema.Codec<A, unknown>) =>
  Effect.catchIf(
    node.ask(method, body, answer),
    (fault) => fault instanceof NotOffered,
    () => node.ask(method, body, answer, "wallet")
  )

/** Asks a node that has reached block `since`; a node that is behind would report old balances. */
export const askSince = <A>(
  nodes: Nodes,
  api: NodeApi,
  since: number,
  method: string,
  body: object,
  answer: Schema.Codec<A, unknown>
): Effect.Effect<A, ChainUnavailable> =>
  nodes.using(api, (node) =>
    Effect.flatMap(since > 0 ? headOf(node) : Effect.succeed({ block: 0 }), ({ block }) =>
      block >= since ? askFinal(node, method, body, answer) : Effect.fail(behind(node, since))
    )
  )

/** The newest final block of all nodes. Slow nodes are not waited for. */
const highest = Effect.fnUntraced(function* (nodes: Nodes) {
  // Fixes the network as that of the first configured node that answers, not of the fastest one.
  yield* nodes.network
  const heads = yield* nodes.all("walletsolidity", headOf, "2 seconds")
  const [head] = heads.toSorted((one, other) => other.block - one.block)
  return head ?? (yield* nodes.using("walletsolidity", headOf))
})

/**
 * The newest final block. It is cached while it is fresh and never decreases. A node below it is skipped. All nodes are compared from time
 * to time, because the first one may be stuck or behind another one.
 */
export const finalHeads = (
  nodes: Nodes,
  { compare, fresh }: TronTimings
): Effect.Effect<FinalHead, ChainUnavailable> => {
  const oneAtATime = Semaphore.makeUnsafe(1)
  let newest: FinalHead | undefined
  let requestedAt = -Infinity
  let comparedAt = -Infinity

  const next = (known: FinalHead) =>
    nodes
      .using("walletsolidity", (node) =>
        Effect.filterOrFail(
          headOf(node),
          ({ block }) => block >= known.block,
          () => behind(node, known.block)
        )
      )
      // If no node has reached the known final block, it stays the final block.
      .pipe(Effect.catch(() => nodes.using("walletsolidity", headOf)))

  const ask = Effect.fnUntraced(function* (now: number) {
    const known = now - comparedAt < compare ? newest : undefined
    const found = yield* known === undefined ? highest(nodes) : next(known)
    if (known === undefined) comparedAt = now
    if (newest === undefined || found.block > newest.block) newest = found
    requestedAt = now
    return newest
  })

  return oneAtATime.withPermit(
    Effect.flatMap(Clock.currentTimeMillis, (now) =>
      newest !== undefined && now - requestedAt < fresh ? Effect.succeed(newest) : ask(now)
    )
  )
}
