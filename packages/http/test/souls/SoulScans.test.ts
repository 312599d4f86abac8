import type { Caller } from "@agent-marketplace/core/identity/Caller"
import type { KeyId } from "@agent-marketplace/core/ids/Ids"
import { EventLog } from "@agent-marketplace/core/events/EventLog"
import { defaultsOf } from "@agent-marketplace/core/fields/Field"
import { ReleaseScans } from "@agent-marketplace/core/releases/ReleaseScans"
import { soulFields } from "@agent-marketplace/core/souls/SoulFields"
import { SoulReleases } from "@agent-marketplace/core/souls/SoulReleases"
import { Souls } from "@agent-marketplace/core/souls/Souls"
import { SoulStore } from "@agent-marketplace/core/souls/SoulStore"
import { freshText } from "@agent-marketplace/testkit/fixtures/freshId"
import { openAccount } from "@agent-marketplace/testkit/fixtures/openAccount"
import { publishedSoul } from "@agent-marketplace/testkit/fixtures/publishedSoul"
import { usdt } from "@agent-marketplace/testkit/fixtures/usdt"
import { assert, describe, it } from "@effect/vitest"
import type { Layer } from "effect"
import { Effect, Fiber, Option } from "effect"
import { TestClock } from "effect/testing"
import type { ScriptedRules } from "../fixtures/scriptedTrust.ts"
import { marketLayer } from "../fixtures/startMarket.ts"

const [first, second] = ["2026.11.1", "2026.12.1"] as const

const callerOf = ({ id, name }: { readonly id: string; readonly name: string }): Caller => ({
  keyId: "key_1" as KeyId,
  scope: "FULL",
  agentId: null,
  accountId: id as Caller["accountId"],
  accountName: name,
  seller: true,
  tier: "free",
  hourlyLimit: null,
  expiresAt: null,
  frozen: null,
  agentFrozen: null
})

const newCaller = Effect.map(openAccount(), callerOf)

/** A text whose level is stated for each ruleset. */
const textOf = (level: string, later = level): string =>
  `# SOUL ${freshText()}\n\nBe kind.\n\nlevel: ${level}\nlevel by ${second}: ${later}\n`

const draftOf = (content: string) => ({
  ...defaultsOf(soulFields),
  name: `Soul ${freshText()}`,
  description: "A soul that tests are fond of.",
  price: usdt(0),
  content
})

const scanDue = Effect.flatMap(ReleaseScans, (scans) => scans.scanDue)

/** What the author sees of each version, the newest first. */
const versionsOf = Effect.fnUntraced(function* (caller: Caller, slug: string) {
  const { current, items } = yield* (yield* Souls).versions(caller, slug, { page: 1, limit: 100 })
  return {
    current,
    states: items.map(({ release, version }) => [version, release?.status, release?.level, release?.ruleset])
  }
})

/** The text that a stranger downloads; undefined if the soul is not on sale. */
const soldText = Effect.fnUntraced(function* (slug: string) {
  const found = yield* Effect.result((yield* Souls).download(yield* newCaller, slug))
  if (found._tag === "Success") return found.success.content
  assert.strictEqual(found.failure._tag, "NotFound")
  return undefined
})

const eventsOf = Effect.fnUntraced(function* (subject: string) {
  const events = yield* (yield* EventLog).read(undefined, 1000)
  return events.flatMap((event) => (event.subject === subject && event.type.startsWith("soul.") ? [event.type] : []))
})

/** A market whose rules the test changes. Time stands still, unless the test moves it. */
const inMarket = <A, E>(
  test: (rules: ScriptedRules) => Effect.Effect<A, E, Layer.Success<ReturnType<typeof marketLayer>>>
) => {
  const rules: ScriptedRules = { ruleset: first }
  return Effect.provide(test(rules), marketLayer({ rules }))
}

/** Runs the request while the clock moves by 15 seconds; it must wait for exactly that time. */
const waitsLongest = <A, E, R>(request: Effect.Effect<A, E, R>) =>
  Effect.gen(function* () {
    const fiber = yield* Effect.forkChild(request)
    yield* TestClock.adjust("14999 millis")
    assert.isUndefined(fiber.pollUnsafe(), "the request waits for the scan")
    yield* TestClock.adjust("1 millis")
    return yield* Fiber.join(fiber)
  })

