import type { ActionDraft } from "@agent-marketplace/core/admin/OperatorAction"
import { ChainUnavailable } from "@agent-marketplace/core/chain/Chain"
import { idGenerator } from "@agent-marketplace/core/ids/Ids"
import type { ForeignAsset } from "@agent-marketplace/core/wallets/ForeignAsset"
import { foreignAssetLimits, ForeignAssetStore } from "@agent-marketplace/core/wallets/ForeignAssetStore"
import { receivedAmong } from "@agent-marketplace/core/wallets/foreignRecorder"
import { WalletStore } from "@agent-marketplace/core/wallets/WalletStore"
import { Effect, Schema, Stream } from "effect"
import { blocksAtOnce } from "../chain/Blocks.ts"
import { askFinal, missingBlock } from "../chain/FinalHeads.ts"
import { foreignInTransaction, sentBy } from "../chain/ForeignTransaction.ts"
import type { TronConnection } from "../chain/TronConnection.ts"
import { hexOf } from "../nodes/Base58Check.ts"
import { wholeBlockAt } from "../nodes/BlockAt.ts"
import { Account, FoundTransaction } from "../nodes/NodeAnswers.ts"
import { ownChain } from "./ownChain.ts"
import { surveyConcurrency } from "./SweepSurvey.ts"

export interface FindTerms {
  readonly hotWallet: string
  /** How many final blocks are read, from the newest one back. */
  readonly blocks: number
  /** The entry in the operator's log. */
  readonly action: ActionDraft
  /** Reported before blocks are read: their number, and the number of addresses that hold TRX or TRC-10 tokens. */
  readonly report: (blocks: number, addresses: number) => Effect.Effect<void>
}

/** The blocks and addresses that `find` has read, and the records of the transactions that it found. */
export interface FoundAssets {
  /** Deposit addresses that hold TRX or TRC-10 tokens. */
  readonly addresses: number
  readonly blocks: number
  readonly assets: ReadonlyArray<ForeignAsset>
}

const Identified = Schema.Struct({ ...FoundTransaction.fields, txID: Schema.String })

/** The addresses that hold TRX or a TRC-10 token. One request for each address. */
const holders = Effect.fnUntraced(function* ({ nodes }: TronConnection, addresses: ReadonlyArray<string>) {
  const found = yield* Effect.forEach(
    addresses,
    (address) =>
      Effect.map(
        nodes.using("walletsolidity", (node) => askFinal(node, "getaccount", { address: hexOf(address) }, Account)),
        ({ assetV2 = [], balance = 0 }) => (balance > 0 || assetV2.some(({ value }) => value > 0) ? [address] : [])
      ),
    { concurrency: surveyConcurrency }
  )
  return new Set(found.flat())
})

/** Less TRX cannot pay the fee of their own return, so smaller transfers are skipped. */
const leastSun = 400_000n

/** How many transactions are taken for each address: TRC-10 tokens are often sent as advertisements. */
const mostForAddress = foreignAssetLimits.perAddress

interface Candidate {
  readonly txid: string
  readonly to: string
  readonly isCoin: boolean
}

/** The newest ones of each address, TRX first. */
const chosen = (candidates: ReadonlyArray<Candidate>): ReadonlyArray<string> => {
  const taken = new Map<string, number>()
  return [...candidates.filter(({ isCoin }) => isCoin), ...candidates.filter(({ isCoin }) => !isCoin)].flatMap(
    ({ to, txid }) => {
      const count = taken.get(to) ?? 0
      taken.set(to, count + 1)
      return count < mostForAddress ? [txid] : []
    }
  )
}

/** The transactions of one block that send TRX or TRC-10 tokens to these addresses, as one node reports it. */
const transactionsTo = (connection: TronConnection, addresses: ReadonlySet<string>, block: number) =>
  connection.nodes.using("walletsolidity", (node) =>
    Effect.gen(function* () {
      const found = yield* wholeBlockAt(node, block)
      if (found === undefined) return yield* missingBlock(node, block)
      if (!found.whole)
        return yield* new ChainUnavailable({ reason: `${node.name} does not return blocks with their transactions` })
      return (found.header.transactions ?? []).flatMap((each): ReadonlyArray<Candidate> => {
        if (!Schema.is(Identified)(each)) return []
        const sent = sentBy(each)
        if (sent === undefined || !addresses.has(sent.to)) return []
        const isCoin = sent.kind === "trx"
        return isCoin && sent.amount < leastSun ? [] : [{ txid: each.txID, to: sent.to, isCoin }]
      })
    })
  )

/**
 * Looks for TRX and TRC-10 tokens at the deposit addresses and, if there are any, for their transactions in the newest final blocks: one request for each
 * address and one for each block, to one node. A transaction that it finds is recorded only as more than half of the nodes report it (CHAIN-33).
 */
export const findAssets = Effect.fnUntraced(function* (connection: TronConnection, terms: FindTerms) {
  const { block, network } = yield* ownChain(connection)
  const issued = yield* Stream.runCollect((yield* WalletStore).issuedAddresses(network))
  const addresses = yield* holders(
    connection,
    issued.map(({ address }) => address)
  )
  if (addresses.size === 0) return { addresses: 0, blocks: 0, assets: [] } satisfies FoundAssets
  const blocks = Math.min(terms.blocks, block)
  yield* terms.report(blocks, addresses.size)
  const candidates = yield* Effect.forEach(
    Array.from({ length: blocks }, (_, i) => block - i),
    (number) => transactionsTo(connection, addresses, number),
    { concurrency: blocksAtOnce }
  )
  const contract = hexOf(connection.contract).slice(2)
  const transfers = yield* Effect.forEach(chosen(candidates.flat()), foreignInTransaction({ ...connection, contract }))
  const ids = yield* idGenerator
  const own = new Set([terms.hotWallet, connection.contract])
  const received = yield* receivedAmong(transfers.flat(), own, ids.make("foreignAsset"))
  const { list, record } = yield* ForeignAssetStore
  yield* record(network, received, terms.action)
  const recorded = yield* Effect.forEach(new Set(received.map(({ txid }) => txid)), (txid) =>
    list({ txid }, { page: 1, limit: 100 })
  )
  return { addresses: addresses.size, blocks, assets: recorded.flatMap(({ items }) => items) } satisfies FoundAssets
})
