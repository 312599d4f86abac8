import { Cause, Clock, Context, Effect, Layer, Option, Result, Stream } from "effect"
import { BlobStore } from "../blobs/BlobStore.ts"
import { concatenated } from "../blobs/concatenated.ts"
import { MarketClock } from "../clock/MarketClock.ts"
import { MarketConfig } from "../config/MarketConfig.ts"
import { StoreUnavailable } from "../errors/MarketError.ts"
import type { AccountId } from "../ids/Ids.ts"
import type { StoreEffect } from "../errors/StoreEffect.ts"
import { MarketKeys } from "../signing/MarketKeys.ts"
import { releaseStatement, statementPayloadType } from "../signing/Statement.ts"
import type { Release, ReleaseHead } from "./Release.ts"
import { stopsBytes } from "./Release.ts"
import { soulVersionOf } from "../souls/SoulRelease.ts"
import { SoulStore } from "../souls/SoulStore.ts"
import { approvedWithListing, scanned } from "./ReleaseRules.ts"
import { FailedScans } from "./FailedScans.ts"
import { QuarantinedBytes } from "./QuarantinedBytes.ts"
import { ReleaseStore } from "./ReleaseStore.ts"
import type { ScannedFile } from "./Scanner.ts"
import { incompleteScan, Scanner } from "./Scanner.ts"
import { allOf, findItemFindings } from "./ItemFindings.ts"
import type { Scan, Verdict } from "./Verdict.ts"
import { withFindings } from "./Verdict.ts"

/** The maximum number of releases that one run scans. */
const batch = 10

/** How many files are read at once. */
const concurrency = 8

/** The background scan of releases, those of souls too (RELEASE-7, RELEASE-18, RELEASE-19, RELEASE-33, SOUL-55). */
export class ReleaseScans extends Context.Service<
  ReleaseScans,
  {
    /**
     * Scans some releases that are due and stores their verdicts, statements and states. Each step can be repeated: a process that is
     * stopped at any point loses nothing, and nothing happens twice. True if more may be due.
     */
    readonly scanDue: StoreEffect<boolean>
  }
