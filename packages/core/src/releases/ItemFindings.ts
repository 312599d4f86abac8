import { Effect, Option } from "effect"
import type { Sha256 } from "../blobs/Sha256.ts"
import type { StoreEffect } from "../errors/StoreEffect.ts"
import type { AccountId, ItemId } from "../ids/Ids.ts"
import type { AlikeReleases, NamedItem, Namesakes, ReleaseStore } from "./ReleaseStore.ts"
import type { Scanner } from "./Scanner.ts"
import type { Finding } from "./Verdict.ts"
import { storableFinding } from "./Verdict.ts"

/** The findings that depend on other items, so that equal bytes can have different ones. */
export interface ItemFindings {
  /** They count for the decision about the release (RELEASE-30). */
  readonly copies: ReadonlyArray<Finding>
  /** They are shown; the item waits as a whole because of its name (NAME-3). */
  readonly names: ReadonlyArray<Finding>
}

export const allOf = ({ copies, names }: ItemFindings): ReadonlyArray<Finding> => [...copies, ...names]

/** A scanned release, and the item that it is of. */
export interface ScannedItem extends NamedItem {
  readonly kind: "skill" | "soul"
  readonly sha256: Sha256
  readonly ruleset: string
}

/**
 * The finding about the first of the other creators' texts that the release repeats. Its creator's own text that is as similar, and was on
 * sale before, shows that the other one is the copy.
 */
export const copyFindings = (
  creator: AccountId,
  { releases, shingles }: AlikeReleases,
  compare: (other: { readonly name: string; readonly shingles: ReadonlyArray<number> }) => Finding | undefined
): ReadonlyArray<Finding> => {
  if (shingles.length === 0) return []
  const similar = releases.flatMap((other) => {
    const name = other.listed ? other.itemId : "an item that is not public"
    const finding = compare({ name, shingles: other.shingles })
    return finding === undefined ? [] : [{ ...other, finding }]
  })
  const first = similar.reduce<(typeof similar)[number] | undefined>(
    (earliest, one) => (earliest === undefined || one.since < earliest.since ? one : earliest),
    undefined
  )
  return first === undefined || first.creatorId === creator ? [] : [first.finding]
}

const shortName = (name: string): string =>
  name.length > 100 ? `${name.slice(0, 99).replace(/\p{Surrogate}$/u, "")}…` : name

const nameFinding = (level: "notice" | "warn", name: string, other: ItemId): Finding => ({
  rule: level === "warn" ? "SKILL-COPY-003" : "SKILL-COPY-002",
  level,
  family: "copies",
  file: "",
  line: 0,
  evidence: `${shortName(name)}, as ${other}`,
  message:
    level === "warn"
      ? "The name is that of another creator's popular item, or differs from it in one character. Choose another name."
      : "Another creator's item has the same name. Choose another name if buyers could mistake one for the other.",
  owasp: "AST04"
})

/** The finding about the name of an item (NAME-2, NAME-3). */
export const namesakeFindings = ({ name, popular, same }: Namesakes): ReadonlyArray<Finding> => {
  if (name === null) return []
  if (popular !== null) return [nameFinding("warn", name, popular)]
  return same === null ? [] : [nameFinding("notice", name, same)]
}

/** The findings about a scanned release that depend on other items, by two look-ups in indexes. */
export const findItemFindings = (
  store: ReleaseStore["Service"],
  { copyFinding }: Scanner["Service"],
  { kind, ruleset, sha256, ...item }: ScannedItem
): StoreEffect<ItemFindings> =>
  Effect.gen(function* () {
    const alike = yield* store.alike({ sha256, ruleset, creatorId: item.creatorId })
    const copies = Option.match(alike, {
      onNone: () => [],
      onSome: (found) => copyFindings(item.creatorId, found, (other) => copyFinding(kind, found.shingles, other))
    })
    const names = namesakeFindings(yield* store.namesakes(item))
    return { copies: copies.map(storableFinding), names: names.map(storableFinding) }
  })
