import { Context, Effect, Layer, Option } from "effect"
import { NotFound } from "../errors/MarketError.ts"
import type { StoreEffect } from "../errors/StoreEffect.ts"
import type { Release, ReleaseFile } from "./Release.ts"
import type { FreeSkill } from "./ReleaseStore.ts"
import { ReleaseStore } from "./ReleaseStore.ts"

/** A free skill in the form that installers read. */
export interface PublicSkill {
  /** Unique in the market, and a name of the Agent Skills format. */
  readonly name: string
  readonly description: string
  readonly files: ReadonlyArray<ReleaseFile>
}

/** The maximum number of skills in the index (INSTALLER-2). */
const mostSkills = 100

/** The maximum number of files of all skills in the index together. Some installers download them all at once, which must stay below the rate limit. */
const mostFiles = 1000

/** A skill with more files is not offered to other installers (INSTALLER-4). */
const mostFilesOfSkill = 250

/** Some skills cannot be offered (INSTALLER-4), so more are read than the index lists. */
const candidates = 2 * mostSkills

/** The longest name of the Agent Skills format. */
const longestName = 64

/** The slug, or the id if the slug is longer than a name may be (INSTALLER-3). */
const nameOf = ({ itemId, slug }: Pick<FreeSkill, "itemId" | "slug">): string =>
  slug.length <= longestName ? slug : itemId.replace("_", "-")

/**
 * Whether installers reach every file. They join paths to addresses without escaping them, and one entry with `..` makes some of them refuse the
 * whole index. A file below `.well-known/` could pose as an index of skills that were never scanned.
 */
const isReachable = ({ path }: ReleaseFile): boolean =>
  !/[#?%\\]/.test(path) && !path.includes("..") && !path.toLowerCase().startsWith(".well-known/")

const publicSkill = (skill: FreeSkill, { files, frontMatter }: Release): PublicSkill | undefined => {
  if (frontMatter === null || files.length > mostFilesOfSkill || !files.every(isReachable)) return undefined
  return { name: nameOf(skill), description: frontMatter.description.trim(), files }
}

/** The first skills that together have at most `mostFiles` files. */
const bounded = (skills: ReadonlyArray<PublicSkill>): ReadonlyArray<PublicSkill> => {
  let files = 0
  return skills
    .filter((skill) => {
      const fits = files + skill.files.length <= mostFiles
      if (fits) files += skill.files.length
      return fits
    })
    .slice(0, mostSkills)
}

const notFound = new NotFound({ resource: "LISTING" })

/** Free skills for other installers (INSTALLER-1). A skill that is no longer on sale is absent from the next call. */
export class PublicSkills extends Context.Service<
  PublicSkills,
  {
    /** The most sold ones. */
    readonly index: StoreEffect<ReadonlyArray<PublicSkill>>
    readonly find: (name: string) => StoreEffect<PublicSkill, NotFound>
  }
>()("@agent-marketplace/core/releases/PublicSkills") {
  static readonly layer = Layer.effect(
    PublicSkills,
    Effect.gen(function* () {
      const store = yield* ReleaseStore
      // Releases never change, so those of the last index are kept.
      let known: ReadonlyMap<string, PublicSkill | undefined> = new Map()

      const keyOf = ({ itemId, slug, version }: FreeSkill): string => `${itemId} ${slug} ${version}`

      const load = Effect.fnUntraced(function* (skill: FreeSkill) {
        const found = yield* store.find(skill.itemId, skill.version)
        return Option.isNone(found) ? undefined : publicSkill(skill, found.value)
      })

      const read = Effect.fnUntraced(function* (skill: FreeSkill) {
        const key = keyOf(skill)
        return [key, known.has(key) ? known.get(key) : yield* load(skill)] as const
      })

      return {
        index: Effect.gen(function* () {
          const onSale = yield* store.freeSkills(candidates)
          known = new Map(yield* Effect.forEach(onSale, read, { concurrency: 4 }))
          return bounded([...known.values()].filter((skill) => skill !== undefined))
        }),
        find: Effect.fn("PublicSkills.find")(function* (name) {
          const byId = /^lst-[0-9a-z]+$/.test(name) ? yield* store.freeSkills(1, name.replace("-", "_")) : []
          const named = [...byId, ...(yield* store.freeSkills(1, name))].find((skill) => nameOf(skill) === name)
          const skill = named === undefined ? undefined : yield* load(named)
          return skill ?? (yield* notFound)
        })
      }
    })
  )
}
