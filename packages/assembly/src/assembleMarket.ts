import type { Chain } from "@agent-marketplace/core/chain/Chain"
import { MarketConfig } from "@agent-marketplace/core/config/MarketConfig"
import { Jobs } from "@agent-marketplace/core/jobs/Jobs"
import { Market } from "@agent-marketplace/core/Market"
import type { MarketStores } from "@agent-marketplace/core/MarketStores"
import { ExchangeRates } from "@agent-marketplace/core/money/ExchangeRates"
import { SecretBox } from "@agent-marketplace/core/webhooks/SecretBox"
import type { WebhookTransport } from "@agent-marketplace/core/webhooks/WebhookTransport"
import { NodeMac } from "@agent-marketplace/delivery/NodeMac"
import { NodeUrlGuard } from "@agent-marketplace/delivery/NodeUrlGuard"
import type { TargetAccess } from "@agent-marketplace/delivery/TargetRules"
import { NodeWebhookTransport } from "@agent-marketplace/delivery/NodeWebhookTransport"
import { ProcessMetrics, SettlementMetrics } from "@agent-marketplace/telemetry/ProcessMetrics"
import { Readiness } from "@agent-marketplace/telemetry/Readiness"
import { NodeCrypto } from "@effect/platform-node"
import { Layer } from "effect"
import type { Redacted } from "effect"
import type { Aead, Digest, Mac, SecureRandom } from "effect/crypto"

type Crypto = Aead.Aead | Digest.Digest | Mac.Mac | SecureRandom.SecureRandom

const nodeCrypto: Layer.Layer<Crypto> = Layer.merge(NodeCrypto.layer, NodeMac.layer)

/** What differs between one market and another. */
export interface MarketParts<E, Extra = never> {
  readonly config: MarketConfig["Service"]
  /** The ports, and the chain that money moves on; `Extra` is what else the layer provides. */
  readonly stores: Layer.Layer<MarketStores | Chain | Extra, E, Crypto>
  /** Encrypt the secrets of webhooks: the first one seals, each of them opens. */
  readonly secretKeys: readonly [Redacted.Redacted, ...ReadonlyArray<Redacted.Redacted>]
  /** Where webhooks may go. */
  readonly receivers: TargetAccess
  /** Sends webhooks; where absent, over the network to where `receivers` allows. */
  readonly transport?: Layer.Layer<WebhookTransport>
  /** What prices are worth in USDT; where absent, 1 USD = 1 USDC = 1 USDT. */
  readonly rates?: Layer.Layer<ExchangeRates>
  /** Node's own where absent. */
  readonly crypto?: Layer.Layer<Crypto>
}

const assemble = <E>({
  config,
  crypto = nodeCrypto,
  rates = ExchangeRates.layer,
  receivers: access,
  secretKeys,
  stores,
  transport = NodeWebhookTransport.layer({ access })
}: MarketParts<E>) => {
  return Layer.merge(Jobs.layer, Readiness.layer).pipe(
    Layer.provideMerge(Market.layer),
    Layer.provideMerge(SettlementMetrics.layer.pipe(Layer.provideMerge(stores))),
    Layer.provide([Layer.succeed(MarketConfig, config), rates, SecretBox.layer(secretKeys)]),
    Layer.provide([NodeUrlGuard.layer({ access }), transport]),
    Layer.provideMerge(Layer.merge(crypto, ProcessMetrics.layer))
  )
}

type MarketLayer = ReturnType<typeof assemble>

/**
 * Every service of a market over its stores: the one place where its layers are put together. Faces (HTTP, the promises of an embedded
 * market, the background jobs of a worker) are built over this layer.
 */
export const assembleMarket = <E, Extra = never>(
  parts: MarketParts<E, Extra>
): Layer.Layer<Layer.Success<MarketLayer> | Extra, E> =>
  // The stores' other services pass through untouched, which the types of a generic layer cannot express.
  assemble(parts as MarketParts<E>) as Layer.Layer<Layer.Success<MarketLayer> | Extra, E>
