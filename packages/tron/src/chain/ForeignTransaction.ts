import type { ForeignAssetSource } from "@agent-marketplace/core/chain/Chain"
import type { ForeignTransfer } from "@agent-marketplace/core/wallets/ForeignAsset"
import { boundedSymbol } from "@agent-marketplace/core/wallets/ForeignAsset"
import { Effect, Schema } from "effect"
import { addressOf } from "../nodes/Base58Check.ts"
import { AssetIssue, FoundTransaction } from "../nodes/NodeAnswers.ts"
import type { TransactionInfo } from "../nodes/TransactionInfo.ts"
import { FoundInfo, succeeded } from "../nodes/TransactionInfo.ts"
import { foreignMoves, foreignTransferOf } from "./ForeignLog.ts"
import { tokenSymbol } from "./TokenCalls.ts"
import { contentOf, majorityOf } from "./TransactionTransfers.ts"
import type { TronConnection } from "./TronConnection.ts"

type Source = Pick<TronConnection, "finalHead" | "nodes" | "votes"> & { readonly contract: string }

const Coin = Schema.Struct({ owner_address: Schema.String, to_address: Schema.String, amount: Schema.Int })

const Trc10 = Schema.Struct({ ...Coin.fields, asset_name: Schema.String })

const address = (written: string): string => (written.startsWith("T") ? written : addressOf(written.slice(-40)))

/** The number of a TRC-10 token. Nodes write it in hexadecimal, unless they write addresses in base58. */
const tokenNumber = (written: string): string => {
  const text = Buffer.from(written, "hex").toString("latin1")
  return /^\d+$/.test(text) ? text : written
}

interface Sent extends Pick<ForeignTransfer, "kind" | "asset" | "from" | "to" | "amount"> {}

/** The transfer of a transaction that is not a call of a contract. */
export const sentBy = (found: typeof FoundTransaction.Type): Sent | undefined => {
  const contract = found.raw_data?.contract[0]
  const value: unknown = contract?.parameter.value
  if (contract?.type === "TransferContract" && Schema.is(Coin)(value))
    return {
      kind: "trx",
      asset: "TRX",
      from: address(value.owner_address),
      to: address(value.to_address),
      amount: BigInt(value.amount)
    }
  if (contract?.type === "TransferAssetContract" && Schema.is(Trc10)(value))
    return {
      kind: "trc10",
      asset: tokenNumber(value.asset_name),
      from: address(value.owner_address),
      to: address(value.to_address),
      amount: BigInt(value.amount)
    }
  return undefined
}

interface Whole {
  readonly info: TransactionInfo
  readonly sent: Sent | undefined
}

const textOf = ({ info, sent }: Whole): string =>
  contentOf(info) + (sent === undefined ? "" : ` ${sent.kind} ${sent.asset} ${sent.from} ${sent.to} ${sent.amount}`)

const transfersOf = ({ info, sent }: Whole, contract: string): ReadonlyArray<ForeignTransfer> => {
  const moves = foreignMoves([info], contract).map(foreignTransferOf)
  if (sent === undefined || sent.amount <= 0n || !succeeded(info)) return moves
  return [{ ...sent, txid: info.id, logIndex: 0, block: info.blockNumber, at: info.blockTimeStamp }, ...moves]
}

/**
 * Transfers of other assets in one final transaction. The lists of blocks contain the events of tokens but not transfers of TRX and TRC-10, so the
 * transaction itself is read. No single node is trusted: more than half of the voting nodes that answer must return the same.
 */
export const foreignInTransaction = ({ contract, finalHead, votes }: Source): ForeignAssetSource["inTransaction"] =>
  Effect.fnUntraced(function* (txid) {
    const { block } = yield* finalHead
    const answers = yield* votes.ask(`transaction ${txid}`, (node) =>
      Effect.gen(function* () {
        const info = yield* node.ask("gettransactioninfobyid", { value: txid }, FoundInfo(txid))
        if (info.id === undefined) return undefined
        const found = yield* node.ask("gettransactionbyid", { value: txid }, FoundTransaction)
        return { info, sent: sentBy(found) } satisfies Whole
      })
    )
    const agreed = yield* majorityOf(
      txid,
      answers.map(({ value }) => value),
      textOf
    )
    return agreed === undefined || agreed.info.blockNumber > block ? [] : transfersOf(agreed, contract)
  })

/** The name that a token gives itself. It decides nothing, so one node is enough, and a failure means that there is no name. */
export const foreignSymbol = ({ nodes }: Pick<Source, "nodes">): ForeignAssetSource["symbol"] => {
  const named = ({ asset, kind }: Parameters<ForeignAssetSource["symbol"]>[0]) => {
    if (kind === "trx") return Effect.succeed("TRX")
    if (kind === "trc20") return tokenSymbol(nodes, asset)
    return Effect.map(
      nodes.ask("wallet", "getassetissuebyid", { value: asset }, AssetIssue),
      ({ abbr = "", name = "" }) => Buffer.from(abbr === "" ? name : abbr, "hex").toString("utf8")
    )
  }
  return (asset) => Effect.match(named(asset), { onFailure: () => null, onSuccess: boundedSymbol })
}
