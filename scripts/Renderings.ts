import { createHash } from "node:crypto"
import type { Fields } from "@agent-marketplace/core/fields/Field"
import { listingFields, listingRendering } from "@agent-marketplace/core/listings/ListingFields"
import { ListingJson } from "@agent-marketplace/core/listings/ListingJson"
import { soulFields, soulRendering } from "@agent-marketplace/core/souls/SoulFields"
import { SoulJson } from "@agent-marketplace/core/souls/SoulJson"

/** The stored JSON of one kind of record for its current rendering version. */
export interface Rendering {
  readonly rendering: number
  readonly checksum: string
}

const samples = {
  text: "text",
  texts: ["one", "two"],
  amount: 1_500_000n,
  flag: true,
  integer: 7,
  time: 0,
  json: { a: 1 }
} as const

/** A record that has a value in each of its fields. */
const sampleOf = (fields: Fields) =>
  Object.fromEntries(Object.entries(fields).map(([name, { type }]) => [name, type.values?.[0] ?? samples[type.kind]]))

const checksumOf = (heads: ReadonlyArray<string>): string =>
  createHash("sha256").update(JSON.stringify(heads)).digest("hex")

const listing = sampleOf(listingFields) as never
const soul = sampleOf(soulFields) as never

/** The renderings of the current source. */
export const renderings: Readonly<Record<string, Rendering>> = {
  listings: {
    rendering: listingRendering,
    checksum: checksumOf([
      ListingJson.listingHead(listing),
      ListingJson.skillHead(listing),
      ListingJson.skillDetailHead(listing)
    ])
  },
  souls: {
    rendering: soulRendering,
    checksum: checksumOf([SoulJson.itemHead(soul), SoulJson.detailHead(soul)])
  }
}

/** Reports stored JSON that changed without a new rendering version, because existing rows would never be rendered again. */
export const renderingProblems = (
  committed: Readonly<Record<string, Rendering>>,
  found: Readonly<Record<string, Rendering>> = renderings
): ReadonlyArray<string> =>
  Object.entries(found).flatMap(([kind, { checksum, rendering }]) => {
    const before = committed[kind]
    if (before === undefined || before.checksum === checksum) return []
    return rendering > before.rendering
      ? []
      : [`${kind}: the stored JSON changed; raise its rendering number above ${before.rendering}`]
  })
