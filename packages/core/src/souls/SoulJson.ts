import { outputOf } from "../fields/Field.ts"
import type { Soul } from "./Soul.ts"
import { soulFields } from "./SoulFields.ts"

const item = outputOf(soulFields, "soul", "item")
const detail = outputOf(soulFields, "soul", "detail")

const head = (fields: object): string => JSON.stringify(fields).slice(0, -1)

/**
 * The JSON that readers get, made once by the write that changes a soul and kept beside it: an object text without its
 * closing brace (`head`), to which a store appends what changes more often, with {@link SoulJson.close}.
 */
export const SoulJson = {
  /** Every field of SOUL-1 but `downloads`. */
  itemHead: (soul: Soul): string => head(item(soul)),
  /** The item and the full text: SOUL-2. */
  detailHead: (soul: Soul): string => head(detail(soul)),
  close: (head: string, downloads: number): string => `${head},"downloads":${downloads}}`
}
