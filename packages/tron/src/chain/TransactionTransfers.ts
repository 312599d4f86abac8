import type { Chain } from "@agent-marketplace/core/chain/Chain"
import { ChainUnavailable } from "@agent-marketplace/core/chain/Chain"
import { Effect } from "effect"
import type { TransactionInfo } from "../nodes/TransactionInfo.ts"
import { FoundInfo } from "../nodes/TransactionInfo.ts"
import { transfersOf } from "./TransferLog.ts"
import type { TronConnection } from "./TronConnection.ts"

/** The part of a receipt that decides about money, as text. */
export const contentOf = ({ blockNumber, log, receipt, result }: TransactionInfo): string =>
  JSON.stringify([blockNumber, receipt?.result ?? "SUCCESS", result ?? "", log ?? []])

/** The content that more than half of the answers share; undefined if no node knows the transaction. Fails if there is no such majority. */
export const majorityOf = Effect.fnUntraced(function* <A>(
  txid: string,
  answers: ReadonlyArray<A | undefined>,
  textOf: (answer: A) => string
) {
  const votes = new Map<string, { readonly answer: A; readonly count: number }>()
  for (const answer of answers) {
    if (answer === undefined) continue
    const content = textOf(answer)
    votes.set(content, { answer, count: (votes.get(content)?.count ?? 0) + 1 })
  }
  const agreed = [...votes.values()].find(({ count }) => count * 2 > answers.length)
  if (agreed !== undefined || votes.size === 0) return agreed?.answer
  return yield* new ChainUnavailable({ reason: `the nodes disagree about ${txid}` })
})

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
    const answers = statements.map(({ value }) => (value.id === undefined ? undefined : value))
    const agreed = yield* majorityOf(txid, answers, contentOf)
    return agreed !== undefined && agreed.blockNumber <= block ? transfersOf([agreed], contract) : []
  })
