import type { DraftOf, RecordOf } from "../fields/Field.ts"
import type { soulFields } from "./SoulFields.ts"

/** A published SOUL.md and its metadata (SOUL-1, SOUL-2). */
export interface Soul extends RecordOf<typeof soulFields> {}

/** The fields of a soul that its author sets; the rules are defined with the fields. */
export interface SoulDraft extends DraftOf<typeof soulFields> {}

export type Visibility = Soul["visibility"]

/** Whether everybody may list, read and buy it (SOUL-5, SOUL-47, OPERATOR-8, RELEASE-10). */
export const isListed = ({ deleted, quarantined, suspension, visibility, withheld }: Soul): boolean =>
  visibility === "public" && !deleted && !withheld && !quarantined && suspension === null
