import { ImageStore } from "../images/ImageStore.ts"
import { Context, Effect, Layer, Option } from "effect"
import { Administration } from "../admin/Administration.ts"
import type { Operator } from "../admin/OperatorAction.ts"
import { MarketClock } from "../clock/MarketClock.ts"
import { Blobs } from "../blobs/Blobs.ts"
import type { Conflict, StoreUnavailable, ValidationFailed } from "../errors/MarketError.ts"
import { NotFound } from "../errors/MarketError.ts"
import type { StoreEffect } from "../errors/StoreEffect.ts"
import type { ItemId } from "../ids/Ids.ts"
import { idGenerator } from "../ids/Ids.ts"
import type { ReasonCode } from "../moderation/ReasonCode.ts"
import { QuarantinedBytes } from "../releases/QuarantinedBytes.ts"
import type { ItemReleasesRule } from "../releases/ReleaseStore.ts"
import { ReleaseStore } from "../releases/ReleaseStore.ts"
import type { ItemReleases } from "../releases/ItemReleases.ts"
import { SoulReleases } from "../souls/SoulReleases.ts"
import { Advisories } from "./Advisories.ts"
import { purged, quarantined, released, revoked } from "./itemRules.ts"
import type { Revocation } from "./Revocation.ts"
import { refundsSince } from "./Revocation.ts"
import { RevocationStore } from "./RevocationStore.ts"

/** A decision of the operator on an item. */
export interface ItemDecision {
  /** The versions that it is about; absent for the item as a whole, with all of its releases. */
  readonly versions?: ReadonlyArray<string> | undefined
  /** For license holders, the creator and the log of actions. */
  readonly reason: string
  readonly code?: ReasonCode | undefined
}

/** An item after a decision. */
export interface ControlledItem {
  readonly itemReleases: ItemReleases
  /** What the decision refunds; null if it refunds nothing new. */
  readonly revocation: Revocation | null
}

type Failure = NotFound | StoreUnavailable | ValidationFailed

/** How many earlier revocations are read to find out which days they already refund. */
const newestRevocations = { page: 1, limit: 100 } as const

/** The operator's decisions on items that must not be sold (QUARANTINE-1, QUARANTINE-4, REVOKE-1, PURGE-1). */
export class ItemControl extends Context.Service<
  ItemControl,
  {
    /** When this returns, the quarantined versions can no longer be bought, and no purchase that started earlier can still commit. */
    readonly quarantine: (
      operator: Operator,
      item: ItemId,
      decision: ItemDecision
    ) => Effect.Effect<ControlledItem, Failure>
    /** To be called after a quarantine: publishes the advisory, and returns when no purchase that started earlier can still commit. */
    readonly stopped: Effect.Effect<void, StoreUnavailable>
    /** Ends a quarantine, and approves what waits for a decision. Fails if there is nothing to release, or if it is revoked. */
    readonly release: (
      operator: Operator,
      item: ItemId,
      decision: ItemDecision
    ) => Effect.Effect<ControlledItem, Conflict | Failure>
    /** As `quarantine`, but permanent. Refunds run in the background (REVOKE-5). */
    readonly revoke: (
      operator: Operator,
      item: ItemId,
      decision: ItemDecision & { readonly refundDays?: number | undefined }
    ) => Effect.Effect<ControlledItem, Failure>
    /**
     * Removes the bytes of releases permanently. When this returns, nobody can read them, and no purchase that started earlier can still commit. Can be
     * repeated after a failure: a purge that is stored is completed, also in the background (PURGE-2, PURGE-8).
     */
    readonly purge: (
      operator: Operator,
      item: ItemId,
      decision: ItemDecision
    ) => Effect.Effect<ControlledItem, Conflict | Failure>
  }
