import type { ForeignTransfer } from "@agent-marketplace/core/wallets/ForeignAsset"
import { addressOf, hexOf } from "../nodes/Base58Check.ts"
import type { Log, TransactionInfo } from "../nodes/TransactionInfo.ts"
import { succeeded } from "../nodes/TransactionInfo.ts"
import { amountWord, isTransferTopic, plain } from "./TransferLog.ts"

/** A transfer that another token's contract reported. Addresses are 20 bytes in hexadecimal. They are encoded on demand, because most are never needed. */
export interface ForeignMove {
  readonly txid: string
  readonly logIndex: number
  readonly contract: string
  readonly from: string
  readonly to: string
  readonly amount: bigint
  readonly block: number
  readonly at: number
}

const contractOf = (address: string): string =>
  (address.startsWith("T") ? hexOf(address) : address).slice(-40).toLowerCase()

const moveOf = (
  { address, data, topics }: Log,
  { blockNumber, blockTimeStamp, id }: TransactionInfo,
  logIndex: number
) => {
  if (topics?.length !== 3 || data === undefined) return undefined
  const [event = "", from = "", to = ""] = topics
  const amount = amountWord(data)
  if (amount === undefined || amount === 0n || !isTransferTopic(event)) return undefined
  return {
    txid: id,
    logIndex,
    amount,
    block: blockNumber,
    at: blockTimeStamp,
    contract: contractOf(address),
    from: plain(from).slice(-40),
    to: plain(to).slice(-40)
  } satisfies ForeignMove
}

/** The transfers that contracts other than the market's token (20 bytes, lower case) reported in one block, in order (CHAIN-29). */
export const foreignMoves = (infos: ReadonlyArray<TransactionInfo>, token: string): ReadonlyArray<ForeignMove> => {
  const moves: Array<ForeignMove> = []
  for (const info of infos) {
    if (info.log === undefined || !succeeded(info)) continue
    info.log.forEach((log, logIndex) => {
      const move = moveOf(log, info, logIndex)
      if (move !== undefined && move.contract !== token) moves.push(move)
    })
  }
  return moves
}

export const foreignTransferOf = (move: ForeignMove): ForeignTransfer => ({
  txid: move.txid,
  logIndex: move.logIndex,
  kind: "trc20",
  amount: move.amount,
  block: move.block,
  at: move.at,
  asset: addressOf(move.contract),
  from: addressOf(move.from),
  to: addressOf(move.to)
})
