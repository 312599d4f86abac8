import type { Effect, Schema } from "effect"
import { ChainUnavailable } from "@agent-marketplace/core/chain/Chain"

/** A node's two HTTP APIs: `wallet` reads the newest state, `walletsolidity` only the final one. */
export type NodeApi = "wallet" | "walletsolidity"

/** A node of the TRON network. A response that does not match its schema is a failure of the node, whatever its status. */
export interface Node {
  readonly name: string
  /** Calls a method. The node's default API is used if none is given. */
  readonly ask: <A>(
    method: string,
    body: object,
    answer: Schema.Codec<A, unknown>,
    api?: NodeApi
  ) => Effect.Effect<A, ChainUnavailable>
  /**
   * The same, with the response as it was sent. If these are exactly the bytes that `known` returns when they arrive, they are not decoded and
   * `value` is undefined.
   */
  readonly askUnless: <A>(
    known: () => Uint8Array | undefined,
    method: string,
    body: object,
    answer: Schema.Codec<A, unknown>
  ) => Effect.Effect<Sent<A>, ChainUnavailable>
}

/** An answer, and the bytes that contain it. */
export interface Sent<A> {
  readonly bytes: Uint8Array
  readonly value: A | undefined
}

/** The node does not offer the method: it was built without it, or the method is disabled. */
export class NotOffered extends ChainUnavailable {}
