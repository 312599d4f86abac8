import { fold } from "../text/fold.ts"

/** The input for the slug of a new item. */
export interface SlugRequest {
  readonly base: string
  /** The slug is reserved for a route, so it needs a suffix. */
  readonly reserved: boolean
}

const maxLength = 100

const maxCategoryLength = 50

const reservedWords: ReadonlySet<string> = new Set(
  (
    "create new me mine search download downloads reviews edit update delete list all featured popular categories " +
    "category tags admin api v1 index null undefined"
  ).split(" ")
)

const clip = (slug: string, length: number): string => slug.slice(0, length).replace(/-$/, "")

const of = (name: string): string => {
  const words = fold(name).match(/[a-z0-9]+/g) ?? []
  return clip(words.join("-"), maxLength)
}

/** Slugs for URLs: lower-case words joined by hyphens, at most 100 characters (TEXT-5). */
export const Slug: {
  /** The slug of a name, accents folded; "" if no letters remain, for example if all are CJK or emoji. */
  readonly of: (name: string) => string
  /**
   * The base of a new item's slug. For a name without a slug it is the prefix and the 8 random characters (`a`-`z`, `0`-`9`) (TEXT-7).
   * `reserved`: the word is a route, so the slug needs a suffix even if it is free (TEXT-8).
   */
  readonly base: (
    name: string,
    fallbackPrefix: "soul" | "skill",
    random8: string
  ) => { readonly base: string; readonly reserved: boolean }
  /** `base-n`, with the base shortened so that the slug has at most 100 characters. */
  readonly withSuffix: (base: string, n: number) => string
  /** Whether the value is a valid category of a soul: a slug of at most 50 characters. */
  readonly isCategory: (value: string) => boolean
} = {
  of,
  base: (name, fallbackPrefix, random8) => {
    const slug = of(name)
    return slug === ""
      ? { base: `${fallbackPrefix}-${random8}`, reserved: false }
      : { base: slug, reserved: reservedWords.has(slug) }
  },
  withSuffix: (base, n) => {
    const suffix = `-${n}`
    return clip(base, maxLength - suffix.length) + suffix
  },
  isCategory: (value) => value.length <= maxCategoryLength && /^[a-z0-9]+(?:-[a-z0-9]+)*$/.test(value)
}
