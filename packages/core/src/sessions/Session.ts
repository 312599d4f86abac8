import type { Timestamp } from "../clock/Timestamp.ts"
import { Timestamp as Time } from "../clock/Timestamp.ts"
import type { AccountId, KeyId, SessionId } from "../ids/Ids.ts"

/** How a session was started. */
export const sessionMethods = ["key", "link", "admin_token", "passkey"] as const

export type SessionMethod = (typeof sessionMethods)[number]

/** A person who is signed in with a browser (SESSION-1). Only the SHA-256 of the cookie's secret is stored (lowercase hex). */
export interface Session {
  readonly id: SessionId
  readonly hash: string
  /** Null for a session that the operator's token started. */
  readonly accountId: AccountId | null
  /** The key that started the session, directly or through a link: the session ends with it (SESSION-12). */
  readonly keyId: KeyId | null
  readonly method: SessionMethod
  /** Identifies the operator's token that started the session, which ends when the token changes. */
  readonly tokenHash: string | null
  /** The browser, as it names itself. */
  readonly userAgent: string | null
  /** Until when the person counts as confirmed by a passkey; null if never confirmed. */
  readonly elevatedUntil: Timestamp | null
  readonly createdAt: Timestamp
  /** Stored with a delay of about a second. */
  readonly lastUsedAt: Timestamp
  /** The latest end, even with use: 30 days after the start, or earlier if the key that started the session expires earlier. */
  readonly expiresAt: Timestamp
}

/** A session ends after this time without use (SESSION-8). */
export const idleTime = 12 * Time.hour

/** No session lasts longer than this (SESSION-8). */
export const longestSession = 30 * Time.day

/** How long a sign-in link works (SESSION-6). */
export const linkLifetime = 2 * Time.minute

/** When the session ends unless it is used again. */
export const endOf = ({ expiresAt, lastUsedAt }: Pick<Session, "expiresAt" | "lastUsedAt">): Timestamp =>
  Math.min(expiresAt, lastUsedAt + idleTime)

/** A link that signs in once. Only the SHA-256 of its secret is stored. */
export interface SignInLink {
  readonly hash: string
  readonly accountId: AccountId
  /** The key or session that created the link. The link does not work after its end. */
  readonly madeBy: KeyId
  readonly expiresAt: Timestamp
}
