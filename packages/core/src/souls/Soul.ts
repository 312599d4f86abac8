import type { Timestamp } from "../clock/Timestamp.ts"
import type { AccountId, SoulId } from "../ids/Ids.ts"
import type { Usdt } from "../money/Usdt.ts"

export type Visibility = "public" | "private"

/** A published SOUL.md with what is known about it (SOUL-1, SOUL-2). */
export interface Soul {
  readonly id: SoulId
  readonly slug: string
  readonly name: string
  readonly description: string
  readonly price: Usdt
  readonly category: string
  readonly tags: ReadonlyArray<string>
  readonly authorId: AccountId
  /** The author account's name (SOUL-32). */
  readonly author: string
  readonly content: string
  /** Counts up from 1 with every change of the content; earlier ones are kept. */
  readonly version: number
  readonly visibility: Visibility
  readonly deleted: boolean
  readonly downloads: number
  readonly createdAt: Timestamp
  readonly updatedAt: Timestamp
}
