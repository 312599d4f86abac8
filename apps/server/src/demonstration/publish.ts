import type { Operator } from "@agent-marketplace/core/admin/OperatorAction"
import { ItemControl } from "@agent-marketplace/core/advisories/ItemControl"
import { Sha256 } from "@agent-marketplace/core/blobs/Sha256"
import type { Caller } from "@agent-marketplace/core/identity/Caller"
import type { ItemId, ListingId } from "@agent-marketplace/core/ids/Ids"
import { Listings } from "@agent-marketplace/core/listings/Listings"
import { Releases } from "@agent-marketplace/core/releases/Releases"
import { Souls } from "@agent-marketplace/core/souls/Souls"
import { packArchive } from "@agent-marketplace/trust/archive/packArchive"
import { Effect, Stream } from "effect"
import { createHash } from "node:crypto"
import { eventually } from "./eventually.ts"
import { person } from "./people.ts"
import type { DemoSkill, DemoSoul } from "./shopItems.ts"

/** The operator's name in the log of actions, where the demonstration acts for the operator. */
export const demonstrationOperator: Operator = { name: "demonstration", requestId: "demonstration" }

const version = "1.0.0"

interface OwnItem {
  readonly id: ItemId
  readonly title: string
  readonly slug: string
}

/** The items of an account, in every state. */
const ownItems = Effect.fnUntraced(function* ({ accountId }: Caller) {
  const creatorId = accountId ?? undefined
  const { json } = yield* (yield* Listings).list({ creatorId, own: true, limit: 100, offset: 0 }, "skill", "all")
  return JSON.parse(json) as ReadonlyArray<OwnItem>
})

const archiveOf = ({ draft, steps }: DemoSkill): Uint8Array => {
  const name = draft.name.toLowerCase().replaceAll(" ", "-")
  const text = `---\nname: ${name}\ndescription: ${draft.description}\nversion: ${version}\n---\n\n# ${draft.name}\n\n${steps}\n`
  return packArchive([{ path: "SKILL.md", bytes: new TextEncoder().encode(text) }])
}

/** The skill on sale with its release: created, approved, uploaded and scanned as every other. What is there already is kept. */
export const publishSkill = Effect.fnUntraced(function* (skill: DemoSkill) {
  const listings = yield* Listings
  const releases = yield* Releases
  const control = yield* ItemControl
  const seller = yield* person(skill.seller)
  const known = (yield* ownItems(seller)).find(({ title }) => title === skill.draft.name)
  const id = (known?.id ?? (yield* listings.create(seller, skill.draft)).id) as ListingId
  yield* Effect.catchTag(listings.approve(id, {}, demonstrationOperator), "Conflict", () => Effect.void)
  const archive = archiveOf(skill)
  yield* releases.upload(seller, id, {
    version,
    receive: Effect.succeed({
      sha256: Sha256.make(createHash("sha256").update(archive).digest("hex")),
      size: archive.byteLength,
      bytes: Stream.succeed(archive),
      mediaType: "application/gzip"
    })
  })
  const status = yield* eventually(
    "the scan of a release",
    Effect.map(releases.find(seller, id, version), (found) => (found.status === "scanning" ? undefined : found.status))
  )
  // A release with warnings waits for the operator.
  if (status === "in_review")
    yield* Effect.catchTag(
      control.release(demonstrationOperator, id, { reason: "The demonstration shows an item with warnings." }),
      "Conflict",
      () => Effect.void
    )
  return { id: id as ItemId, name: skill.draft.name, slug: (yield* listings.detail(seller, id)).listing.slug }
})

export const publishSoul = Effect.fnUntraced(function* ({ draft, seller: role }: DemoSoul) {
  const seller = yield* person(role)
  const known = (yield* ownItems(seller)).find(({ title }) => title === draft.name)
  if (known !== undefined) return { id: known.id, name: draft.name, slug: known.slug }
  const { id, slug } = yield* (yield* Souls).create(seller, draft)
  return { id: id as ItemId, name: draft.name, slug }
})

/** A published item of the demonstration. */
export type Published = Effect.Success<ReturnType<typeof publishSoul>>
