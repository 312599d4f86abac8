import type { ActivityStore } from "@agent-marketplace/core/activity/ActivityStore"
import type { ApprovalStore } from "@agent-marketplace/core/approvals/ApprovalStore"
import type { Chain } from "@agent-marketplace/core/chain/Chain"
import type { SimulatedChain } from "@agent-marketplace/core/chain/SimulatedChain"
import type { MarketClock } from "@agent-marketplace/core/clock/MarketClock"
import type { StoreUnavailable } from "@agent-marketplace/core/errors/MarketError"
import type { EventLog } from "@agent-marketplace/core/events/EventLog"
import type { IdentityStore } from "@agent-marketplace/core/identity/IdentityStore"
import type { LeaseStore } from "@agent-marketplace/core/jobs/LeaseStore"
import type { ListingStore } from "@agent-marketplace/core/listings/ListingStore"
import type { PurchaseStore } from "@agent-marketplace/core/purchases/PurchaseStore"
import type { SettlementStore } from "@agent-marketplace/core/settlement/SettlementStore"
import type { SoulStore } from "@agent-marketplace/core/souls/SoulStore"
import type { SweepStore } from "@agent-marketplace/core/wallets/SweepStore"
import type { WalletStore } from "@agent-marketplace/core/wallets/WalletStore"
import type { WebhookStore } from "@agent-marketplace/core/webhooks/WebhookStore"
import type { Layer } from "effect"
import type { Digest, SecureRandom } from "effect/crypto"

/** Every port that a storage adapter gives. */
export type StoragePorts =
  | ActivityStore
  | ApprovalStore
  | EventLog
  | IdentityStore
  | LeaseStore
  | ListingStore
  | MarketClock
  | PurchaseStore
  | SettlementStore
  | SoulStore
  | SweepStore
  | WalletStore
  | WebhookStore

type Needs = Digest.Digest | SecureRandom.SecureRandom

/** Where a market keeps what it knows: `memoryStorage()`, `postgresStorage({ url })`, or an adapter of your own. */
export interface MarketStorage {
  /** Whether what it holds outlives the process. */
  readonly lasts: boolean
  /** The ports alone, for a market on another chain. */
  readonly ports: Layer.Layer<StoragePorts, StoreUnavailable, Needs>
  /** The ports and a simulated chain beside them. */
  readonly portsAndChain: Layer.Layer<StoragePorts | Chain | SimulatedChain, StoreUnavailable, Needs>
}
