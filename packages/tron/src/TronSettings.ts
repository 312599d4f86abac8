import type { Redacted } from "effect"

/** How the operator configures the connection to TRON (CONFIG-1). */
export interface TronSettings {
  /** Base URLs, tried in this order. */
  readonly fullNodes: ReadonlyArray<string>
  readonly solidityNodes: ReadonlyArray<string>
  /** Sent as `TRON-PRO-API-KEY` (CHAIN-21). */
  readonly apiKey: Redacted.Redacted | undefined
  /** The address of the token's contract. */
  readonly contract: string
  /** The account-level public key of m/44'/195'/0'. Without it no deposit address can be issued. */
  readonly depositXpub: string | undefined
  /** The address of the wallet that pays withdrawals, for a process that does not have its key. */
  readonly hotWallet: string | undefined
  /** The block at which the first scan starts if no scan position is stored. */
  readonly startBlock: number | undefined
  /** How many nodes must vote on what is final (CHAIN-10). Undefined: one of up to two nodes, a majority of three or more. */
  readonly quorum?: number | undefined
  readonly timings?: Partial<TronTimings> | undefined
}

/** In milliseconds. */
export interface TronTimings {
  /** The time limit of one request to a node. */
  readonly timeout: number
  /** The first pause of a node that limits the rate. Each further refusal doubles the pause... */
  readonly restMin: number
  /** ...up to this one. */
  readonly restMax: number
  /** How long what was read from the chain is reused before it is requested again. */
  readonly fresh: number
  /** After this time without a new final block a node that is behind another one loses its vote. */
  readonly still: number
  /** The time after its reference block within which a transaction can be included. */
  readonly lifetime: number
  /** The interval at which bytes that a node has are sent again, and withdrawals that could not be started are retried. */
  readonly resend: number
}

/** How many nodes must vote if `TRON_QUORUM` is not set (CHAIN-10). */
export const defaultQuorum = (nodes: number): number => (nodes <= 2 ? 1 : Math.floor(nodes / 2) + 1)

/** TRON makes a block every 3 seconds. A transaction can be valid for at most 24 hours. */
export const defaultTimings: TronTimings = {
  timeout: 10_000,
  restMin: 1_000,
  restMax: 30_000,
  fresh: 2_500,
  still: 60_000,
  lifetime: 600_000,
  resend: 20_000
}
