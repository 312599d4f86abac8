import type { Transfer } from "@agent-marketplace/core/chain/Chain"
import { Usdt } from "@agent-marketplace/core/money/Usdt"
import { addressOf, hexOf } from "../nodes/Base58Check.ts"
import type { Log, TransactionInfo } from "../nodes/TransactionInfo.ts"
import { succeeded } from "../nodes/TransactionInfo.ts"

/** keccak256 of `Transfer(address,address,uint256)`. */
export const transferTopic = "ddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef"

const word = 64

/** Above this the amount is no USDT: there are not that many. */
const maxAmount = 10n ** 17n

/** What a log of the token says: 20 bytes of sender and receiver in hexadecimal, and the amount. */
export interface Moved {
  readonly from: string
  readonly to: string
  readonly amount: bigint
}

const plain = (hex: string): string => (hex.startsWith("0x") ? hex.slice(2) : hex).toLowerCase()

const isOf = (address: string, contract: string): boolean =>
  (address.startsWith("T") ? hexOf(address) : address).slice(-40).toLowerCase() === contract

/** The transfer that a log of this contract (20 bytes, lower case) tells of; another contract's tell nothing, whatever they are named. */
export const movedBy = ({ address, data, topics }: Log, contract: string): Moved | undefined => {
  if (topics?.length !== 3 || data === undefined) return undefined
  const [event = "", from = "", to = ""] = topics
  if (plain(event) !== transferTopic || !isOf(address, contract)) return undefined
  const amount = plain(data)
  if (amount.length !== word) return undefined
  return { from: plain(from).slice(-40), to: plain(to).slice(-40), amount: BigInt(`0x${amount}`) }
}

/** A function of its own, so that a transfer keeps alive nothing of the answer that it was read from. */
const transferOf = (moved: Moved, txid: string, logIndex: number, block: number, at: number): Transfer => ({
  txid,
  logIndex,
  // Written only where somebody asks: of most transfers nobody does.
  get from() {
    return addressOf(moved.from)
  },
  to: addressOf(moved.to),
  amount: Usdt.of(moved.amount),
  block,
  at
})

/** The transfers that transactions of one block made, in their order. Nothing that failed and no amount of zero is one (CHAIN-14). */
export const transfersOf = (infos: ReadonlyArray<TransactionInfo>, contract: string): ReadonlyArray<Transfer> => {
  const transfers: Array<Transfer> = []
  for (const info of infos) {
    if (info.log === undefined || !succeeded(info)) continue
    info.log.forEach((log, logIndex) => {
      const moved = movedBy(log, contract)
      if (moved === undefined || moved.amount === 0n || moved.amount > maxAmount) return
      transfers.push(transferOf(moved, info.id, logIndex, info.blockNumber, info.blockTimeStamp))
    })
  }
  return transfers
}
