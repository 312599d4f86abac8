import { Timestamp } from "../clock/Timestamp.ts"
import { Usdt } from "../money/Usdt.ts"
import type { Soul } from "./Soul.ts"

type Written = Omit<Soul, "downloads">

/** Every field of SOUL-1 but `downloads`, as the fields are sent. */
const fields = (soul: Written) => ({
  id: soul.id,
  slug: soul.slug,
  name: soul.name,
  description: soul.description,
  price: Usdt.format(soul.price),
  category: soul.category,
  tags: soul.tags,
  author: soul.author,
  createdAt: Timestamp.toIso(soul.createdAt),
  updatedAt: Timestamp.toIso(soul.updatedAt)
})

/**
 * The JSON that readers get, made once by the write that changes a soul and kept beside it: an object text without its
 * closing brace (`head`), to which a store appends what changes more often, with {@link SoulJson.close}.
 */
export const SoulJson = {
  itemHead: (soul: Written): string => JSON.stringify(fields(soul)).slice(0, -1),
  /** The item and the full text: SOUL-2. */
  detailHead: (soul: Written): string => JSON.stringify({ ...fields(soul), content: soul.content }).slice(0, -1),
  close: (head: string, downloads: number): string => `${head},"downloads":${downloads}}`
}
