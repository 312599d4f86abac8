import { outputOf } from "@agent-marketplace/core/fields/Field"
import type { Soul } from "@agent-marketplace/core/souls/Soul"
import { soulFields } from "@agent-marketplace/core/souls/SoulFields"
import { Timestamp } from "@agent-marketplace/core/clock/Timestamp"
import type { ChangedVersion, ReadableVersion, ReleasedVersion } from "@agent-marketplace/core/souls/Souls"
import { toRelease } from "../releases/ReleaseWire.ts"
import type { AdminSoul, SoulCreated, SoulDownloaded, SoulVersion, SoulVersionText } from "./SoulSchemas.ts"

const detail = outputOf(soulFields, "soul", "detail", { guarded: true })
const own = outputOf(soulFields, "own", "detail")

/** The response body of SOUL-30. */
export const toSoulCreated = (soul: Soul): typeof SoulCreated.Type => {
  const { author, category, createdAt, description, id, name, price, slug, tags } = detail(soul)
  return { id, slug, name, description, price, category, tags, author, createdAt }
}

const item = outputOf(soulFields, "soul", "item", { guarded: true })

/** What an operator sees of a soul (OPERATOR-12). */
export const toAdminSoul = (soul: Soul): typeof AdminSoul.Type => ({
  ...item(soul),
  authorId: soul.authorId,
  version: soul.version,
  ...own(soul),
  status: soul.suspension === null ? "active" : "suspended"
})

const versionFields = ({ createdAt, release, version }: ReleasedVersion) => ({
  version,
  createdAt: Timestamp.toIso(createdAt),
  release: release === null ? null : toRelease(release)
})

/** One entry of the list of versions (SOUL-39); `current` is the number of the text on sale. */
export const toSoulVersion = (one: ReleasedVersion, current: number): typeof SoulVersion.Type => ({
  ...versionFields(one),
  current: one.version === current
})

/** A version after its author changed it (SOUL-57, SOUL-58). */
export const toChangedVersion = ({ current, ...version }: ChangedVersion): typeof SoulVersion.Type =>
  toSoulVersion(version, current)

/** The text of a version (SOUL-40). */
export const toSoulVersionText = (read: ReadableVersion): typeof SoulVersionText.Type => ({
  ...versionFields(read),
  content: read.content,
  preview: read.preview
})

/** The response body of a download (SOUL-36). */
export const toSoulDownloaded = ({ content, slug, version }: Soul): typeof SoulDownloaded.Type => ({
  slug,
  content,
  version
})
