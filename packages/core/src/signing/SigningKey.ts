import { Timestamp } from "../clock/Timestamp.ts"

/** The public part of a key with which the market signs or signed (SIGN-1). */
export interface SigningKey {
  /** The thumbprint of RFC 7638 in base64url. */
  readonly keyId: string
  /** The 32 bytes of an Ed25519 public key, in base64url. */
  readonly publicKey: string
  readonly createdAt: Timestamp
  /** Signatures dated at this time or later are refused; null while the key signs (SIGN-5). */
  readonly retiredAt: Timestamp | null
  /** The last time a process reported that it uses the key. */
  readonly seenAt: Timestamp
}

/** How long the earlier key can still sign after a new key was registered. All processes must be restarted within this time. */
export const handover = Timestamp.minute

/** A process that has not reported its key for this long is considered stopped. */
export const seenInterval = 30 * Timestamp.second

/** Whether a process that still runs uses a key that was retired (SIGN-7). */
export const isUsedAfterRetirement = ({ retiredAt, seenAt }: SigningKey, now: Timestamp): boolean =>
  retiredAt !== null && seenAt > retiredAt && seenAt > now - 2 * seenInterval
