import { idGenerator } from "@agent-marketplace/core/ids/Ids"
import { findAssets } from "@agent-marketplace/tron/treasury/FindAssets"
import * as NodeCrypto from "@effect/platform-node/NodeCrypto"
import { Clock, Effect } from "effect"
import { Command, Flag } from "effect/cli"
import { usageFailure } from "../errors/CommandFailure.ts"
import { CliContext } from "../terminal/CliContext.ts"
import { notice, report } from "../terminal/report.ts"
import { table } from "../terminal/table.ts"
import { onTreasury, treasury } from "./Treasury.ts"

/** The blocks of a day. */
const dayOfBlocks = 28_800

const blocks = Flag.Int("blocks").pipe(
  Flag.withDescription("How many final blocks are read, from the newest one back; a day has 28,800"),
  Flag.withDefault(dayOfBlocks)
)

/** Looks for TRX and TRC-10 tokens at the deposit addresses and records what the newest blocks sent there (CHAIN-33). */
export const findAssetsCommand = Command.make("find", { blocks }, ({ blocks }) =>
  Effect.gen(function* () {
    if (blocks < 1) return yield* usageFailure("--blocks must be at least 1")
    const context = yield* CliContext
    const market = yield* treasury
    const ids = yield* idGenerator
    const action = {
      id: yield* ids.make("action"),
      at: yield* Clock.currentTimeMillis,
      actor: context.env["MARKETPLACE_OPERATOR"] ?? "operator",
      action: "foreign_asset.find",
      subject: "foreign_assets",
      reason: null,
      requestId: "command line"
    }
    const found = yield* onTreasury(
      market,
      findAssets(market.connection, {
        hotWallet: market.hotWallet,
        blocks,
        action,
        report: (count, addresses) =>
          Effect.provideService(
            notice(`${addresses} addresses hold TRX or TRC-10 tokens. Reading ${count} blocks.`),
            CliContext,
            context
          )
      })
    )
    const data = {
      addresses: found.addresses,
      blocks: found.blocks,
      assets: found.assets.map(({ accountId, address, amount, asset, id, kind, sender, state, txid }) => ({
        id,
        kind,
        asset,
        amount: String(amount),
        accountId,
        address,
        sender,
        txHash: txid,
        state
      }))
    }
    yield* report(data, (page) =>
      data.assets.length === 0
        ? `${data.addresses} addresses hold TRX or TRC-10 tokens; ${data.blocks} blocks do not explain them.`
        : table(page, data.assets, [
            { title: "ID", value: ({ id }) => id },
            { title: "Asset", value: ({ asset }) => asset },
            { title: "Smallest units", value: ({ amount }) => amount, right: true },
            { title: "To", value: ({ address }) => address },
            { title: "From", value: ({ sender }) => sender, yields: true },
            { title: "State", value: ({ state }) => state }
          ])
    )
  }).pipe(Effect.provide(NodeCrypto.layer))
).pipe(
  Command.withDescription(
    "Look for TRX and TRC-10 tokens at the deposit addresses, and record what recent blocks sent there"
  )
)
