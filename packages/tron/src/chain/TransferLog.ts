import type { Transfer } from "@agent-marketplace/core/chain/Chain"
import { Usdt } from "@agent-marketplace/core/money/Usdt"
import { addressOf, hexOf } from "../nodes/Base58Check.ts"
import type { Log, TransactionInfo } from "../nodes/TransactionInfo.ts"
import { succeeded } from "../nodes/TransactionInfo.ts"

/** keccak256 of `Transfer(address,address,uint256)`. */
const transferTopic = "ddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef"

const word = 64

/** A larger amount cannot be USDT: it exceeds the total supply. */
const maxAmount = 10n ** 17n

/** A transfer log of the token: sender and receiver as 20 bytes in hexadecimal, and the amount. */
export interface Moved {
  readonly from: string
  readonly to: string
  readonly amount: bigint
}

export const plain = (hex: string): string => (hex.startsWith("0x") ? hex.slice(2) : hex).toLowerCase()

const isOf = (address: string, contract: string): boolean =>
  (address.startsWith("T") ? hexOf(address) : address).slice(-40).toLowerCase() === contract

export const isTransferTopic = (topic: string): boolean => plain(topic) === transferTopic

/** The amount of a transfer event; undefined if the data is anything but one word. */
export const amountWord = (data: string): bigint | undefined => {
  const amount = plain(data)
  return amount.length === word ? BigInt(`0x${amount}`) : undefined
}

/** The transfer in a log of this contract (20 bytes, lower case). Logs of other contracts are ignored, whatever their events are named. */
const movedBy = ({ address, data, topics }: Log, contract: string): Moved | undefined => {
  if (topics?.length !== 3 || data === undefined) return undefined
  const [event = "", from = "", to = ""] = topics
  if (!isTransferTopic(event) || !isOf(address, contract)) return undefined
  const amount = amountWord(data)
  return amount === undefined ? undefined : { from: plain(from).slice(-40), to: plain(to).slice(-40), amount }
}

/** The transfers of one block's transactions, in order. Failed transactions and zero amounts are excluded (CHAIN-14). */
export const transfersOf = (infos: ReadonlyArray<TransactionInfo>, contract: string): ReadonlyArray<Transfer> => {
  const transfers: Array<Transfer> = []
  for (const info of infos) {
    if (info.log === undefined || !succeeded(info)) continue
    info.log.forEach((log, logIndex) => {
      const moved = movedBy(log, contract)
      if (moved === undefined || moved.amount === 0n || moved.amount > maxAmount) return
      transfers.push({
        txid: info.id,
        logIndex,
        from: addressOf(moved.from),
        to: addressOf(moved.to),
        amount: Usdt.of(moved.amount),
        block: info.blockNumber,
        at: info.blockTimeStamp
      })
    })
  }
  return transfers
}
