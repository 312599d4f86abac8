import { Option, Result } from "effect"
import * as fc from "fast-check"
import { assert, describe, it } from "vitest"
import { quarantined, released, revoked } from "../../src/advisories/itemRules.ts"
import type { Sha256 } from "../../src/blobs/Sha256.ts"
import type { AccountId, ActionId, ListingId, ReleaseId, RevocationId } from "../../src/ids/Ids.ts"
import type { MarketEvent } from "../../src/events/MarketEvent.ts"
import { Usdt } from "../../src/money/Usdt.ts"
import type { ReleaseHead } from "../../src/releases/Release.ts"
import { stopsBytes } from "../../src/releases/Release.ts"
import {
  approvedWithListing,
  bytesChecked,
  rescanRequested,
  scanned,
  uploaded,
  yanked
} from "../../src/releases/ReleaseRules.ts"
import type { ItemReleasesRule } from "../../src/releases/ReleaseStore.ts"
import { SemanticVersion } from "../../src/releases/SemanticVersion.ts"
import type { ItemReleases, ReleasedItem } from "../../src/releases/ItemReleases.ts"
import { changedItemReleases, itemReleasesState } from "../../src/releases/ItemReleases.ts"
import { levels } from "../../src/releases/Verdict.ts"
import type { Level } from "../../src/releases/Verdict.ts"

const versions = ["1.0.0", "2.0.0-rc.1"] as const
const digests = ["a", "b"].map((digit) => digit.repeat(64) as Sha256)
const rulesets = ["2026.11.1", "2026.12.1"] as const

/** One step about a version of an item. */
interface Step {
  readonly what:
    "upload" | "scan" | "yank" | "rescan" | "quarantine" | "quarantineItem" | "release" | "revoke" | "approve"
  readonly item: 0 | 1
  readonly version: (typeof versions)[number]
  readonly digest: Sha256
  readonly level: Level
  readonly ruleset: (typeof rulesets)[number]
}

const step: fc.Arbitrary<Step> = fc.record({
  what: fc.constantFrom<Step["what"]>(
    ...(["upload", "upload", "scan", "scan", "scan", "yank", "rescan"] as const),
    ...(["quarantine", "quarantineItem", "release", "release", "revoke", "approve"] as const)
  ),
  item: fc.constantFrom(0, 1),
  version: fc.constantFrom(...versions),
  digest: fc.constantFrom(...digests, ...digests.slice(0, 1)),
  level: fc.constantFrom(...levels),
  ruleset: fc.constantFrom(...rulesets)
})

const itemOf = (n: number, approved: boolean): ReleasedItem => ({
  id: `lst_${n}` as ListingId,
  kind: "listing",
  name: "Sorter",
  slug: "sorter",
  creatorId: `usr_${n}` as AccountId,
  creatorName: "Ada",
  price: Usdt.of(5_000_000n),
  approved,
  deleted: false,
  quarantine: null,
  refusal: null
})

const releaseOf = ({ digest, item, version }: Step, now: number): ReleaseHead => ({
  id: `rel_${item}_${version}` as ReleaseId,
  itemId: `lst_${item}` as ListingId,
  version,
  mediaType: "application/gzip",
  sha256: digest,
  size: 100,
  status: "scanning",
  ruleset: null,
  level: null,
  itemFindings: [],
  decidedBy: "scan",
  awaits: null,
  reason: null,
  createdAt: now,
  yankedAt: null,
  rescannedAt: null,
  rescanDue: false,
  purgedAt: null
})

const decisionOf = (at: number, only: ReadonlyArray<string> | undefined) => ({
  versions: only,
  reason: { code: "malware", text: "It reads keys." },
  at,
  action: {
    id: `act_${at}` as ActionId,
    at,
    actor: "operator",
    action: "item",
    subject: "lst_0",
    reason: "It reads keys.",
    requestId: "req_1"
  }
})

/** What follows from a step, as the services do it; undefined if the service would not run the rule. */
const ruleOf = (
  step: Step,
  itemReleases: ItemReleases,
  now: number,
  listingReview: "manual" | "auto"
): ItemReleasesRule<unknown> | undefined => {
  const { level, ruleset, version } = step
  switch (step.what) {
    case "upload":
      return uploaded({ ...releaseOf(step, now), files: [], frontMatter: null })
    case "scan": {
      const release = itemReleases.releases.find((one) => one.version === version)
      if (release === undefined) return undefined
      const statement = { payloadType: "application/vnd.in-toto+json", payload: "", signatures: [] }
      const verdict = { level, ruleset, findings: [] }
      const itemFindings = { copies: [], names: [] }
      return scanned({ release: { id: release.id, version }, verdict, itemFindings, statement }, { listingReview }, now)
    }
    case "yank":
      return yanked(version, "Broken.", now)
    case "rescan":
      return rescanRequested(version, now)
    case "quarantine":
      return quarantined(decisionOf(now, [version]))
    case "quarantineItem":
      return quarantined(decisionOf(now, undefined))
    case "release":
      return released(decisionOf(now, level === "clean" ? undefined : [version]))
    case "revoke":
      return revoked({
        ...decisionOf(now, [version]),
        id: `rev_${now}` as RevocationId,
        refundDays: null,
        refundsCovered: true
      })
    case "approve":
      return approvedWithListing({ version }, now)
  }
}

