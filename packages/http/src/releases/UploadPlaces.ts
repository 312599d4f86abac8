import { RateLimited } from "@agent-marketplace/api/errors/HttpFault"
import type { Caller } from "@agent-marketplace/core/identity/Caller"
import { Clock, Context, Effect, Layer } from "effect"
import type { Scope } from "effect"
import { currentRequest } from "../edge/CurrentRequest.ts"
import { setOpenLimit } from "../limits/LimitHeaders.ts"
import { makeCounts } from "../limits/makeCounts.ts"

/** How many uploads one account has at once on a process, with the keys of its agents, so that few accounts cannot take all places (LIMIT-15). */
const perAccount = 4

/** After this time a refused upload may be tried again, in milliseconds. */
const retryMillis = 10_000

/** The uploads that this process receives, by account (LIMIT-15). */
export class UploadPlaces extends Context.Service<
  UploadPlaces,
  {
    /** Takes a place until the scope closes. */
    readonly take: (caller: Caller) => Effect.Effect<void, RateLimited, Scope.Scope>
  }
>()("@agent-marketplace/http/releases/UploadPlaces") {
  static readonly layer = Layer.sync(UploadPlaces, () => {
    const counts = makeCounts()
    return {
      take: Effect.fnUntraced(function* ({ accountId, keyId }) {
        const subject = accountId ?? keyId
        if (counts.of(subject) >= perAccount) {
          const now = yield* Clock.currentTimeMillis
          const refused = new RateLimited({ resetAt: now + retryMillis, limit: perAccount, window: "open" })
          setOpenLimit((yield* currentRequest).headers, refused)
          return yield* refused
        }
        yield* Effect.acquireRelease(
          Effect.sync(() => counts.add(subject, 1)),
          () => Effect.sync(() => counts.add(subject, -1))
        )
      })
    }
  })
}