>()("@agent-marketplace/core/releases/ReleaseScans") {
  static readonly layer = Layer.effect(
    ReleaseScans,
    Effect.gen(function* () {
      const store = yield* ReleaseStore
      const blobs = yield* BlobStore
      const souls = yield* SoulStore
      const scanner = yield* Scanner
      const keys = yield* MarketKeys
      const quarantinedBytes = yield* QuarantinedBytes
      const clock = yield* MarketClock
      const { listingReview } = yield* MarketConfig
      const failedScans = new FailedScans()

      /** The text of a soul is stored with its version. */
      const soulText = Effect.fnUntraced(function* ({ id, itemId, version }: Release) {
        const found = yield* souls.findVersion(itemId, soulVersionOf(version) ?? 0)
        if (Option.isNone(found))
          return yield* new StoreUnavailable({ cause: `the text of the release ${id} is missing` })
        return [{ path: "SOUL.md", bytes: new TextEncoder().encode(found.value.content) }]
      })

      const filesOf = ({ files }: Release): StoreEffect<ReadonlyArray<ScannedFile>> =>
        Effect.forEach(
          files,
          ({ path, sha256 }) =>
            Effect.map(Stream.runCollect(blobs.read(sha256)), (chunks) => ({ path, bytes: concatenated(chunks) })),
          { concurrency }
        ).pipe(
          Effect.catchTag("BlobNotFound", ({ sha256 }) =>
            Effect.fail(new StoreUnavailable({ cause: `the bytes ${sha256} of a release are missing` }))
          )
        )

      /** The stored verdict, if these bytes were already scanned with this ruleset. */
      const scanOf = Effect.fnUntraced(function* (release: Release): Effect.fn.Return<Scan, StoreUnavailable> {
        const known = yield* store.findScan(release.sha256, scanner.ruleset)
        if (Option.isSome(known)) return known.value
        if (failedScans.isGivenUp(release.id)) {
          const { sketch: none, ...scan } = incompleteScan(scanner.ruleset, "the scan failed several times")
          return yield* store.keepScan(release.sha256, scan, none)
        }
        const isSoul = release.mediaType === "text/markdown"
        const files = yield* isSoul ? soulText(release) : filesOf(release)
        const { sketch, ...scan } = yield* scanner.scan(files, isSoul ? "soul" : "skill")
        return yield* store.keepScan(release.sha256, scan, sketch)
      })

      /** Signs the verdict (RELEASE-21). */
      const statementOf = Effect.fnUntraced(function* (release: Release, verdict: Verdict, creator: AccountId) {
        const { createdAt, files, itemId, sha256, version } = release
        const { level, ruleset } = verdict
        const statement = releaseStatement({
          archive: sha256,
          files,
          itemId,
          version,
          creator,
          ruleset,
          level,
          publishedAt: createdAt
        })
        // Paths were checked when the archive was unpacked.
        return yield* keys.sign(statementPayloadType, yield* Effect.orDie(Effect.fromResult(statement)))
      })

      const scanRelease = Effect.fnUntraced(function* (head: ReleaseHead) {
        const found = yield* store.find(head.itemId, head.version)
        const creator = yield* store.creatorOf(head.itemId)
        if (Option.isNone(found) || Option.isNone(creator) || found.value.purgedAt !== null) return
        const scan = yield* scanOf(found.value)
        const { verdict } = scan
        const itemFindings = yield* findItemFindings(store, scanner, {
          itemId: head.itemId,
          creatorId: creator.value,
          name: null,
          kind: head.mediaType === "text/markdown" ? "soul" : "skill",
          sha256: head.sha256,
          ruleset: verdict.ruleset
        })
        const statement = yield* statementOf(found.value, withFindings(verdict, allOf(itemFindings)), creator.value)
        const now = yield* clock.now
        const changed = yield* store.modify(
          head.itemId,
          scanned({ release: head, verdict, itemFindings, statement }, { listingReview }, now)
        )
        const after = Option.getOrUndefined(Option.flatMap(changed, Result.getSuccess))
        const release = after?.releases.find(({ id }) => id === head.id)
        // Needed even if the release was not on sale: another item may sell the same bytes.
        if (release !== undefined && stopsBytes(release)) yield* quarantinedBytes.enforce
      })

      const handle = (head: ReleaseHead): StoreEffect<void> =>
        head.awaits === "listing" && !head.rescanDue
          ? Effect.flatMap(clock.now, (now) => Effect.asVoid(store.modify(head.itemId, approvedWithListing(head, now))))
          : scanRelease(head)

      /** True if the release was handled. The other scans continue if it was not; this release is retried later. */
      const attempt = (head: ReleaseHead): StoreEffect<boolean> =>
        Effect.matchCauseEffect(handle(head), {
          onSuccess: () => Effect.sync(() => (failedScans.succeeded(head.id), true)),
          onFailure: (cause) => (Cause.hasInterruptsOnly(cause) ? Effect.failCause(cause) : retryLater(head, cause))
        })

      const retryLater = Effect.fnUntraced(function* (head: ReleaseHead, cause: Cause.Cause<StoreUnavailable>) {
        const before = failedScans.isGivenUp(head.id)
        const givenUp = failedScans.failed(head.id, Cause.hasDies(cause), yield* Clock.currentTimeMillis)
        const endsNow = givenUp && !before
        const consequence = endsNow ? "several times and gets the verdict of a failed scan" : "and will be retried"
        yield* Effect.logWarning(`the scan of release ${head.id} failed ${consequence}`, cause)
        return endsNow ? yield* attempt(head) : false
      })

      return {
        scanDue: Effect.gen(function* () {
          const waiting = failedScans.waiting(yield* Clock.currentTimeMillis)
          const due = yield* store.due(scanner.ruleset, batch, waiting)
          const handled = yield* Effect.forEach(due, attempt)
          return due.length === batch && handled.some((done) => done)
        }).pipe(Effect.withSpan("ReleaseScans.scanDue"))
      }
    })
  )
}
