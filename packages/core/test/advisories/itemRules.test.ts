import { Sha256 } from "@agent-marketplace/core/blobs/Sha256"
import { actionDraft } from "@agent-marketplace/testkit/fixtures/actionDraft"
import { freshId } from "@agent-marketplace/testkit/fixtures/freshId"
import { usdt } from "@agent-marketplace/testkit/fixtures/usdt"
import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import { purged, quarantined, released, revoked } from "../../src/advisories/itemRules.ts"
import { decided, reported } from "../../src/moderation/Report.ts"
import { appealed } from "../../src/moderation/Appeal.ts"
import { bytesPurged } from "../../src/releases/Purge.ts"
import type { ReleaseHead } from "../../src/releases/Release.ts"
import { awaitsOperator } from "../../src/releases/Release.ts"
import { bytesChecked, rescanRequested, scanned, uploaded, yanked } from "../../src/releases/ReleaseRules.ts"
import type { ItemReleases, ItemReleasesChange } from "../../src/releases/ItemReleases.ts"
import { changedItemReleases, itemReleasesState } from "../../src/releases/ItemReleases.ts"

const itemId = freshId("lst")
const digest = (version: string) => Sha256.make(version.replaceAll(".", "").padEnd(64, "a"))

const release = (version: string, fields: Partial<ReleaseHead> = {}): ReleaseHead => ({
  id: freshId("rel"),
  itemId,
  version,
  mediaType: "application/gzip",
  sha256: digest(version),
  size: 1,
  status: "published",
  ruleset: "1",
  level: "clean",
  itemFindings: [],
  decidedBy: "scan",
  awaits: null,
  reason: null,
  createdAt: 0,
  yankedAt: null,
  rescannedAt: null,
  rescanDue: false,
  purgedAt: null,
  ...fields
})

const itemReleases = (releases: ReadonlyArray<ReleaseHead>, fields: Partial<ItemReleases> = {}): ItemReleases => ({
  item: {
    id: itemId,
    kind: "listing",
    name: "A skill",
    slug: "a-skill",
    creatorId: freshId("usr"),
    creatorName: "Ada",
    price: usdt(5),
    approved: true,
    deleted: false,
    quarantine: null,
    refusal: null
  },
  releases,
  sold: true,
  quarantinedBytes: new Set(),
  quarantinedElsewhere: new Set(),
  ...fields
})

const decision = (versions?: ReadonlyArray<string>) => ({
  versions,
  reason: { code: "theft", text: "It reads keys." },
  at: 5,
  action: actionDraft("item.test", itemId)
})

const revocation = (versions?: ReadonlyArray<string>, refundDays: number | null = null, refundsCovered = false) => ({
  ...decision(versions),
  id: freshId("rvk"),
  refundDays,
  refundsCovered
})

const changeOf = <E>(result: Result.Result<ItemReleasesChange, E>): ItemReleasesChange => Result.getOrThrow(result)

const statuses = (after: ItemReleases) => after.releases.map(({ status, version }) => `${version} ${status}`)

const types = ({ events = [] }: ItemReleasesChange) =>
  events.map(({ type, data }) => `${type} ${String(data["version"])}`)

