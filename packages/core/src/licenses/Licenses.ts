import { Context, Effect, Layer, Option, Redacted } from "effect"
import { Digest, Mac } from "effect/crypto"
import { Hex } from "effect/encoding"
import { MarketClock } from "../clock/MarketClock.ts"
import { MarketConfig } from "../config/MarketConfig.ts"
import type { AgentNotClaimed, StoreUnavailable } from "../errors/MarketError.ts"
import { Conflict, NotFound } from "../errors/MarketError.ts"
import type { PurchaseId } from "../ids/Ids.ts"
import type { Caller } from "../identity/Caller.ts"
import { ownerOf } from "../identity/Caller.ts"
import { ListingStore } from "../listings/ListingStore.ts"
import type { Page, PageRequest } from "../paging/Page.ts"
import { LicenseKey } from "../purchases/LicenseKey.ts"
import type { Purchase } from "../purchases/Purchase.ts"
import { PurchaseStore } from "../purchases/PurchaseStore.ts"
import { MarketKeys } from "../signing/MarketKeys.ts"
import { SoulStore } from "../souls/SoulStore.ts"
import type { Activation } from "./Activation.ts"
import { activationRule, invalidState } from "./Activation.ts"
import { ActivationStore } from "./ActivationStore.ts"
import { licenseClaims } from "./LicenseProof.ts"

/** A machine to activate, as a seller's program names it. */
export interface ActivationRequest {
  readonly licenseKey: string
  readonly machine: string
  readonly label: string | null
}

/** The activation of a machine, and a proof for it that needs no network. */
export interface Activated {
  readonly activation: Activation
  readonly purchase: Purchase
  readonly proof: string
}

/** The result of a deactivation. */
export interface Deactivated {
  readonly purchaseId: PurchaseId
  readonly machine: string
  /** False if the machine was not activated. */
  readonly deactivated: boolean
}

type Failure = StoreUnavailable | NotFound

const notFound = new NotFound({ resource: "PURCHASE" })

const encoder = new TextEncoder()

/** Licenses that programs check without the market, and the machines that use them (PROOF-1, ACTIVATION-1). */
export class Licenses extends Context.Service<
  Licenses,
  {
    /** A proof of the caller's license, signed by the market; a conflict if the license is not valid (PROOF-1, PROOF-4). */
    readonly proof: (caller: Caller, id: PurchaseId) => Effect.Effect<string, Failure | AgentNotClaimed | Conflict>
    /** Needs only the license key. Fails with `NotFound` if the key is unknown (ACTIVATION-1, ACTIVATION-5). */
    readonly activate: (request: ActivationRequest) => Effect.Effect<Activated, Failure | Conflict>
    /** Deactivates a machine, also if the license is no longer valid (ACTIVATION-6). */
    readonly deactivate: (licenseKey: string, machine: string) => Effect.Effect<Deactivated, Failure>
    /** The machines of a purchase, for its buyer and its seller (ACTIVATION-7). */
    readonly activations: (
      caller: Caller,
      id: PurchaseId,
      page: PageRequest
    ) => Effect.Effect<Page<Activation>, Failure | AgentNotClaimed>
  }
>()("@agent-marketplace/core/licenses/Licenses") {
  static readonly layer = Layer.effect(
    Licenses,
    Effect.gen(function* () {
      const activations = yield* ActivationStore
      const clock = yield* MarketClock
      const digest = yield* Digest.Digest
      const keys = yield* MarketKeys
      const listings = yield* ListingStore
      const mac = yield* Mac.Mac
      const purchases = yield* PurchaseStore
      const souls = yield* SoulStore
      const { baseUrl, secret } = yield* MarketConfig
      const holderKey = yield* Effect.orDie(Mac.key(Mac.hmacSha256, encoder.encode(Redacted.value(secret))))

      const versionOf = ({ item }: Purchase) =>
        item.kind === "soul"
          ? Effect.map(
              souls.detail(item.id, null),
              Option.match({ onNone: () => null, onSome: ({ soul }) => soul.releaseVersion })
            )
          : Effect.map(
              listings.detail(item.id, null),
              Option.match({ onNone: () => null, onSome: ({ listing }) => listing.releaseVersion })
            )

      const proofOf = Effect.fnUntraced(function* (purchase: Purchase, machine?: string) {
        const holder = yield* Effect.orDie(mac.sign(holderKey, encoder.encode(`license-holder:${purchase.buyerId}`)))
        const key = yield* Effect.orDie(digest.digest(Digest.sha256, encoder.encode(purchase.licenseKey ?? "")))
        const version = yield* versionOf(purchase)
        const facts = { iss: baseUrl, holder: Hex.encode(holder), key: Hex.encode(key), version, machine }
        return yield* keys.signJws(licenseClaims(purchase, yield* clock.now, facts))
      })

      /** The purchase of a license key in any spelling. The key has 120 random bits, so the timing of the lookup reveals nothing useful. */
      const licensed = Effect.fnUntraced(function* (licenseKey: string) {
        const key = LicenseKey.normalise(licenseKey)
        const found = key === undefined ? Option.none<Purchase>() : yield* purchases.findByLicense(key)
        return Option.isNone(found) ? yield* notFound : found.value
      })

      return {
        proof: Effect.fn("Licenses.proof")(function* (caller, id) {
          const owner = yield* ownerOf(caller)
          const found = yield* purchases.find(id)
          if (Option.isNone(found) || found.value.buyerId !== owner) return yield* notFound
          const state = invalidState(found.value, yield* clock.now)
          return state === undefined
            ? yield* proofOf(found.value)
            : yield* new Conflict({ state, reason: `the license is not valid: ${state}` })
        }),
        activate: Effect.fn("Licenses.activate")(function* ({ label, licenseKey, machine }) {
          const purchase = yield* licensed(licenseKey)
          const rule = activationRule(machine, label, yield* clock.now)
          const result = yield* activations.activate(purchase.id, machine, rule)
          if (Option.isNone(result)) return yield* notFound
          const activation = yield* Effect.fromResult(result.value)
          return { activation, purchase, proof: yield* proofOf(purchase, machine) }
        }),
        deactivate: Effect.fn("Licenses.deactivate")(function* (licenseKey, machine) {
          const { id } = yield* licensed(licenseKey)
          return { purchaseId: id, machine, deactivated: yield* activations.deactivate(id, machine) }
        }),
        activations: Effect.fn("Licenses.activations")(function* (caller, id, page) {
          const owner = yield* ownerOf(caller)
          const found = yield* purchases.find(id)
          if (Option.isNone(found)) return yield* notFound
          const { buyerId, sellerId } = found.value
          return buyerId === owner || sellerId === owner ? yield* activations.list(id, page) : yield* notFound
        })
      }
    })
  )
}
