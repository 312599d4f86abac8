import { Timestamp } from "../clock/Timestamp.ts"
import type { AccountId } from "../ids/Ids.ts"

/** How long the result of an Idempotency-Key is kept, in milliseconds (IDEMPOTENCY-2). */
export const resultLifetime = Timestamp.day

/** The Idempotency-Key of a request. Keys belong to an account (IDEMPOTENCY-5). */
export interface Idempotency {
  readonly accountId: AccountId | "admin"
  /** 1 to 255 characters. */
  readonly key: string
  /** The endpoint and the normalised request; 1.5 and 1.50 are equal (ERROR-15). */
  readonly fingerprint: string
}

/** A result, and whether it was returned before. */
export interface Replayable<A> {
  readonly value: A
  /** Whether it was returned before for the same Idempotency-Key. */
  readonly replayed: boolean
}

/** The endpoint and the normalised request as one text. Requests with the same text are the same request. */
export const fingerprint = (endpoint: string, ...parts: ReadonlyArray<string | bigint | boolean>): string =>
  JSON.stringify([endpoint, ...parts.map(String)])

/** The idempotency of a request, if it has an Idempotency-Key. */
export const keyed = (
  accountId: AccountId | "admin",
  key: string | undefined,
  fingerprint: string
): Idempotency | undefined => (key === undefined ? undefined : { accountId, key, fingerprint })
