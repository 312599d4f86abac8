import type { ChainUnavailable } from "@agent-marketplace/core/chain/Chain"
import type { Effect, Schema } from "effect"

/** Which of a node's two APIs is called: the newest blocks, or only final ones. */
export type View = "wallet" | "walletsolidity"

/** A node of the TRON network. A response that its schema refuses is a fault of the node, whatever the status. */
export interface Node {
  readonly name: string
  /** Calls a method of the node's usual view where none is given. */
  readonly ask: <A>(
    method: string,
    body: object,
    answer: Schema.Codec<A, unknown>,
    view?: View
  ) => Effect.Effect<A, ChainUnavailable>
}
