import type { Endpoints } from "@agent-marketplace/client/wire/Endpoints"

type Input = Endpoints["POST /v1/listings"]["input"]
type Detail = Endpoints["GET /v1/listings/:id"]["data"]

/** What the form contains: the text of each field. */
export const emptyListing = {
  name: "",
  description: "",
  longDescription: "",
  category: "productivity",
  price: "",
  currency: "USDT",
  pricingModel: "one_time",
  installUrl: "",
  documentationUrl: "",
  videoUrl: "",
  screenshots: "",
  tags: "",
  maxActivations: ""
}

export type ListingDraft = typeof emptyListing

export const draftOf = (listing: Detail): ListingDraft => ({
  name: listing.pendingChanges?.name ?? listing.name,
  description: listing.description,
  longDescription: listing.longDescription ?? "",
  category: listing.category,
  price: String(listing.price),
  currency: listing.currency,
  pricingModel: listing.pendingChanges?.pricingModel ?? listing.pricingModel,
  installUrl: listing.pendingChanges?.installUrl ?? listing.installUrl ?? "",
  documentationUrl: listing.documentationUrl ?? "",
  videoUrl: listing.videoUrl ?? "",
  screenshots: listing.screenshots.join("\n"),
  tags: listing.tags.join(", "),
  maxActivations: listing.maxActivations === null ? "" : String(listing.maxActivations)
})

export const parts = (text: string, separator: string): ReadonlyArray<string> =>
  text
    .split(separator)
    .map((part) => part.trim())
    .filter((part) => part !== "")

const orNull = (text: string): string | null => (text.trim() === "" ? null : text.trim())

/** What is sent to the market. An empty optional field is null. */
export const listingInput = (draft: ListingDraft): Input => ({
  name: draft.name.trim(),
  description: draft.description.trim(),
  longDescription: orNull(draft.longDescription),
  category: draft.category as Input["category"],
  price: draft.price.trim(),
  currency: draft.currency as Input["currency"],
  pricingModel: draft.pricingModel as Input["pricingModel"],
  installUrl: draft.installUrl.trim(),
  documentationUrl: orNull(draft.documentationUrl),
  videoUrl: orNull(draft.videoUrl),
  screenshots: parts(draft.screenshots, "\n"),
  tags: parts(draft.tags, ","),
  maxActivations: draft.maxActivations.trim() === "" ? null : Number(draft.maxActivations)
})

/** The fields of `after` that differ from `before`. */
export const changedFields = <A extends object>(before: A, after: A): Partial<A> => {
  const old = new Map<string, unknown>(Object.entries(before))
  const changed = Object.entries(after).filter(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(old.get(name))
  )
  return Object.fromEntries(changed) as Partial<A>
}

/** The objection to a field, or to a part of it. */
export const issueOf = (issues: ReadonlyMap<string, string>, name: string): string | undefined =>
  [...issues].find(([path]) => path === name || path.startsWith(`${name}[`) || path.startsWith(`${name}.`))?.[1]
