import type { AccountId, ItemId, ReleaseId } from "@agent-marketplace/core/ids/Ids"
import { copyFindings, namesakeFindings } from "@agent-marketplace/core/releases/ItemFindings"
import type { ReleaseHead } from "@agent-marketplace/core/releases/Release"
import { shownLevel } from "@agent-marketplace/core/releases/Release"
import { scanned } from "@agent-marketplace/core/releases/ReleaseRules"
import type { AlikeRelease } from "@agent-marketplace/core/releases/ReleaseStore"
import type { ItemReleases } from "@agent-marketplace/core/releases/ItemReleases"
import { itemReleasesState } from "@agent-marketplace/core/releases/ItemReleases"
import type { Finding, Level } from "@agent-marketplace/core/releases/Verdict"
import { withFindings } from "@agent-marketplace/core/releases/Verdict"
import { Result } from "effect"
import { assert, describe, it } from "vitest"

const creator = "usr_own" as AccountId

const finding = (evidence: string, level: Level = "warn"): Finding => ({
  rule: "SKILL-COPY-001",
  level,
  family: "copies",
  file: "SKILL.md",
  line: 0,
  evidence,
  message: "A copy.",
  owasp: "AST04"
})

/** A release whose similarity is its only shingle, in percent. */
const release = (fields: Partial<AlikeRelease> & { readonly similar: number }): AlikeRelease => ({
  itemId: "lst_theirs" as ItemId,
  creatorId: "usr_other" as AccountId,
  listed: true,
  since: 10,
  shingles: [fields.similar],
  ...fields
})

const evidenceOf = (...releases: ReadonlyArray<AlikeRelease>) =>
  copyFindings(creator, { shingles: [1], releases }, ({ name, shingles: [share = 0] }) =>
    share < 70 ? undefined : finding(`${share} % as in ${name}`)
  ).map(({ evidence }) => evidence)

const own = (fields: Partial<AlikeRelease> & { readonly similar: number }) => release({ creatorId: creator, ...fields })

describe("copies", () => {
  it("the finding names the text that was on sale first, if everybody can see it (RELEASE-30)", () => {
    const [first, second] = ["lst_first" as ItemId, "lst_second" as ItemId]
    assert.deepStrictEqual(evidenceOf(), [])
    assert.deepStrictEqual(evidenceOf(release({ similar: 69 })), [])
    assert.deepStrictEqual(
      evidenceOf(
        release({ similar: 99, itemId: second, since: 2 }),
        release({ similar: 71, itemId: first, since: 1 }),
        release({ similar: 20, since: 0 })
      ),
      ["71 % as in lst_first"]
    )
    assert.deepStrictEqual(evidenceOf(release({ similar: 80, listed: false })), [
      "80 % as in an item that is not public"
    ])
  })

  it("a text whose creator had it on sale first is no copy, whoever repeated it since (RELEASE-30)", () => {
    assert.deepStrictEqual(evidenceOf(own({ similar: 75, since: 1 }), release({ similar: 100, since: 2 })), [])
    assert.deepStrictEqual(evidenceOf(own({ similar: 75, since: 3 }), release({ similar: 100, since: 2 })), [
      "100 % as in lst_theirs"
    ])
    assert.deepStrictEqual(
      evidenceOf(own({ similar: 60, since: 1 }), release({ similar: 100, since: 2 })),
      ["100 % as in lst_theirs"],
      "another text of the creator shows nothing"
    )
    assert.deepStrictEqual(evidenceOf(own({ similar: 100, since: 9 })), [], "the creator's own items are not compared")
  })
})

const head: ReleaseHead = {
  id: "rel_1" as ReleaseId,
  itemId: "lst_1" as ItemId,
  version: "1.0.0",
  mediaType: "application/gzip",
  sha256: "00" as ReleaseHead["sha256"],
  size: 10,
  status: "scanning",
  ruleset: null,
  level: null,
  itemFindings: [],
  decidedBy: "scan",
  awaits: null,
  reason: null,
  createdAt: 1,
  yankedAt: null,
  rescannedAt: null,
  rescanDue: false,
  purgedAt: null
}

