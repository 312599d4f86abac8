import { ChainUnavailable } from "@agent-marketplace/core/chain/Chain"
import type { Head } from "@agent-marketplace/core/chain/Chain"
import type { Schema } from "effect"
import { Effect } from "effect"
import { blockAt } from "../nodes/BlockAt.ts"
import type { Block } from "../nodes/NodeAnswers.ts"
import { Header } from "../nodes/NodeAnswers.ts"
import type { Node, NodeApi } from "../nodes/Node.ts"
import type { Nodes } from "../nodes/Nodes.ts"
import { NotOffered } from "../nodes/Node.ts"

export interface FinalHead extends Head {
  readonly id: string
  /** The id of the block before it. */
  readonly parent: string
}

/** The failure of a node that has not reached this block yet. */
export const missingBlock = (node: Node, block: number) =>
  new ChainUnavailable({ reason: `${node.name} does not have block ${block} yet` })

/** The first 8 bytes of a block's id are its height. */
const headerOf = (node: Node, { block_header: { raw_data }, blockID }: Block) => {
  const block = raw_data.number ?? 0
  return Number.parseInt(blockID.slice(0, 16), 16) === block
    ? Effect.succeed<FinalHead>({ block, at: raw_data.timestamp ?? 0, id: blockID, parent: raw_data.parentHash ?? "" })
    : Effect.fail(
        new ChainUnavailable({ reason: `${node.name}: the id of block ${block} does not match the block's height` })
      )
}

/** The newest block of the API that the node is asked through: the newest one, or the newest final one. */
export const headOf = (node: Node): Effect.Effect<FinalHead, ChainUnavailable> =>
  Effect.flatMap(node.ask("getblock", { detail: false }, Header), (header) => headerOf(node, header))

/** The header at that height, as this node reports it. */
export const headerAt = (node: Node, block: number): Effect.Effect<FinalHead, ChainUnavailable> =>
  Effect.flatMap(blockAt(node, block), (found) =>
    found === undefined ? Effect.fail(missingBlock(node, block)) : headerOf(node, found.header)
  )

/** Falls back to the newest state if the node does not offer the method for the final state. */
export const askFinal = <A>(node: Node, method: string, body: object, answer: Schema.Codec<A, unknown>) =>
  Effect.catchIf(
    node.ask(method, body, answer),
    (fault) => fault instanceof NotOffered,
    () => node.ask(method, body, answer, "wallet")
  )

/** Fails if the node has not reached block `since`; a node that is behind would report old balances. */
export const reached = (node: Node, since: number): Effect.Effect<void, ChainUnavailable> =>
  since <= 0
    ? Effect.void
    : Effect.flatMap(headOf(node), ({ block }) =>
        block >= since ? Effect.void : Effect.fail(missingBlock(node, since))
      )

/** Asks a node that has reached block `since`. */
export const askSince = <A>(
  nodes: Nodes,
  api: NodeApi,
  since: number,
  method: string,
  body: object,
  answer: Schema.Codec<A, unknown>
): Effect.Effect<A, ChainUnavailable> =>
  nodes.using(api, (node) => Effect.andThen(reached(node, since), askFinal(node, method, body, answer)))
