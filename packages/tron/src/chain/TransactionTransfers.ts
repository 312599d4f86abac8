import type { Chain } from "@agent-marketplace/core/chain/Chain"
import { ChainUnavailable } from "@agent-marketplace/core/chain/Chain"
import { Effect } from "effect"
import type { TransactionInfo } from "../nodes/TransactionInfo.ts"
import { FoundInfo } from "../nodes/TransactionInfo.ts"
import { transfersOf } from "./TransferLog.ts"
import type { TronConnection } from "./TronConnection.ts"

/** The part of a receipt that decides about money, as text. */
const contentOf = ({ blockNumber, log, receipt, result }: TransactionInfo): string =>
  JSON.stringify([blockNumber, receipt?.result ?? "SUCCESS", result ?? "", log ?? []])

/**
 * The token's transfers in one final transaction, from the receipts that nodes keep by id. Used where a block's list is incomplete, so no node is
 * believed alone: more than half of the voting nodes that answer must return the same receipt.
 */
export const transfersIn = ({
  contract,
  finalHead,
  votes: voting
}: Pick<TronConnection, "finalHead" | "votes"> & { readonly contract: string }): Chain["Service"]["transfersIn"] =>
  Effect.fnUntraced(function* (txid) {
    const { block } = yield* finalHead
    const statements = yield* voting.ask(`transaction ${txid}`, (node) =>
      node.ask("gettransactioninfobyid", { value: txid }, FoundInfo(txid))
    )
    const answers = statements.map(({ value }) => value)
    const votes = new Map<string, { readonly info: TransactionInfo; readonly count: number }>()
    for (const info of answers) {
      if (info.id === undefined) continue
      const content = contentOf(info)
      votes.set(content, { info, count: (votes.get(content)?.count ?? 0) + 1 })
    }
    const agreed = [...votes.values()].find(({ count }) => count * 2 > answers.length)
    if (agreed !== undefined) return agreed.info.blockNumber <= block ? transfersOf([agreed.info], contract) : []
    if (votes.size === 0) return []
    return yield* new ChainUnavailable({ reason: `the nodes disagree about ${txid}` })
  })