const itemReleases: ItemReleases = {
  item: {
    id: "lst_1" as ItemId,
    kind: "listing",
    name: "Sorter",
    slug: "sorter",
    creatorId: creator,
    creatorName: "Ada",
    price: 0n as ItemReleases["item"]["price"],
    approved: true,
    deleted: false,
    quarantine: null,
    refusal: null
  },
  releases: [head],
  sold: false,
  quarantinedBytes: new Set(),
  quarantinedElsewhere: new Set()
}

const statement = { payloadType: "t", payload: "", signatures: [] }

const scannedWith = (
  before: ReleaseHead,
  level: Level,
  copies: ReadonlyArray<Finding>,
  names: ReadonlyArray<Finding>
) => {
  const verdict = { level, ruleset: `after ${before.ruleset}`, findings: [] }
  const rule = scanned(
    { release: head, verdict, itemFindings: { copies, names }, statement },
    { listingReview: "auto" },
    5
  )
  const [after] = Result.getOrThrow(rule({ ...itemReleases, releases: [before] })).changed ?? []
  return after ?? assert.fail("nothing changed")
}

describe("findings about the item", () => {
  const named = namesakeFindings({ name: "Sorter", same: null, popular: "lst_2" as ItemId })

  it("a copy waits for an operator, with the code of copies (RELEASE-30, RELEASE-7)", () => {
    const after = scannedWith(head, "notice", [finding("90 % as in lst_2")], [])
    assert.deepInclude(after, { status: "in_review", awaits: "operator", level: "warn" })
    assert.strictEqual(after.reason?.code, "copy")
    assert.strictEqual(scannedWith(head, "block", [finding("90 % as in lst_2")], []).status, "quarantined")
  })

  it("a name is shown and does not stop a release; a worse level of the bytes later still does (NAME-3, RELEASE-18)", () => {
    const after = scannedWith(head, "clean", [], named)
    assert.deepInclude(after, { status: "published", level: "clean", itemFindings: named })
    assert.strictEqual(shownLevel(after), "warn")
    assert.deepInclude(itemReleasesState({ ...itemReleases, releases: [after] }), { trust: "warn", quarantined: false })
    assert.strictEqual(scannedWith(after, "warn", [], named).status, "in_review")
    assert.strictEqual(scannedWith(after, "notice", [], []).status, "published")
  })

  it("the same name as another item is a notice, that of a popular one a warning (NAME-2, NAME-3)", () => {
    const found = { name: "x".repeat(150), same: "lst_2" as ItemId, popular: null }
    const [notice] = namesakeFindings(found)
    assert.deepInclude(notice, { rule: "SKILL-COPY-002", level: "notice", file: "", line: 0 })
    assert.include(notice?.evidence, "lst_2")
    assert.isAtMost(notice?.evidence.length ?? 1000, 200)
    assert.deepInclude(named[0], { rule: "SKILL-COPY-003", level: "warn", evidence: "Sorter, as lst_2" })
    assert.deepStrictEqual(namesakeFindings({ ...found, same: null }), [])
    assert.deepStrictEqual(namesakeFindings({ ...found, name: null }), [])
  })

  it("a verdict has the level of its worst finding and at most 100 findings, the worst first (RELEASE-8)", () => {
    const findings = Array.from({ length: 100 }, (_, n) => finding(String(n), n === 0 ? "block" : "notice"))
    const verdict = withFindings({ level: "block", ruleset: "r", findings }, [finding("added")])
    assert.lengthOf(verdict.findings, 100)
    assert.deepStrictEqual(
      verdict.findings.slice(0, 3).map(({ evidence }) => evidence),
      ["0", "added", "1"]
    )
    assert.strictEqual(verdict.level, "block")
    assert.strictEqual(withFindings({ level: "clean", ruleset: "r", findings: [] }, [finding("a")]).level, "warn")
  })
})
