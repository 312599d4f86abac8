import type { Timestamp } from "../clock/Timestamp.ts"
import type { AccountId } from "../ids/Ids.ts"
import type { Usdt } from "../money/Usdt.ts"

/** A transfer to a wallet's address, identified by `(network, txid, logIndex)`. Each one is credited only once. */
export interface Deposit {
  readonly network: string
  readonly txid: string
  readonly logIndex: number
  readonly accountId: AccountId
  readonly address: string
  readonly amount: Usdt
  readonly block: number
  readonly at: Timestamp
}

/** A deposit as it was found on the chain. */
export interface ObservedDeposit extends Deposit {
  readonly sender: string
}
