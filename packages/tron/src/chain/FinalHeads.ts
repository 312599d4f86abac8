import { ChainUnavailable } from "@agent-marketplace/core/chain/Chain"
import type { Head } from "@agent-marketplace/core/chain/Chain"
import type { Schema } from "effect"
import { Clock, Effect, Semaphore } from "effect"
import { Header } from "../nodes/NodeAnswers.ts"
import type { Node, Nodes, View } from "../nodes/Nodes.ts"
import type { Pace } from "../TronSettings.ts"

export interface FinalHead extends Head {
  readonly id: string
}

/** The newest block of a node's view. */
export const headOf = (node: Node): Effect.Effect<FinalHead & { readonly parent: string }, ChainUnavailable> =>
  Effect.flatMap(node.ask("getblock", { detail: false }, Header), ({ block_header: { raw_data }, blockID }) => {
    const block = raw_data.number ?? 0
    return Number.parseInt(blockID.slice(0, 16), 16) === block
      ? Effect.succeed({ block, at: raw_data.timestamp ?? 0, id: blockID, parent: raw_data.parentHash ?? "" })
      : Effect.fail(new ChainUnavailable({ reason: `${node.name}: the block's id is not that of its height` }))
  })

export const behind = (node: Node, block: number) =>
  new ChainUnavailable({ reason: `${node.name} does not have block ${block} yet` })

/** Asked of a node that has come as far as block `since`: what one behind it says of an address is old. */
export const askSince = <A>(
  nodes: Nodes,
  view: View,
  since: number,
  method: string,
  body: object,
  answer: Schema.Codec<A, unknown>
): Effect.Effect<A, ChainUnavailable> =>
  nodes.using(view, (node) =>
    Effect.flatMap(since > 0 ? headOf(node) : Effect.succeed({ block: 0 }), ({ block }) =>
      block >= since ? node.ask(method, body, answer) : Effect.fail(behind(node, since))
    )
  )

/** The newest final block; asked for once while it is fresh, and never lower than it was. */
export const finalHeads = (nodes: Nodes, { fresh, stuck }: Pace): Effect.Effect<FinalHead, ChainUnavailable> => {
  const oneAtATime = Semaphore.makeUnsafe(1)
  let newest: FinalHead | undefined
  let askedAt = -Infinity
  let movedAt = -Infinity

  const ask = Effect.fnUntraced(function* (now: number) {
    const moving = nodes.using("walletsolidity", (node) =>
      Effect.filterOrFail(
        headOf(node),
        ({ block }) => newest === undefined || block > newest.block || now - movedAt <= stuck,
        () => new ChainUnavailable({ reason: `${node.name}: the final block does not move` })
      )
    )
    // Where it moves nowhere, the chain stands still: what was final stays so.
    const found = yield* Effect.catch(moving, () => nodes.using("walletsolidity", headOf))
    if (newest === undefined || found.block > newest.block) {
      newest = found
      movedAt = now
    }
    askedAt = now
    return newest
  })

  return oneAtATime.withPermit(
    Effect.flatMap(Clock.currentTimeMillis, (now) =>
      newest !== undefined && now - askedAt < fresh ? Effect.succeed(newest) : ask(now)
    )
  )
}