>()("@agent-marketplace/core/advisories/ItemControl") {
  static readonly layer = Layer.effect(
    ItemControl,
    Effect.gen(function* () {
      const administration = yield* Administration
      const advisories = yield* Advisories
      const blobs = yield* Blobs
      const images = yield* ImageStore
      const releases = yield* ReleaseStore
      const revocations = yield* RevocationStore
      const quarantinedBytes = yield* QuarantinedBytes
      const soulReleases = yield* SoulReleases
      const clock = yield* MarketClock
      const ids = yield* idGenerator

      const modify = Effect.fnUntraced(function* <E>(item: ItemId, rule: ItemReleasesRule<E>) {
        const changed = yield* releases.modify(item, rule)
        if (Option.isNone(changed))
          return yield* new NotFound({ resource: item.startsWith("soul_") ? "SOUL" : "LISTING" })
        return yield* Effect.fromResult(changed.value)
      })

      const decide = Effect.fnUntraced(function* (
        operator: Operator,
        name: string,
        item: ItemId,
        decision: ItemDecision
      ) {
        const { code = "other", reason, versions } = decision
        const action = yield* administration.draft(operator, name, item, reason)
        return { versions, reason: { code, text: reason }, at: action.at, action }
      })

      /** The digests of the bytes of the purged releases with these versions; of all of the item without versions. */
      const purgedBlobs = Effect.fnUntraced(function* (
        itemReleases: ItemReleases,
        versions: ReadonlyArray<string> | undefined
      ) {
        const purgedVersions = itemReleases.releases
          .filter(({ purgedAt, version }) => purgedAt !== null && (versions?.includes(version) ?? true))
          .map(({ version }) => version)
        const found = yield* releases.findEach(itemReleases.item.id, purgedVersions)
        return found.flatMap(({ files, sha256 }) => [sha256, ...files.map((file) => file.sha256)])
      })

      /** Texts from before souls had releases get them first, so that they are part of the purge. */
      const adoptTexts: StoreEffect<void> = Effect.flatMap(soulReleases.adoptSome, (more) =>
        more ? adoptTexts : Effect.void
      )

      return {
        stopped: Effect.andThen(quarantinedBytes.enforce, advisories.publishNow),
        quarantine: Effect.fn("ItemControl.quarantine")(function* (operator, item, decision) {
          const itemReleases = yield* modify(
            item,
            quarantined(yield* decide(operator, "item.quarantine", item, decision))
          )
          yield* quarantinedBytes.enforce
          yield* advisories.publishNow
          return { itemReleases, revocation: null }
        }),
        purge: Effect.fn("ItemControl.purge")(function* (operator, item, decision) {
          const isSoul = item.startsWith("soul_")
          if (isSoul) yield* adoptTexts
          const isWhole = decision.versions === undefined
          const hasPictures = isWhole && (yield* images.list(item)).length > 0
          const decided = yield* decide(operator, "item.purge", item, decision)
          const itemReleases = yield* modify(item, purged(decided, hasPictures))
          const pictures = isWhole ? yield* images.clear(item) : []
          // The texts of souls are not blobs.
          const archives = isSoul ? [] : yield* purgedBlobs(itemReleases, decision.versions)
          yield* blobs.purge([...archives, ...pictures])
          yield* quarantinedBytes.enforce
          yield* advisories.publishNow
          return { itemReleases, revocation: null }
        }),
        release: Effect.fn("ItemControl.release")(function* (operator, item, decision) {
          const itemReleases = yield* modify(item, released(yield* decide(operator, "item.release", item, decision)))
          yield* advisories.publishNow
          return { itemReleases, revocation: null }
        }),
        revoke: Effect.fn("ItemControl.revoke")(function* (operator, item, { refundDays = null, ...decision }) {
          const decided = yield* decide(operator, "item.revoke", item, decision)
          const { items: earlier } = yield* revocations.list({ itemId: item }, newestRevocations)
          const since = refundsSince({ at: decided.at, refundDays })
          const refundsCovered = earlier.some((one) => (refundsSince(one) ?? Number.POSITIVE_INFINITY) <= (since ?? 0))
          const id = yield* ids.make("revocation")
          const itemReleases = yield* modify(item, revoked({ ...decided, id, refundDays, refundsCovered }))
          yield* quarantinedBytes.enforce
          const added = yield* revocations.find(id)
          if (Option.isSome(added) && added.value.step === "start" && added.value.rejectsWaiting) {
            yield* revocations.move(id, { step: "start", position: null, until: yield* clock.now })
          }
          yield* advisories.publishNow
          return { itemReleases, revocation: Option.getOrNull(added) }
        })
      }
    })
  )
}
