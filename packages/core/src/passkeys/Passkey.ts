import type { Timestamp } from "../clock/Timestamp.ts"
import { Timestamp as Time } from "../clock/Timestamp.ts"
import type { AccountId, PasskeyId, SessionId } from "../ids/Ids.ts"

/** The public data of a passkey, as the service stores them. Binary values are base64url. */
export interface Credential {
  readonly credentialId: string
  /** COSE. */
  readonly publicKey: string
  /** Grows with each use of an authenticator that counts; always 0 for one that does not. */
  readonly counter: number
  /** How the browser reaches the authenticator, as the browser says. */
  readonly transports: ReadonlyArray<string>
  /** Whether the passkey is stored in more than one device. */
  readonly backedUp: boolean
}

/** A passkey with which a person signs in and confirms (PASSKEY-1). */
export interface Passkey extends Credential {
  readonly id: PasskeyId
  readonly accountId: AccountId
  readonly name: string
  readonly createdAt: Timestamp
  readonly lastUsedAt: Timestamp | null
}

/** The purpose of a challenge. */
export const challengePurposes = ["register", "sign_in", "step_up"] as const

export type ChallengePurpose = (typeof challengePurposes)[number]

/** A challenge that an authenticator signs. It is accepted once (PASSKEY-5). */
export interface Challenge {
  /** 256 random bits, base64url. */
  readonly challenge: string
  readonly purpose: ChallengePurpose
  /** The session that requested it; null for signing in. */
  readonly sessionId: SessionId | null
  readonly expiresAt: Timestamp
}

/** How long a challenge is accepted (PASSKEY-5). */
export const challengeLifetime = 5 * Time.minute

/** How long a confirmation lasts (SESSION-17). */
export const elevation = 5 * Time.minute

/** Passkeys that one account may have (PASSKEY-2). */
export const mostPasskeys = 20

/** Whether an authenticator may report this counter. A counter that does not grow means that the passkey was copied (PASSKEY-7). */
export const isNewer = (counter: number, stored: number): boolean => counter > stored || (counter === 0 && stored === 0)
