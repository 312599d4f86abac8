import type { Redacted } from "effect"

/** How an operator reaches TRON (CONFIG-1). */
export interface TronSettings {
  /** Base URLs, tried in this order. */
  readonly fullNodes: ReadonlyArray<string>
  readonly solidityNodes: ReadonlyArray<string>
  /** Sent as `TRON-PRO-API-KEY` (CHAIN-21). */
  readonly apiKey: Redacted.Redacted | undefined
  /** The token's contract. */
  readonly contract: string
  /** The account-level public key of m/44'/195'/0'; without it no address is given out. */
  readonly depositXpub: string | undefined
  /** The wallet that pays withdrawals, where this process has not its key. */
  readonly hotWallet: string | undefined
  /** The first block that is looked at where no position is known. */
  readonly startBlock: number | undefined
  readonly pace?: Partial<Pace> | undefined
}

/** In milliseconds. */
export interface Pace {
  /** How long an answer may take. */
  readonly timeout: number
  /** A node that asks for mercy rests this long, then twice as long, and so on... */
  readonly restMin: number
  /** ...but at most this long. */
  readonly restMax: number
  /** How long what was seen of the chain counts as fresh. */
  readonly fresh: number
  /** How often all nodes are asked how far they have come: one that is behind another is passed over. */
  readonly compare: number
  /** How long a transaction can be included after the final block it refers to. */
  readonly lifetime: number
  /** How soon bytes that a node has are sent again, and a withdrawal that could not be begun is tried again. */
  readonly resend: number
}

/** TRON makes a block in 3 seconds; a transaction may live for 24 hours at most. */
export const defaultPace: Pace = {
  timeout: 10_000,
  restMin: 1_000,
  restMax: 30_000,
  fresh: 2_500,
  compare: 60_000,
  lifetime: 600_000,
  resend: 20_000
}