describe("a scan of a text that takes long (SOUL-50)", () => {
  it.effect("the request waits for 15 seconds, the soul is in review, and the scan in the background decides", () =>
    inMarket((rules) =>
      Effect.gen(function* () {
        const souls = yield* Souls
        const author = yield* newCaller
        rules.seconds = 40
        const texts = [textOf("notice"), textOf("warn"), textOf("block")]
        // Two scans run at once in one process: the third one has not even begun.
        const made = yield* waitsLongest(
          Effect.forEach(texts, (text) => souls.create(author, draftOf(text)), { concurrency: "unbounded" })
        )
        for (const { id, slug } of made) {
          const { states } = yield* versionsOf(author, slug)
          assert.deepStrictEqual(states, [[1, "in_review", "warn", `${first}+incomplete`]])
          assert.isUndefined(yield* soldText(slug))
          assert.deepStrictEqual(yield* eventsOf(id), [])
        }
        rules.seconds = 0
        yield* scanDue
        yield* scanDue
        const seen = yield* Effect.forEach(made, ({ slug }) => versionsOf(author, slug))
        assert.deepStrictEqual(
          seen.flatMap(({ states }) => states),
          [
            [1, "published", "notice", first],
            [1, "in_review", "warn", first],
            [1, "quarantined", "block", first]
          ]
        )
        const sold = yield* Effect.forEach(made, ({ slug }) => soldText(slug))
        assert.deepStrictEqual(sold, [texts[0], undefined, undefined])
        const events = yield* Effect.forEach(made, ({ id }) => eventsOf(id))
        assert.deepStrictEqual(events, [["soul.created", "soul.downloaded"], [], []])
      })
    )
  )

  it.effect(
    "a changed text waits in review too, also of a soul without releases, and the last text is still sold",
    () =>
      inMarket((rules) =>
        Effect.gen(function* () {
          const souls = yield* Souls
          const account = yield* openAccount()
          const author = callerOf(account)
          const before = textOf("clean")
          const released = yield* souls.create(author, draftOf(before))
          const unreleased = yield* publishedSoul(account, {
            content: before.replace("kind", "kinder"),
            price: usdt(0)
          })
          rules.seconds = 40
          for (const { content, slug } of [released, unreleased]) {
            const after = `${content}\nBe brief.\n`
            const changed = yield* waitsLongest(souls.update(author, slug, { content: after }))
            assert.deepStrictEqual([changed.version, changed.content], [1, content])
            assert.strictEqual(yield* soldText(slug), content)
            rules.seconds = 0
            yield* scanDue
            assert.strictEqual((yield* versionsOf(author, slug)).current, 2)
            assert.strictEqual(yield* soldText(slug), after)
            rules.seconds = 40
          }
        })
      )
  )

  it.effect("a scan that ends in time decides at once", () =>
    inMarket((rules) =>
      Effect.gen(function* () {
        rules.seconds = 14
        const author = yield* newCaller
        const fiber = yield* Effect.forkChild((yield* Souls).create(author, draftOf(textOf("clean"))))
        yield* TestClock.adjust("14 seconds")
        const { slug } = yield* Fiber.join(fiber)
        assert.deepStrictEqual((yield* versionsOf(author, slug)).states, [[1, "published", "clean", first]])
      })
    )
  )
})

describe("a new ruleset scans the versions on sale again (SOUL-55)", () => {
  it.effect("a worse level takes a version off sale and says why, a better one changes only the verdict", () =>
    inMarket((rules) =>
      Effect.gen(function* () {
        const souls = yield* Souls
        const author = yield* newCaller
        const cases = [
          ["notice", "clean", "published"],
          ["notice", "notice", "published"],
          ["clean", "notice", "published"],
          ["notice", "warn", "in_review"],
          ["clean", "block", "quarantined"]
        ] as const
        const made = yield* Effect.forEach(cases, ([level, later]) =>
          souls.create(author, draftOf(textOf(level, later)))
        )
        yield* scanDue
        for (const [i, { slug }] of made.entries()) {
          const { states } = yield* versionsOf(author, slug)
          assert.deepStrictEqual(states, [[1, "published", cases[i]?.[0], first]], "the same rules change nothing")
        }
        rules.ruleset = second
        yield* scanDue
        yield* scanDue
        for (const [i, { id, slug }] of made.entries()) {
          const [, later, status] = cases[i] ?? assert.fail("a case for each soul")
          const [version] = (yield* souls.versions(author, slug, { page: 1, limit: 1 })).items
          const release = version?.release ?? assert.fail("each version has a release")
          assert.deepStrictEqual([release.status, release.level, release.ruleset], [status, later, second])
          if (status === "published") assert.isNull(release.reason)
          else assert.include(release.reason?.text ?? "", "SKILL-TEST-001")
          assert.strictEqual((yield* soldText(slug)) !== undefined, status === "published")
          const created = (yield* eventsOf(id)).filter((type) => type === "soul.created")
          assert.deepStrictEqual(created, ["soul.created"], "not sent again")
        }
      })
    )
  )

  it.effect("of a soul with several versions, the newest one that is still on sale takes its place", () =>
    inMarket((rules) =>
      Effect.gen(function* () {
        const souls = yield* Souls
        const author = yield* newCaller
        const texts = [textOf("clean", "block"), textOf("clean", "notice"), textOf("clean", "block")]
        const { slug } = yield* souls.create(author, draftOf(texts[0] ?? ""))
        for (const content of texts.slice(1)) yield* souls.update(author, slug, { content })
        assert.strictEqual(yield* soldText(slug), texts[2])
        rules.ruleset = second
        yield* scanDue
        yield* scanDue
        const { current, states } = yield* versionsOf(author, slug)
        assert.strictEqual(current, 2)
        assert.deepStrictEqual(states, [
          [3, "quarantined", "block", second],
          [2, "published", "notice", second],
          [1, "quarantined", "block", second]
        ])
        assert.strictEqual(yield* soldText(slug), texts[1])
      })
    )
  )
})

