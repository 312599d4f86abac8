import type { Chain } from "@agent-marketplace/core/chain/Chain"
import { MarketConfig } from "@agent-marketplace/core/config/MarketConfig"
import type { StoreUnavailable } from "@agent-marketplace/core/errors/MarketError"
import { Jobs } from "@agent-marketplace/core/jobs/Jobs"
import { Market } from "@agent-marketplace/core/Market"
import type { MarketStores } from "@agent-marketplace/core/MarketStores"
import { ExchangeRates } from "@agent-marketplace/core/money/ExchangeRates"
import { Screening } from "@agent-marketplace/core/screening/Screening"
import { MarketKeys } from "@agent-marketplace/core/signing/MarketKeys"
import type { SigningKeyRetired } from "@agent-marketplace/core/signing/MarketKeys"
import { SecretBox } from "@agent-marketplace/core/webhooks/SecretBox"
import type { WebhookTransport } from "@agent-marketplace/core/webhooks/WebhookTransport"
import { NodeClientDocuments } from "@agent-marketplace/delivery/NodeClientDocuments"
import { NodeDomainProofs } from "@agent-marketplace/delivery/NodeDomainProofs"
import { NodeMac } from "@agent-marketplace/delivery/NodeMac"
import type { NotifierOptions } from "@agent-marketplace/delivery/notifications/NodeNotifier"
import { NodeNotifier } from "@agent-marketplace/delivery/notifications/NodeNotifier"
import { NodeUrlGuard } from "@agent-marketplace/delivery/NodeUrlGuard"
import type { TargetAccess } from "@agent-marketplace/delivery/ReceiverAddressRules"
import { NodeWebhookTransport } from "@agent-marketplace/delivery/NodeWebhookTransport"
import { noNotifications, notifierOptions } from "@agent-marketplace/settings/NotificationsConfiguration"
import type { SigningSeed } from "@agent-marketplace/settings/SigningSeed"
import { ProcessMetrics, SettlementMetrics } from "@agent-marketplace/telemetry/ProcessMetrics"
import { Readiness } from "@agent-marketplace/telemetry/Readiness"
import { ProcessImageRenderer } from "./images/ProcessImageRenderer.ts"
import { ThreadArchiveReader } from "./trust/ThreadArchiveReader.ts"
import { ThreadScanner } from "./trust/ThreadScanner.ts"
import * as NodeCrypto from "@effect/platform-node/NodeCrypto"
import { Layer } from "effect"
import type { Redacted } from "effect"
import type { Aead, Digest, Mac, SecureRandom, Signature } from "effect/crypto"

type Crypto = Aead.Aead | Digest.Digest | Mac.Mac | SecureRandom.SecureRandom | Signature.Signature

const nodeCrypto: Layer.Layer<Crypto> = Layer.merge(NodeCrypto.layer, NodeMac.layer)

/** The dependencies and settings of a market. */
export interface MarketParts<E, Extra = never> {
  readonly config: MarketConfig["Service"]
  /** The ports, including the chain; `Extra` are further services of the layer. */
  readonly stores: Layer.Layer<MarketStores | Chain | Extra, E, Crypto>
  /** The keys for the secrets of webhooks: the first one encrypts, each of them decrypts. */
  readonly secretKeys: readonly [Redacted.Redacted, ...ReadonlyArray<Redacted.Redacted>]
  /** The seed of the key that signs releases, advisories and license proofs. */
  readonly signingKey: SigningSeed
  /** Where webhooks may go. */
  readonly receivers: TargetAccess
  /** What sends e-mail and push messages. By default no e-mail, and push messages with a key derived from the signing key. */
  readonly notifier?: NotifierOptions
  /** Screens deposits and withdrawals. By default nothing is flagged. */
  readonly screening?: Layer.Layer<Screening>
  /** Sends webhooks. By default over the network, to the addresses that `receivers` allows. */
  readonly transport?: Layer.Layer<WebhookTransport>
  /** The rates of prices in USDT; by default 1 USD = 1 USDC = 1 USDT. */
  readonly rates?: Layer.Layer<ExchangeRates>
  /** By default Node's own. */
  readonly crypto?: Layer.Layer<Crypto>
}

const assemble = <E>({
  config,
  crypto = nodeCrypto,
  rates = ExchangeRates.layer,
  receivers: access,
  screening = Screening.none,
  secretKeys,
  signingKey,
  notifier = notifierOptions(noNotifications, signingKey, config.baseUrl),
  stores,
  transport = NodeWebhookTransport.layer({ access })
}: MarketParts<E>) => {
  return Layer.merge(Jobs.layer, Readiness.layer).pipe(
    Layer.provideMerge(Market.releases),
    Layer.provideMerge(Market.layer),
    Layer.provide([ProcessImageRenderer.layer, ThreadArchiveReader.layer, ThreadScanner.layer]),
    Layer.provideMerge(MarketKeys.layer(signingKey)),
    Layer.provideMerge(SettlementMetrics.layer.pipe(Layer.provideMerge(stores))),
    Layer.provide([Layer.succeed(MarketConfig, config), rates, screening, SecretBox.layer(secretKeys)]),
    Layer.provide([
      NodeUrlGuard.layer({ access }),
      NodeClientDocuments.layer({ access }),
      NodeDomainProofs.layer({ access }),
      NodeNotifier.layer(notifier).pipe(Layer.provideMerge(transport))
    ]),
    Layer.provideMerge(Layer.merge(crypto, ProcessMetrics.layer))
  )
}

type MarketLayer = ReturnType<typeof assemble>

/**
 * Combines all services of a market with its stores. The interfaces (HTTP, the promises of an embedded
 * market, the background jobs of a worker) are built on this layer.
 */
export const assembleMarket = <E, Extra = never>(
  parts: MarketParts<E, Extra>
): Layer.Layer<Layer.Success<MarketLayer> | Extra, E | StoreUnavailable | SigningKeyRetired> =>
  // The stores' other services pass through untouched, which the types of a generic layer cannot express.
  assemble(parts as MarketParts<E>) as Layer.Layer<
    Layer.Success<MarketLayer> | Extra,
    E | StoreUnavailable | SigningKeyRetired
  >
