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
  /** How often the heads of all nodes are compared. A node that is behind another one is then skipped. */
  readonly compare: number
  /** The time after its reference block within which a transaction can be included. */
  readonly lifetime: number
  /** The interval at which bytes that a node has are sent again, and withdrawals that could not be started are retried. */
  readonly resend: number
}

/** TRON makes a block every 3 seconds. A transaction can be valid for at most 24 hours. */
export const defaultTimings: TronTimings = {
  timeout: 10_000,
  restMin: 1_000,
  restMax: 30_000,
  fresh: 2_500,
  compare: 60_000,
  lifetime: 600_000,
  resend: 20_000
}
