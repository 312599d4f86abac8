import type { ChainUnavailable } from "@agent-marketplace/core/chain/Chain"
import type { StoreUnavailable } from "@agent-marketplace/core/errors/MarketError"
import type { ForeignAssetStore } from "@agent-marketplace/core/wallets/ForeignAssetStore"
import type { SweepStore } from "@agent-marketplace/core/wallets/SweepStore"
import type { TreasuryStore } from "@agent-marketplace/core/wallets/TreasuryStore"
import type { WalletStore } from "@agent-marketplace/core/wallets/WalletStore"
import { PostgresStores } from "@agent-marketplace/postgres/PostgresStores"
import { readConfiguration } from "@agent-marketplace/settings/Configuration"
import type { TronConfiguration } from "@agent-marketplace/settings/TronConfiguration"
import type { ForeignDestination } from "@agent-marketplace/tron/treasury/ownTreasury"
import type { TronConnection } from "@agent-marketplace/tron/chain/TronConnection"
import { connect } from "@agent-marketplace/tron/chain/TronConnection"
import type { AccountSigner } from "@agent-marketplace/tron/signing/AccountSigner"
import { configuredAccount } from "@agent-marketplace/tron/signing/configuredSigners"
import * as NodeCrypto from "@effect/platform-node/NodeCrypto"
import type { Redacted } from "effect"
import { Effect, Layer, References, Result } from "effect"
import { CommandFailure, exitCodes, usageFailure } from "../errors/CommandFailure.ts"
import { CliContext } from "../terminal/CliContext.ts"

/** A market's money on TRON, as configured by the environment of its server and workers. */
export interface Treasury {
  readonly connection: TronConnection
  readonly depositXpub: string
  readonly hotWallet: string
  /** Its signers, if the environment names them. */
  readonly hotSigner: AccountSigner | undefined
  readonly databaseUrl: Redacted.Redacted
}

const hotWalletOf = (configuration: TronConfiguration) => {
  const { hotWallet } = configuration
  const hotSigner = configuredAccount(configuration)
  const address = hotWallet ?? hotSigner?.address
  if (address === undefined) return Result.fail("TRON_HOT_WALLET_ADDRESS must be set")
  return hotSigner === undefined || hotSigner.address === address
    ? Result.succeed({ hotWallet: address, hotSigner })
    : Result.fail("TRON_HOT_WALLET_ADDRESS is not the address of TRON_HOT_WALLET_KEY")
}

/** Read from the environment only; every fault is reported together. */
export const treasury = Effect.gen(function* () {
  const { env } = yield* CliContext
  const configuration = readConfiguration(env, "operator")
  if (Result.isFailure(configuration)) return yield* usageFailure(configuration.failure.faults.join("; "))
  const { databaseUrl, tron } = configuration.success
  if (tron?.depositXpub === undefined || databaseUrl === undefined)
    return yield* usageFailure("CHAIN must be tron", "Run it with the environment of the market's server or worker.")
  const hot = hotWalletOf(tron)
  if (Result.isFailure(hot)) return yield* usageFailure(hot.failure)
  const { depositXpub } = tron
  return { connection: connect(tron), depositXpub, databaseUrl, ...hot.success } satisfies Treasury
})

const unreachable = (code: string, message: string) =>
  new CommandFailure({
    code,
    message,
    hint: "Nothing is lost: run it again to continue.",
    exitCode: exitCodes.unreachable
  })

/** Runs on the market's database without logging; an unavailable database is reported with what to do. */
export const onTreasury = <A, R>(
  { databaseUrl }: Treasury,
  effect: Effect.Effect<
    A,
    ChainUnavailable | ForeignDestination | StoreUnavailable,
    R | ForeignAssetStore | SweepStore | TreasuryStore | WalletStore
  >
) =>
  effect.pipe(
    Effect.provide(PostgresStores.withoutChain({ url: databaseUrl }).pipe(Layer.provide(NodeCrypto.layer))),
    Effect.provideService(References.MinimumLogLevel, "None"),
    Effect.mapError((fault) => {
      if (fault._tag === "ForeignDestination")
        return new CommandFailure({ code: "OTHER_WALLET", message: fault.reason, exitCode: exitCodes.usage })
      return fault._tag === "ChainUnavailable"
        ? unreachable("CHAIN_UNAVAILABLE", `TRON: ${fault.reason}`)
        : unreachable("STORE_UNAVAILABLE", "the database does not answer")
    })
  )
