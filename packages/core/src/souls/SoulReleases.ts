import { Context, Effect, Layer, Option, Result, Semaphore } from "effect"
import { Digest } from "effect/crypto"
import type { Sha256 } from "../blobs/Sha256.ts"
import type { Timestamp } from "../clock/Timestamp.ts"
import type { StoreEffect } from "../errors/StoreEffect.ts"
import type { AccountId, SoulId } from "../ids/Ids.ts"
import { idGenerator } from "../ids/Ids.ts"
import { allOf, findItemFindings } from "../releases/ItemFindings.ts"
import type { ReleaseHead } from "../releases/Release.ts"
import { decisionOf } from "../releases/ReleaseRules.ts"
import { ReleaseStore } from "../releases/ReleaseStore.ts"
import { incompleteScan, Scanner } from "../releases/Scanner.ts"
import type { Scan } from "../releases/Verdict.ts"
import { withFindings, worstLevel } from "../releases/Verdict.ts"
import { MarketKeys } from "../signing/MarketKeys.ts"
import { releaseStatement, statementPayloadType } from "../signing/Statement.ts"
import type { SoulRelease } from "./SoulRelease.ts"
import { releaseVersionOf } from "./SoulRelease.ts"
import type { SoulVersion, UnreleasedVersion } from "./SoulStore.ts"
import { SoulStore } from "./SoulStore.ts"

/** A request waits at most this long for a scan. After that, the version waits in review and is scanned again in the background (SOUL-50). */
const scanLimit = "15 seconds"

/** How many texts are scanned at once in one process; further ones wait. */
const concurrentScans = 2

/** How many versions one run of the job handles. */
const batch = 20

/** A text with the result of its scan. */
export interface ScannedText {
  readonly content: string
  readonly sha256: Sha256
  /** In bytes of UTF-8. */
  readonly size: number
  readonly scan: Scan
  /** The same bytes are quarantined, in this soul or in another item (RELEASE-13). */
  readonly stopped: boolean
}

/** Makes the releases of souls' versions: scans, verdicts and signatures (SOUL-48). */
export class SoulReleases extends Context.Service<
  SoulReleases,
  {
    /** Scans the text, or finds the verdict on these bytes. Takes at most a few seconds. */
    readonly scan: (content: string) => StoreEffect<ScannedText>
    /** A new release of the text, signed and with its state. Nothing is stored. */
    readonly make: (
      text: ScannedText,
      of: {
        readonly soul: SoulId
        readonly author: AccountId
        readonly version: number
        readonly createdAt: Timestamp
        /** The name that the soul takes; null for its present one. */
        readonly name: string | null
      }
    ) => StoreEffect<SoulRelease>
    /** Stores the release of a version that has none, because it was published before souls had releases. It stays on sale unless its verdict is worse. */
    readonly adopt: (soul: SoulId, author: AccountId, version: SoulVersion) => StoreEffect<void>
    /** Adopts some versions without a release, the newest of each soul first. True if there may be more (SOUL-56). */
    readonly adoptSome: StoreEffect<boolean>
  }
