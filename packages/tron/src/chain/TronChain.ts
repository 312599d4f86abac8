import type { Transfer } from "@agent-marketplace/core/chain/Chain"
import { Chain, ChainUnavailable } from "@agent-marketplace/core/chain/Chain"
import { Signer } from "@agent-marketplace/core/chain/Signer"
import { TronAddress } from "@agent-marketplace/core/chain/TronAddress"
import { Effect, Layer, Option } from "effect"
import { Digest } from "effect/crypto"
import { hexOf } from "../nodes/Base58Check.ts"
import { accountSigner, CoSigner } from "../signing/AccountSigner.ts"
import type { SigningSettings } from "../signing/configuredSigners.ts"
import { configuredSigners } from "../signing/configuredSigners.ts"
import type { TronSettings } from "../TronSettings.ts"
import { addressFacts } from "./AddressFacts.ts"
import type { ReadTransfers } from "./Blocks.ts"
import { pendingTransfers, transfersInRange } from "./Blocks.ts"
import { depositAddresses } from "./DepositAddresses.ts"
import { hotWalletMeans, payingWallet } from "./HotWallet.ts"
import type { FinalHead } from "./FinalHeads.ts"
import type { ForeignMove } from "./ForeignLog.ts"
import { foreignTransferOf } from "./ForeignLog.ts"
import { foreignInTransaction, foreignSymbol } from "./ForeignTransaction.ts"
import { payoutCost } from "./payoutCost.ts"
import { payouts } from "./Payouts.ts"
import { balanceOf, walletResources } from "./Resources.ts"
import { transfersIn } from "./TransactionTransfers.ts"
import { connect } from "./TronConnection.ts"

/** The number of blocks in one scan step: large enough that a commit is cheap in comparison, small enough for memory. */
const span = 32

const unavailable = (reason: string) => new ChainUnavailable({ reason })

/** The newest final block, if it is not below `block`. */
const finalUpTo = (finalHead: Effect.Effect<FinalHead, ChainUnavailable>, block: number) =>
  Effect.flatMap(finalHead, (head) =>
    block <= head.block
      ? Effect.succeed(head.block)
      : Effect.fail(unavailable(`block ${block} is not final: the newest final block is ${head.block}`))
  )

/**
 * USDT on TRON. No node is contacted before the first call, so a market starts while nodes are unavailable. Withdrawals are paid if a
 * `Signer` is provided too.
 */
export const TronChain = {
  layer: (settings: TronSettings): Layer.Layer<Chain, never, Digest.Digest> =>
    Layer.effect(
      Chain,
      Effect.gen(function* () {
        const digest = yield* Digest.Digest
        const key = Option.getOrUndefined(yield* Effect.serviceOption(Signer))
        const coSigner = Option.getOrUndefined(yield* Effect.serviceOption(CoSigner))
        const signer = key === undefined ? undefined : accountSigner(key, coSigner)
        const signatures = signer?.keys ?? 1
        const connection = connect(settings)
        const { blocks, finalHead, network, nodes, timings, prices, votes } = connection
        if (votes.size === 1)
          yield* Effect.logWarning(
            "one TRON node alone decides what is final: configure two more, so that no single node can invent or hide a payment"
          )
        const contract = hexOf(settings.contract).slice(2)
        const scope = yield* Effect.scope
        const agreed = transfersInRange(
          (block) =>
            Effect.map(blocks.agreed(block), ({ foreign, transfers }) => ({ transfers, foreign, agreed: true })),
          scope
        )
        const preview = transfersInRange(
          (block) =>
            Effect.map(blocks.preview(block), ({ agreed, reading: { foreign, transfers } }) => ({
              transfers,
              foreign,
              agreed
            })),
          scope
        )
        const beside = new WeakMap<ReadonlyArray<Transfer>, ReadonlyArray<ForeignMove>>()
        const kept = (read: ReadTransfers): ReadTransfers => {
          if (read.foreign.length > 0) beside.set(read.transfers, read.foreign)
          return read
        }
        const wallet = signer?.address ?? settings.hotWallet
        return {
          network,
          name: "TRON",
          token: settings.contract,
          hotWallet: wallet ?? null,
          depositAddress: depositAddresses(settings.depositXpub),
          isAddress: (address) => Effect.provideService(TronAddress.isValid(address), Digest.Digest, digest),
          forbidden: new Set([settings.contract, ...(wallet === undefined ? [] : [wallet])]),
          start: settings.startBlock ?? null,
          span,
          finalHead: Effect.map(finalHead, ({ at, block, id }) => ({ at, block, id })),
          resumeAt: (block) => votes.resumeAt(block),
          follow: (parent, from, to) => Effect.map(votes.follow(parent, from, to), ({ id }) => id),
          transfers: (from, to) =>
            Effect.flatMap(finalUpTo(finalHead, to), (final) =>
              // With several nodes the scanner that catches up reads previews ahead, and this for single blocks.
              Effect.map(agreed(from, to, votes.size === 1 ? final : to), (read) => kept(read).transfers)
            ),
          preview:
            votes.size === 1
              ? null
              : (from, to) =>
                  Effect.flatMap(finalUpTo(finalHead, to), (final) => Effect.map(preview(from, to, final), kept)),
          conditions: votes.conditions,
          pendingTransfers: pendingTransfers(nodes, contract, timings),
          wallet:
            wallet === undefined
              ? Effect.succeed(null)
              : Effect.zipWith(hotWalletMeans(nodes, settings.contract, wallet), prices, (means, price) =>
                  payingWallet(means, price, signatures)
                ),
          ...addressFacts(connection, wallet),
          transfersIn: transfersIn({ ...connection, contract }),
          foreign: {
            beside: (transfers) => (beside.get(transfers) ?? []).map(foreignTransferOf),
            inTransaction: foreignInTransaction({ ...connection, contract }),
            symbol: foreignSymbol(connection)
          },
          payoutCost: payoutCost(connection, wallet, signatures),
          balanceOf: balanceOf(connection),
          resources: walletResources(connection, signatures),
          ...(yield* payouts({ ...connection, signer }))
        }
      })
    )
}

/** The configured TRON adapter. It pays withdrawals if a signer is configured too. */
export const configuredTronChain = (settings: TronSettings & SigningSettings) =>
  TronChain.layer(settings).pipe(Layer.provide(configuredSigners(settings)))
