import type { ChainUnavailable, Transfer } from "@agent-marketplace/core/chain/Chain"
import { Effect } from "effect"
import { isEmpty, wholeBlockAt } from "../nodes/BlockAt.ts"
import type { Node } from "../nodes/Node.ts"
import type { TransactionInfo } from "../nodes/TransactionInfo.ts"
import { BlockInfos, succeeded } from "../nodes/TransactionInfo.ts"
import { missingBlock } from "./FinalHeads.ts"
import type { ForeignMove } from "./ForeignLog.ts"
import { foreignMoves } from "./ForeignLog.ts"
import { transfersOf } from "./TransferLog.ts"

/** The result of a transaction in its block. */
export type Outcome = { readonly succeeded: true } | { readonly succeeded: false; readonly reason: string }

/** What one node reports about a final block. */
export interface BlockReading {
  readonly block: number
  /** The block's time. */
  readonly at: number
  /** By transaction id. */
  readonly outcomes: ReadonlyMap<string, Outcome>
  /** Successful transfers of the token. */
  readonly transfers: ReadonlyArray<Transfer>
  /** Successful transfers that contracts of other tokens reported. */
  readonly foreign: ReadonlyArray<ForeignMove>
  /** The list of transactions in the bytes that the node sent: nodes with the same software send the same bytes. Undefined if it is not compared. */
  readonly sent: Uint8Array | undefined
}

const success: Outcome = { succeeded: true }

const outcomeOf = (info: TransactionInfo): Outcome => {
  if (succeeded(info)) return success
  const { receipt, resMessage } = info
  const parts = [receipt?.result ?? "FAILED", Buffer.from(resMessage ?? "", "hex").toString("utf8")]
  return { succeeded: false, reason: parts.filter((part) => part !== "").join(": ") }
}

/** Returns the reading of the block by another node; undefined if no node has reported it yet. */
type Known = (() => BlockReading | undefined) | "not compared"

/** How often the infos are requested again if the node's headers do not show reliably whether a block is empty. */
const emptyRetries = 4

/** An empty list is never known, because the block's time is not in it. */
const nonEmpty = (known: BlockReading | undefined) => (known?.outcomes.size === 0 ? undefined : known)

/**
 * The results of all transactions of a final block, or what is known if the node sends exactly the same. A node that has not reached the block answers with an empty list, as it does for an
 * empty block. An empty list is therefore accepted only if the block itself has no transactions.
 */
const infosAt = Effect.fnUntraced(function* (node: Node, block: number, known: Known) {
  const [method, body, list] = ["gettransactioninfobyblocknum", { num: block }, BlockInfos(block)] as const
  const ask = node.ask(method, body, list)
  let same: BlockReading | undefined
  const answer =
    block === 0
      ? { bytes: undefined, value: [] }
      : known === "not compared"
        ? { bytes: undefined, value: yield* ask }
        : yield* node.askUnless(() => (same = nonEmpty(known()))?.sent, method, body, list)
  if (answer.value === undefined) return same ?? (yield* missingBlock(node, block))
  const infos = answer.value
  const [first] = infos
  if (first !== undefined) return { at: first.blockTimeStamp, infos, sent: answer.bytes }
  const found = yield* wholeBlockAt(node, block)
  if (found === undefined) return yield* missingBlock(node, block)
  const empty = block === 0 || isEmpty(found)
  const again = empty === undefined ? emptyRetries : 0
  for (let i = 0; i < again; i++) if ((yield* ask).length > 0) return yield* missingBlock(node, block)
  if (empty === false) return yield* missingBlock(node, block)
  return { at: found.header.block_header.raw_data.timestamp ?? 0, infos, sent: answer.bytes }
})

/**
 * Reads a final block from one node. `contract`: the token's, 20 bytes in lower-case hexadecimal. The result is the `known` reading of another node if this
 * node sends exactly the same list.
 */
export const readBlock = (
  node: Node,
  block: number,
  contract: string,
  known: Known
): Effect.Effect<BlockReading, ChainUnavailable> =>
  Effect.map(infosAt(node, block, known), (found) =>
    "outcomes" in found
      ? found
      : {
          block,
          at: found.at,
          outcomes: new Map(found.infos.map((info) => [info.id, outcomeOf(info)])),
          transfers: transfersOf(found.infos, contract),
          foreign: foreignMoves(found.infos, contract),
          sent: found.sent
        }
  )

const foreignLineOf = ({ amount, contract, from, logIndex, to, txid }: ForeignMove) =>
  `${txid} ${logIndex} ${contract} ${from} ${to} ${amount}`

const lineOf = ({ amount, from, logIndex, to, txid }: Transfer) => `${txid} ${logIndex} ${from} ${to} ${amount}`

/**
 * Everything in a reading on which money depends: the block's time, each transaction with whether it succeeded, and each transfer, also of other tokens. Nodes may list
 * transactions in different orders and word failures differently.
 */
export const contentOf = ({ at, foreign, outcomes, transfers }: BlockReading): string => {
  const results = [...outcomes].map(([txid, outcome]) => `${txid} ${outcome.succeeded ? "succeeded" : "failed"}`)
  const moves = [...transfers.map(lineOf), ...foreign.map(foreignLineOf)]
  return [String(at), ...results.sort(), ...moves.sort()].join("\n")
}

/** The first difference between a reading and another one, in words. */
export const summaryOf = (reading: BlockReading): string => {
  const { at, outcomes, transfers } = reading
  return `${outcomes.size} transactions with ${transfers.length} transfers at ${at}`
}
