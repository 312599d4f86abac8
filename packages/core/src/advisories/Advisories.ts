import { Context, Effect, Layer, Option } from "effect"
import { Digest } from "effect/crypto"
import { Base64, Hex } from "effect/encoding"
import { MarketClock } from "../clock/MarketClock.ts"
import type { StoreUnavailable } from "../errors/MarketError.ts"
import { ValidationFailed } from "../errors/MarketError.ts"
import type { StoreEffect } from "../errors/StoreEffect.ts"
import type { AdvisoryId } from "../ids/Ids.ts"
import { canonicalJson } from "../signing/CanonicalJson.ts"
import { MarketKeys } from "../signing/MarketKeys.ts"
import type { Advisory } from "./Advisory.ts"
import { advisoryId, advisoryPayload, advisoryPayloadType } from "./Advisory.ts"
import type { SignAdvisory } from "./AdvisoryStore.ts"
import { AdvisoryStore } from "./AdvisoryStore.ts"

/** How many advisories one transaction publishes. */
const batch = 50

const encoder = new TextEncoder()

const unknownCursor = new ValidationFailed({
  issues: [{ path: "after", message: "must be the id of an advisory of this market" }]
})

/** The public feed of advisories (ADVISORY-3). */
export class Advisories extends Context.Service<
  Advisories,
  {
    /** At most `limit` advisories after this one, oldest first; from the start without an id. Fails if there is no such advisory. */
    readonly list: (
      after: AdvisoryId | undefined,
      limit: number
    ) => Effect.Effect<ReadonlyArray<Advisory>, StoreUnavailable | ValidationFailed>
    /** Signs and publishes some of the recorded drafts; true if more may be waiting (ADVISORY-6). */
    readonly publish: StoreEffect<boolean>
    /** Publishes all drafts before a request returns. If this fails, the decision remains in force and the worker publishes them later (ADVISORY-6). */
    readonly publishNow: Effect.Effect<void>
  }
>()("@agent-marketplace/core/advisories/Advisories") {
  static readonly layer = Layer.effect(
    Advisories,
    Effect.gen(function* () {
      const store = yield* AdvisoryStore
      const keys = yield* MarketKeys
      const clock = yield* MarketClock
      const digest = yield* Digest.Digest

      const payloadDigest = ({ envelope }: Advisory) =>
        Effect.map(
          Effect.flatMap(Effect.fromResult(Base64.decode(envelope.payload)), (bytes) =>
            digest.digest(Digest.sha256, bytes)
          ),
          Hex.encode
        ).pipe(Effect.orDie)

      const sign: SignAdvisory = Effect.fnUntraced(function* ({ creatorId: _creatorId, ...about }, { last, position }) {
        const now = yield* clock.now
        const unsigned = {
          ...about,
          id: advisoryId(position + 1),
          publishedAt: Math.max(now, last?.publishedAt ?? now),
          previous: last === null ? null : yield* payloadDigest(last)
        }
        const text = yield* Effect.orDie(Effect.fromResult(canonicalJson(advisoryPayload(unsigned))))
        return { ...unsigned, envelope: yield* keys.sign(advisoryPayloadType, encoder.encode(text)) }
      })

      const publish = Effect.map(store.publish(batch, sign), (published) => published === batch)

      return {
        list: Effect.fn("Advisories.list")(function* (after, limit) {
          const found = yield* store.list(after, limit)
          return Option.isNone(found) ? yield* unknownCursor : found.value
        }),
        publish,
        publishNow: Effect.catch(Effect.asVoid(publish), (error) =>
          Effect.logWarning("an advisory will be published later", error)
        )
      }
    })
  )
}