>()("@agent-marketplace/core/souls/SoulReleases") {
  static readonly layer = Layer.effect(
    SoulReleases,
    Effect.gen(function* () {
      const scanner = yield* Scanner
      const releases = yield* ReleaseStore
      const souls = yield* SoulStore
      const keys = yield* MarketKeys
      const digest = yield* Digest.Digest
      const ids = yield* idGenerator
      const { ruleset } = scanner
      const slots = yield* Semaphore.make(concurrentScans)

      const scanOf = Effect.fnUntraced(function* (bytes: Uint8Array, sha256: Sha256) {
        const known = yield* releases.findScan(sha256, ruleset)
        if (Option.isSome(known)) return known.value
        const { sketch, ...scan } = yield* slots
          .withPermits(1)(scanner.scan([{ path: "SOUL.md", bytes }], "soul"))
          .pipe(
            Effect.timeoutOrElse({
              duration: scanLimit,
              orElse: () => Effect.succeed(incompleteScan(ruleset, `took more than ${scanLimit}`))
            })
          )
        return yield* releases.keepScan(sha256, scan, sketch).pipe(
          // A result that cannot be stored must not keep its author from publishing.
          Effect.catchDefect((defect) =>
            Effect.andThen(
              Effect.logWarning(`the verdict on a text could not be stored`, defect),
              releases.keepScan(sha256, incompleteScan(ruleset, "the result could not be stored"), null)
            )
          )
        )
      })

      const scan = Effect.fn("SoulReleases.scan")(function* (content: string) {
        const bytes = new TextEncoder().encode(content)
        const sha256 = (yield* digest.digestHex(Digest.sha256, bytes)) as Sha256
        const stopped = yield* releases.isQuarantined(sha256)
        return { content, sha256, size: bytes.length, scan: yield* scanOf(bytes, sha256), stopped }
      })

      const make: SoulReleases["Service"]["make"] = Effect.fn("SoulReleases.make")(function* (text, of) {
        const { content, scan: result, sha256, size, stopped } = text
        const itemFindings = yield* findItemFindings(releases, scanner, {
          itemId: of.soul,
          creatorId: of.author,
          name: of.name,
          kind: "soul",
          sha256,
          ruleset: result.verdict.ruleset
        })
        const verdict = withFindings(result.verdict, itemFindings.copies)
        const files = [{ path: "SOUL.md", size, sha256 }]
        const version = releaseVersionOf(of.version)
        const decision = decisionOf({ kind: "soul", approved: true }, verdict, stopped, { listingReview: "auto" })
        const head: ReleaseHead = {
          id: yield* ids.make("release"),
          itemId: of.soul,
          version,
          mediaType: "text/markdown",
          sha256,
          size,
          ...decision,
          reason: decision.reason === null ? null : { ...decision.reason, at: of.createdAt },
          ruleset: verdict.ruleset,
          level: verdict.level,
          itemFindings: allOf(itemFindings),
          createdAt: of.createdAt,
          yankedAt: null,
          rescannedAt: null,
          // The background scan has more time.
          rescanDue: verdict.ruleset !== ruleset,
          purgedAt: null
        }
        const statement = releaseStatement({
          archive: sha256,
          files,
          itemId: of.soul,
          version,
          creator: of.author,
          ruleset: verdict.ruleset,
          level: worstLevel(verdict.level, itemFindings.names),
          publishedAt: of.createdAt
        })
        // The only path is constant.
        const payload = yield* Effect.orDie(Effect.fromResult(statement))
        const envelope = yield* keys.sign(statementPayloadType, payload)
        return { version: of.version, content, head: { ...head, files, frontMatter: null }, statement: envelope }
      })

      const adopt = Effect.fn("SoulReleases.adopt")(function* (soul: SoulId, author: AccountId, version: SoulVersion) {
        const text = yield* scan(version.content)
        const made = yield* make(text, { ...version, soul, author, name: null })
        const isScanned = text.scan.verdict.ruleset === ruleset
        // It was on sale before, so it stays on sale until a scan has ended.
        const head =
          isScanned || text.stopped
            ? made.head
            : { ...made.head, status: "published" as const, awaits: null, reason: null }
        yield* releases.modify(soul, ({ item, releases: known }) => {
          if (known.some((one) => one.version === head.version)) return Result.succeed({})
          // A quarantine of the whole item includes the texts of that time.
          const stopped = {
            status: "quarantined",
            decidedBy: "operator",
            awaits: null,
            reason: item.quarantine
          } as const
          const added = item.quarantine === null ? head : { ...head, ...stopped }
          const statement = { release: head.id, envelope: made.statement }
          return Result.succeed({ added, statement })
        })
      })

      return {
        scan,
        make,
        adopt,
        adoptSome: Effect.gen(function* () {
          const versions: ReadonlyArray<UnreleasedVersion> = yield* souls.unreleased(batch)
          yield* Effect.forEach(versions, (one) => adopt(one.soul, one.author, one), { discard: true })
          return versions.length === batch
        }).pipe(Effect.withSpan("SoulReleases.adoptSome"))
      }
    })
  )
}
