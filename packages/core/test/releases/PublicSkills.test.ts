import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Option } from "effect"
import type { Sha256 } from "../../src/blobs/Sha256.ts"
import type { ListingId } from "../../src/ids/Ids.ts"
import { PublicSkills } from "../../src/releases/PublicSkills.ts"
import type { Release } from "../../src/releases/Release.ts"
import type { FreeSkill } from "../../src/releases/ReleaseStore.ts"
import { ReleaseStore } from "../../src/releases/ReleaseStore.ts"

const sha256 = "0".repeat(64) as Sha256

const skill = (n: number): FreeSkill => ({ itemId: `lst_${n}` as ListingId, slug: `skill-${n}`, version: "1.0.0" })

/** A store of free skills with these numbers of files, and how often it was asked for a release. */
const market = (fileCounts: ReadonlyArray<number>, pathOf = (n: number) => `${n}.md`) => {
  const reads = { count: 0 }
  const shelf = { skills: fileCounts.map((_, n) => skill(n)) }
  const releaseOf = (item: string): Pick<Release, "files" | "frontMatter"> => ({
    files: Array.from({ length: fileCounts[Number(item.slice(4))] ?? 0 }, (_, n) => ({
      path: pathOf(n),
      size: 1,
      sha256
    })),
    frontMatter: { name: "skill", description: " Does it.\n" }
  })
  const store = Layer.mock(ReleaseStore, {
    freeSkills: (limit) => Effect.sync(() => shelf.skills.slice(0, limit)),
    find: (item) =>
      Effect.sync(() => {
        reads.count += 1
        return Option.some(releaseOf(item) as Release)
      })
  })
  return { reads, shelf, layer: Layer.provide(PublicSkills.layer, store) }
}

describe("PublicSkills", () => {
  it.effect("lists at most 100 skills with at most 1,000 files, and passes over what does not fit (INSTALLER-2)", () =>
    Effect.gen(function* () {
      const small = market(Array.from({ length: 150 }, () => 1))
      const many = yield* Effect.provide(
        Effect.flatMap(PublicSkills, ({ index }) => index),
        small.layer
      )
      assert.lengthOf(many, 100)
      assert.deepInclude(many[0], { name: "skill-0", description: "Does it." })
      const large = market([250, 250, 250, 249, 2, 1, 1])
      const few = yield* Effect.provide(
        Effect.flatMap(PublicSkills, ({ index }) => index),
        large.layer
      )
      assert.deepStrictEqual(
        few.map(({ files }) => files.length),
        [250, 250, 250, 249, 1]
      )
    })
  )

  it.effect("asks what is on sale each time, and reads a release once (INSTALLER-1)", () => {
    const { layer, reads, shelf } = market([1, 1, 1])
    return Effect.gen(function* () {
      const { index } = yield* PublicSkills
      assert.lengthOf(yield* index, 3)
      shelf.skills = shelf.skills.slice(1)
      assert.deepStrictEqual(
        (yield* index).map(({ name }) => name),
        ["skill-1", "skill-2"]
      )
      assert.strictEqual(reads.count, 3)
    }).pipe(Effect.provide(layer))
  })

  it.effect("passes over skills whose files installers would skip, or could read as an index (INSTALLER-4)", () =>
    Effect.gen(function* () {
      const offered = (count: number, path?: string) =>
        Effect.provide(
          Effect.flatMap(PublicSkills, ({ index }) => index),
          market([count], path === undefined ? undefined : () => path).layer
        )
      for (const path of [
        "a#b.md",
        "100%.md",
        "a..b.md",
        "b/..c",
        ".well-known/x",
        ".Well-Known/agent-skills/index.json"
      ]) {
        assert.isEmpty(yield* offered(1, path), path)
      }
      for (const path of ["a b.md", "ü.md", "well-known/x", "a/.well-known/x"])
        assert.lengthOf(yield* offered(1, path), 1)
      assert.lengthOf(yield* offered(250), 1)
      assert.isEmpty(yield* offered(251))
    })
  )
})
