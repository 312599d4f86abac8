import { fold } from "../text/fold.ts"
import { Slug } from "../slugs/Slug.ts"
import { confusables } from "./confusables.ts"

const textOf = (codes: string): string =>
  String.fromCodePoint(...codes.split("+").map((code) => Number.parseInt(code, 36)))

const readTable = (): ReadonlyMap<string, string> => {
  const prototypes = new Map<string, string>()
  for (const group of confusables.split(",")) {
    const [prototype, differences] = group.split("=")
    if (prototype === undefined || differences === undefined) continue
    const text = textOf(prototype)
    let code = 0
    for (const difference of differences.split(" ")) {
      code += Number.parseInt(difference, 36)
      prototypes.set(String.fromCodePoint(code), text)
    }
  }
  return prototypes
}

const prototypes = readTable()

/** The skeleton of Unicode TS 39: texts that look alike have the same one. It is not meant to be shown. */
const skeletonOf = (text: string): string =>
  Array.from(text.normalize("NFD"), (character) => prototypes.get(character) ?? character)
    .join("")
    .normalize("NFD")

const separators = /[\p{Dash_Punctuation}\p{Separator}\s]+/gu

const lowerSkeleton = (text: string): string => skeletonOf(text).toLowerCase()

/** `m` has the skeleton `rn`; as one letter again, it counts as one in a distance. */
const compact = (skeleton: string): string => skeleton.replace(separators, "").replaceAll("rn", "m")

/** An item's name as far as other names are compared with it (NAME-1). */
export interface NameKeys {
  /** The skeleton whose distance from other names is measured; the first of the keys. */
  readonly skeleton: string
  /** Two items look alike if they have one of these in common. */
  readonly keys: ReadonlyArray<string>
}

/** A name of which the slug keeps everything but case, accents and separators. */
const isWholeInSlug = (name: string): boolean => /^[a-z0-9\s_-]*$/.test(fold(name))

/** The creator's part of a slug: without the number that the market adds to make it unique. */
const ownPart = (slug: string, name: string): string | null => {
  const base = Slug.of(name)
  const suffixed = base !== "" && slug.startsWith(base) && /^(?:-\d+)?$/.test(slug.slice(base.length))
  if (!suffixed) return slug
  return isWholeInSlug(name) ? base : null
}

/**
 * The keys of a name and its slug (NAME-1): skeletons without case, hyphens and spaces. Case is dropped after and before the first
 * skeleton, because `I` looks like `l`, while `INVOICE` is still the word `invoice`. `slug` is null for a name that an
 * item claims: a slug that it has already keeps counting for others, but does not forbid the new name.
 */
export const nameKeys = (name: string, slug: string | null): NameKeys => {
  const skeleton = compact(lowerSkeleton(lowerSkeleton(name)))
  const part = slug === null ? (isWholeInSlug(name) ? Slug.of(name) : null) : ownPart(slug, name)
  const keys = [skeleton, compact(lowerSkeleton(lowerSkeleton(name.toLowerCase())))]
  if (part !== null && part !== "") keys.push(compact(lowerSkeleton(lowerSkeleton(part))))
  return { skeleton, keys: [...new Set(keys)] }
}