describe("decisions on an item with releases", () => {
  it("a quarantine of versions leaves the others on sale, and its advisory names them and their digests (QUARANTINE-1, ADVISORY-1)", () => {
    const before = itemReleases([
      release("1.0.0"),
      release("1.1.0"),
      release("2.0.0", { status: "scanning", level: null })
    ])
    const change = changeOf(quarantined(decision(["1.1.0"]))(before))
    const after = changedItemReleases(before, change)
    assert.deepStrictEqual(statuses(after), ["1.0.0 published", "1.1.0 quarantined", "2.0.0 scanning"])
    assert.deepInclude(itemReleasesState(after), { releaseVersion: "1.0.0", quarantined: false })
    assert.deepInclude(change.advisory, {
      itemId,
      versions: ["1.1.0"],
      sha256: [digest("1.1.0")],
      severity: "high",
      action: "note",
      reason: "It reads keys."
    })
    assert.deepStrictEqual(types(change), ["release.quarantined 1.1.0"])
    assert.isUndefined(change.quarantine)
    assert.isUndefined(changeOf(quarantined(decision(["1.1.0"]))({ ...before, sold: false })).advisory)
  })

  it("a quarantine of the whole item stops all of its releases, also those that wait for a scan, once (QUARANTINE-3)", () => {
    const before = itemReleases([
      release("1.0.0", { status: "yanked", yankedAt: 3 }),
      release("2.0.0"),
      release("3.0.0", { status: "scanning", level: null, ruleset: null })
    ])
    const change = changeOf(quarantined(decision())(before))
    const after = changedItemReleases(before, change)
    assert.deepStrictEqual(statuses(after), ["1.0.0 quarantined", "2.0.0 quarantined", "3.0.0 quarantined"])
    assert.isTrue(after.releases.every(({ decidedBy }) => decidedBy === "operator"))
    assert.deepInclude(itemReleasesState(after), { releaseVersion: null, quarantined: true })
    const again = changeOf(quarantined(decision())(after))
    assert.deepInclude(again, { changed: [], events: [] })
    assert.isUndefined(again.advisory)
    assert.isUndefined(again.quarantine)

    const ended = changeOf(released(decision())(after))
    const free = changedItemReleases(after, ended)
    assert.deepStrictEqual(statuses(free), ["1.0.0 yanked", "2.0.0 published", "3.0.0 scanning"])
    assert.isNull(free.item.quarantine)
    assert.deepInclude(ended.advisory, { severity: "info", action: "note", versions: ["1.0.0", "2.0.0", "3.0.0"] })
    assert.deepStrictEqual(types(ended), ["release.published 2.0.0"])
  })

  it("a release approves what waits because of its verdict, and what waits for its listing stays (QUARANTINE-4)", () => {
    const before = itemReleases([
      release("1.0.0", { status: "in_review", level: "warn", awaits: "operator" }),
      release("1.1.0", { status: "in_review", awaits: "listing" })
    ])
    const change = changeOf(released(decision())(before))
    assert.deepStrictEqual(statuses(changedItemReleases(before, change)), ["1.0.0 published", "1.1.0 in_review"])
    assert.isUndefined(change.advisory, "nothing was reported before")
    const hidden = { ...before, item: { ...before.item, approved: false } }
    assert.deepInclude(changeOf(released(decision())(hidden)).changed?.[0], { status: "in_review", awaits: "listing" })
    const none = released(decision(["1.1.0"]))(before)
    assert.deepInclude(Result.isFailure(none) ? none.failure : {}, { _tag: "Conflict", state: "released" })
  })

  it("a revocation is permanent, also for what was quarantined before, and repeating it adds only refunds (REVOKE-1, REVOKE-9)", () => {
    const before = itemReleases([release("1.0.0", { status: "quarantined", decidedBy: "operator" }), release("2.0.0")])
    const first = changeOf(revoked(revocation(["1.0.0", "2.0.0"], 30))(before))
    const after = changedItemReleases(before, first)
    assert.deepInclude(first.advisory, { severity: "critical", action: "remove", versions: ["1.0.0", "2.0.0"] })
    assert.deepStrictEqual(types(first), ["release.quarantined 2.0.0"])
    assert.deepInclude(first.revocation, { refundDays: 30, rejectsWaiting: true, versions: ["1.0.0", "2.0.0"], at: 5 })
    const refused = released(decision())(after)
    assert.deepInclude(Result.isFailure(refused) ? refused.failure : {}, { _tag: "Conflict", state: "revoked" })
    const same = changeOf(
      revoked(revocation(undefined, 30, true))({
        ...after,
        item: { ...after.item, quarantine: { code: "theft", text: "", revoked: true } }
      })
    )
    assert.deepInclude(same, { changed: [] })
    assert.isUndefined(same.advisory)
    assert.isUndefined(same.revocation)
    assert.isDefined(changeOf(revoked(revocation(["1.0.0"], 60, false))(after)).revocation)
    assert.isUndefined(changeOf(quarantined(decision(["1.0.0"]))(after)).advisory)
  })

  it("revoking one version of two rejects no purchase that waits, and an item never sold gets its advisory too (REVOKE-6, ADVISORY-1)", () => {
    const before = itemReleases([release("1.0.0"), release("2.0.0")], { sold: false })
    const change = changeOf(revoked(revocation(["1.0.0"]))(before))
    assert.isFalse(change.revocation?.rejectsWaiting)
    assert.deepInclude(change.advisory, { versions: ["1.0.0"], severity: "critical" })
  })

  it("an unknown version is refused by its place, and nothing changes (QUARANTINE-2)", () => {
    for (const rule of [quarantined, released]) {
      const refused = rule(decision(["1.0.0", "9.0.0"]))(itemReleases([release("1.0.0")]))
      assert.isTrue(Result.isFailure(refused))
      if (Result.isFailure(refused)) {
        assert.deepInclude(refused.failure, { _tag: "ValidationFailed" })
        assert.include(JSON.stringify(refused.failure), "versions.1")
      }
    }
  })
})