describe("versions from before souls had releases (SOUL-56)", () => {
  const adoptSome = Effect.flatMap(SoulReleases, (texts) => texts.adoptSome)

  it.effect("remain on sale, and each gets one signed release in the background", () =>
    inMarket(() =>
      Effect.gen(function* () {
        const account = yield* openAccount()
        const author = callerOf(account)
        const soul = yield* publishedSoul(account, { content: textOf("notice"), price: usdt(0) })
        assert.deepStrictEqual((yield* versionsOf(author, soul.slug)).states, [[1, undefined, undefined, undefined]])
        assert.strictEqual(yield* soldText(soul.slug), soul.content)
        const before = yield* eventsOf(soul.id)
        yield* adoptSome
        yield* adoptSome
        assert.deepStrictEqual((yield* versionsOf(author, soul.slug)).states, [[1, "published", "notice", first]])
        const { release } = yield* (yield* Souls).version(author, soul.slug, 1)
        const payload = JSON.parse(Buffer.from(release?.statement?.payload ?? "", "base64").toString())
        assert.deepInclude(payload.predicate, { itemId: soul.id, version: "1.0.0", level: "notice" })
        assert.strictEqual(yield* soldText(soul.slug), soul.content)
        const after = (yield* eventsOf(soul.id)).filter((type) => type !== "soul.downloaded")
        assert.deepStrictEqual(
          after,
          before.filter((type) => type !== "soul.downloaded"),
          "nothing is announced again"
        )
      })
    )
  )

  it.effect("remain on sale while their first scan takes long", () =>
    inMarket((rules) =>
      Effect.gen(function* () {
        const account = yield* openAccount()
        const soul = yield* publishedSoul(account, { content: textOf("clean"), price: usdt(0) })
        rules.seconds = 40
        yield* waitsLongest(adoptSome)
        const { states } = yield* versionsOf(callerOf(account), soul.slug)
        assert.deepStrictEqual(states, [[1, "published", "warn", `${first}+incomplete`]])
        assert.strictEqual(yield* soldText(soul.slug), soul.content)
        rules.seconds = 0
        yield* scanDue
        assert.deepStrictEqual((yield* versionsOf(callerOf(account), soul.slug)).states, [
          [1, "published", "clean", first]
        ])
        assert.strictEqual(yield* soldText(soul.slug), soul.content)
      })
    )
  )

  it.effect("get their release when the text is changed, even to one that is not on sale", () =>
    inMarket(() =>
      Effect.gen(function* () {
        const account = yield* openAccount()
        const author = callerOf(account)
        const { content, slug } = yield* publishedSoul(account, { content: textOf("clean"), price: usdt(0) })
        yield* (yield* Souls).update(author, slug, { content: textOf("block") })
        const { current, states } = yield* versionsOf(author, slug)
        assert.strictEqual(current, 1)
        assert.deepStrictEqual(states, [
          [2, "quarantined", "block", first],
          [1, "published", "clean", first]
        ])
        assert.strictEqual(yield* soldText(slug), content)
        const stored = Option.getOrThrow(yield* (yield* SoulStore).findBySlug(slug))
        assert.strictEqual(stored.content, content)
      })
    )
  )
})
