import { ChainUnavailable } from "@agent-marketplace/core/chain/Chain"
import type { Head } from "@agent-marketplace/core/chain/Chain"
import type { Schema } from "effect"
import { Clock, Effect, Semaphore } from "effect"
import { Header } from "../nodes/NodeAnswers.ts"
import type { Node, View } from "../nodes/Node.ts"
import type { Nodes } from "../nodes/Nodes.ts"
import { NotOffered } from "../nodes/NotOffered.ts"
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

/** Where a node has no final view of it, what it believes must do. */
const asked = <A>(node: Node, method: string, body: object, answer: Schema.Codec<A, unknown>) =>
  Effect.catchIf(
    node.ask(method, body, answer),
    (fault) => fault instanceof NotOffered,
    () => node.ask(method, body, answer, "wallet")
  )

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
      block >= since ? asked(node, method, body, answer) : Effect.fail(behind(node, since))
    )
  )

/** The newest final block that any node tells of; nodes that are slow to answer are not waited for. */
const highest = Effect.fnUntraced(function* (nodes: Nodes) {
  // The first node that answers decides which network it is, not the quickest.
  yield* nodes.network
  const heads = yield* nodes.all("walletsolidity", headOf, "2 seconds")
  const [head] = heads.toSorted((one, other) => other.block - one.block)
  return head ?? (yield* nodes.using("walletsolidity", headOf))
})

/**
 * The newest final block; asked for once while it is fresh, and never lower than it was. A node that is below it is passed over, and all
 * are compared from time to time: the first one may stand still, or come after another.
 */
export const finalHeads = (nodes: Nodes, { compare, fresh }: Pace): Effect.Effect<FinalHead, ChainUnavailable> => {
  const oneAtATime = Semaphore.makeUnsafe(1)
  let newest: FinalHead | undefined
  let askedAt = -Infinity
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
      // Where none has come so far, what was final stays so.
      .pipe(Effect.catch(() => nodes.using("walletsolidity", headOf)))

  const ask = Effect.fnUntraced(function* (now: number) {
    const known = now - comparedAt < compare ? newest : undefined
    const found = yield* known === undefined ? highest(nodes) : next(known)
    if (known === undefined) comparedAt = now
    if (newest === undefined || found.block > newest.block) newest = found
    askedAt = now
    return newest
  })

  return oneAtATime.withPermit(
    Effect.flatMap(Clock.currentTimeMillis, (now) =>
      newest !== undefined && now - askedAt < fresh ? Effect.succeed(newest) : ask(now)
    )
  )
}