describe("a quarantine by reports", () => {
  it("stops everything that is or may come on sale and informs the creator; a person's look ends it (REPORT-3, REPORT-5)", () => {
    const before = itemReleases([
      release("1.0.0"),
      release("1.1.0", { status: "scanning", level: null, ruleset: null })
    ])
    assert.deepStrictEqual(reported(5)(before, 3), {})
    const change = reported(5)(before, 4)
    const after = changedItemReleases(before, change)
    assert.deepStrictEqual(statuses(after), ["1.0.0 quarantined", "1.1.0 quarantined"])
    assert.isTrue(itemReleasesState(after).quarantined)
    assert.deepStrictEqual(types(change), ["release.quarantined 1.0.0", "release.quarantined 1.1.0"])
    assert.strictEqual(change.advisory?.action, "note")
    assert.deepStrictEqual(reported(6)(after, 5), {})
    const log = { ...actionDraft("report.resolve.none", itemId), before: null, after: null }
    const ended = changedItemReleases(after, changeOf(decided(after, "none", log)))
    assert.deepStrictEqual(statuses(ended), ["1.0.0 published", "1.1.0 scanning"])
  })
})

describe("a purge (PURGE-1)", () => {
  const failureOf = <A, E>(result: Result.Result<A, E>): E =>
    Result.isFailure(result) ? result.failure : assert.fail("it did not fail")

  const before = itemReleases([
    release("1.0.0"),
    release("1.1.0", { status: "yanked", yankedAt: 3 }),
    release("1.2.0", { status: "scanning", level: null, ruleset: null }),
    release("1.3.0", {
      status: "quarantined",
      decidedBy: "operator",
      reason: { code: "theft", text: "", revoked: true }
    })
  ])
  const whole = changeOf(purged(decision())(before))
  const after = changedItemReleases(before, whole)

  it("takes every release off sale in any state, marks it, and keeps a revocation in force", () => {
    assert.isTrue(
      after.releases.every(
        ({ purgedAt, rescanDue, status }) => purgedAt === 5 && !rescanDue && status === "quarantined"
      )
    )
    assert.deepStrictEqual(
      whole.purged,
      before.releases.map(({ id }) => id)
    )
    assert.deepStrictEqual(
      after.releases.map(({ reason }) => reason?.revoked),
      [undefined, undefined, undefined, true]
    )
    assert.deepInclude(itemReleasesState(after), { releaseVersion: null, quarantined: true })
    assert.isUndefined(whole.quarantine)
    assert.deepInclude(whole.action?.after, { quarantined: true, versions: "1.0.0, 1.1.0, 1.2.0, 1.3.0" })
  })

  it("reports what left the sale once, and publishes an advisory only if copies were sold (PURGE-8, ADVISORY-1)", () => {
    assert.deepStrictEqual(types(whole), [
      "release.quarantined 1.0.0",
      "release.quarantined 1.1.0",
      "release.quarantined 1.2.0"
    ])
    assert.deepInclude(whole.advisory, {
      versions: ["1.0.0", "1.1.0", "1.2.0", "1.3.0"],
      severity: "high",
      action: "note",
      reason: "The bytes were removed: It reads keys."
    })
    assert.isUndefined(changeOf(purged(decision())({ ...before, sold: false })).advisory)
    const again = changeOf(purged(decision())(after))
    assert.deepInclude(again, { changed: [], purged: [], events: [] })
    assert.isUndefined(again.advisory)
  })

  it("of one version leaves the others on sale; an unknown version and an item without releases are refused", () => {
    const one = changedItemReleases(before, changeOf(purged(decision(["1.1.0"]))(before)))
    assert.deepStrictEqual(
      one.releases.map(({ purgedAt }) => purgedAt),
      [null, 5, null, null]
    )
    assert.strictEqual(itemReleasesState(one).releaseVersion, "1.0.0")
    assert.deepInclude(failureOf(purged(decision(["9.0.0"]))(before)), {
      issues: [{ path: "versions.0", message: "is not a version of this item" }]
    })
    assert.deepInclude(failureOf(purged(decision())(itemReleases([]))), { _tag: "Conflict", state: "no_releases" })
  })

  it("is permanent: no release, rescan, yank, upload, scan or appeal changes it (PURGE-5, PURGE-6, PURGE-9, APPEAL-1)", () => {
    const one = changedItemReleases(before, changeOf(purged(decision(["1.0.0"]))(before)))
    assert.deepInclude(failureOf(released(decision(["1.0.0"]))(one)), { state: "purged" })
    assert.isFalse(one.releases.slice(0, 1).some(awaitsOperator))
    assert.strictEqual(failureOf(rescanRequested("1.0.0", 9)(one)), bytesPurged)
    assert.strictEqual(failureOf(yanked("1.0.0", "Old.", 9)(one)), bytesPurged)
    const content = { files: [], frontMatter: null }
    assert.strictEqual(failureOf(uploaded({ ...release("1.0.0"), ...content })(one)), bytesPurged)
    assert.deepInclude(failureOf(uploaded({ ...release("1.0.0", { sha256: digest("7") }), ...content })(one)), {
      state: "version_taken"
    })
    const [target] = one.releases
    assert.isDefined(target)
    const verdict = { level: "clean", ruleset: "2", findings: [] } as const
    const statement = { payloadType: "x", payload: "", signatures: [] }
    assert.deepStrictEqual(
      changeOf(
        scanned(
          { release: target, verdict, statement, itemFindings: { copies: [], names: [] } },
          { listingReview: "auto" },
          9
        )(one)
      ),
      {}
    )
    assert.deepStrictEqual(changeOf(bytesChecked(target, 9)(one)), {})
    const appeal = { id: freshId("apl"), itemId, creatorId: freshId("usr"), text: "No.", createdAt: 9, wanted: "1.0.0" }
    assert.deepInclude(failureOf(appealed(appeal)(one, [])), { state: "nothing_to_appeal" })
  })

  it("can be followed by a revocation, which stays purged (REVOKE-1)", () => {
    const one = changedItemReleases(before, changeOf(purged(decision(["1.0.0"]))(before)))
    const final = changedItemReleases(one, changeOf(revoked(revocation(["1.0.0"], 30))(one)))
    assert.deepInclude(final.releases[0], { status: "quarantined", purgedAt: 5 })
    assert.isTrue(final.releases[0]?.reason?.revoked)
  })
})
