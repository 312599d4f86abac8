import { fold } from "../text/fold.ts"

/** What the slug of a new item starts from. */
export interface SlugRequest {
  readonly base: string
  /** The bare word is a route: the suffix is needed at once. */
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

/** Words for addresses: lower case, hyphens between, at most 100 characters (TEXT-5). */
export const Slug: {
  /** The slug of a name, accents folded; "" where the name leaves nothing (all CJK or emoji, say). */
  readonly of: (name: string) => string
  /**
   * What the slug of a new item starts from. Where the name leaves nothing it is the prefix and the 8 random characters
   * (`a`-`z`, `0`-`9`) (TEXT-7). `reserved`: the word is a route, so it needs a suffix even when it is free (TEXT-8).
   */
  readonly base: (
    name: string,
    fallbackPrefix: "soul" | "skill",
    random8: string
  ) => { readonly base: string; readonly reserved: boolean }
  /** `base-n`, the base cut so that the whole is at most 100 characters. */
  readonly withSuffix: (base: string, n: number) => string
  /** Whether a soul may carry it as its category: a slug of at most 50 characters. */
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