/** Two items whose releases can have the same bytes. */
const makeMarket = (listingReview: "manual" | "auto") => {
  const shelves: [ItemReleases, ItemReleases] = [
    {
      item: itemOf(0, listingReview === "auto"),
      releases: [],
      sold: true,
      quarantinedBytes: new Set(),
      quarantinedElsewhere: new Set()
    },
    {
      item: itemOf(1, listingReview === "auto"),
      releases: [],
      sold: false,
      quarantinedBytes: new Set(),
      quarantinedElsewhere: new Set()
    }
  ]
  const events: Array<MarketEvent> = []
  const quarantinedBytes = (some: ReadonlyArray<ItemReleases> = shelves) =>
    new Set(some.flatMap(({ releases }) => releases.filter(stopsBytes).map(({ sha256 }) => sha256)))
  const apply = (item: 0 | 1, rule: ItemReleasesRule<unknown>): boolean => {
    const itemReleases = {
      ...shelves[item],
      quarantinedBytes: quarantinedBytes(),
      quarantinedElsewhere: quarantinedBytes([shelves[item === 0 ? 1 : 0]])
    }
    const change = Result.getSuccess(rule(itemReleases))
    if (Option.isNone(change)) return false
    shelves[item] = changedItemReleases(itemReleases, change.value)
    events.push(...(change.value.events ?? []))
    return true
  }
  const enforce = (now: number) => {
    for (const item of [0, 1, 0, 1] as const) {
      for (const { version } of shelves[item].releases) apply(item, bytesChecked({ version }, now))
    }
  }
  const run = (step: Step, now: number): void => {
    const itemReleases = shelves[step.item]
    if (step.what === "approve")
      shelves[step.item] = { ...itemReleases, item: { ...itemReleases.item, approved: true } }
    const rule = ruleOf(step, itemReleases, now, listingReview)
    if (rule !== undefined) apply(step.item, rule)
    // The release of a quarantine enforces nothing, so it must not publish what is stopped.
    if (step.what !== "release") enforce(now)
  }
  return { shelves, events, quarantinedBytes, run }
}

type Market = ReturnType<typeof makeMarket>

const assertOnSale = ({ quarantinedBytes, shelves }: Market): void => {
  const stopped = quarantinedBytes()
  for (const itemReleases of shelves) {
    for (const { ruleset, sha256, status, yankedAt } of itemReleases.releases) {
      if (status !== "published") continue
      assert.isNotNull(ruleset, "it was scanned")
      assert.isNull(yankedAt, "it is not yanked")
      assert.isFalse(stopped.has(sha256), "its bytes are not quarantined")
    }
    const { quarantined: off, releaseVersion, trust } = itemReleasesState(itemReleases)
    const onSale = itemReleases.releases.find(({ version }) => version === releaseVersion)
    assert.strictEqual(onSale?.status ?? null, releaseVersion === null ? null : "published")
    assert.strictEqual(onSale?.level ?? null, trust)
    if (releaseVersion !== null) {
      assert.isFalse(off)
      assert.isFalse(SemanticVersion.isPreRelease(releaseVersion))
    }
  }
}

/** What an upload fixes. */
const fixed = ({ createdAt, id, itemId, mediaType, sha256, size, version }: ReleaseHead) =>
  JSON.stringify({ createdAt, id, itemId, mediaType, sha256, size, version })

const assertUnchanged = (before: ReadonlyArray<ItemReleases>, after: ReadonlyArray<ItemReleases>): void => {
  for (const [i, { releases }] of before.entries()) {
    for (const [n, release] of releases.entries()) {
      const now = after[i]?.releases[n]
      assert.strictEqual(now === undefined ? "" : fixed(now), fixed(release))
      if (release.yankedAt !== null) assert.strictEqual(now?.yankedAt, release.yankedAt, "a yank is for good")
      if (release.reason?.revoked === true) assert.strictEqual(now?.status, "quarantined", "a revocation is permanent")
    }
  }
}

/** A change of what is on sale is always announced, and nothing else is (RELEASE-20). */
const assertAnnounced = (
  before: ReadonlyArray<ItemReleases>,
  after: ReadonlyArray<ItemReleases>,
  events: ReadonlyArray<MarketEvent>
): void => {
  for (const [i, { releases }] of after.entries()) {
    for (const [n, release] of releases.entries()) {
      const was = before[i]?.releases[n]?.status
      const own = events.filter(({ subject }) => subject === release.id).map(({ type }) => type)
      const isNew = was !== release.status
      if (isNew && release.status === "published") assert.strictEqual(own.at(-1), "release.published")
      if (isNew && release.status === "quarantined") assert.strictEqual(own.at(-1), "release.quarantined")
      if (!isNew) assert.isAtMost(own.length, 2)
    }
  }
}

describe("random histories of releases", () => {
  for (const review of ["auto", "manual"] as const) {
    it(`what is on sale was scanned, is not yanked, and its bytes are not quarantined; uploads never change (review ${review}; RELEASE-3, RELEASE-7, RELEASE-11, RELEASE-20, RELEASE-27)`, () => {
      fc.assert(
        fc.property(fc.array(step, { minLength: 5, maxLength: 80, size: "max" }), (history) => {
          const market = makeMarket(review)
          for (const [n, one] of history.entries()) {
            const before = [...market.shelves]
            const known = market.events.length
            market.run(one, 10_000_000 * (n + 1))
            assertOnSale(market)
            assertUnchanged(before, market.shelves)
            assertAnnounced(before, market.shelves, market.events.slice(known))
          }
        }),
        { numRuns: 60 }
      )
    })
  }
})
