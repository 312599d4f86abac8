import type { AccountId } from "../ids/Ids.ts"
import type { Idempotency } from "./Command.ts"

/** The endpoint and the normalised request as one text: two requests with the same text are the same request. */
export const fingerprint = (endpoint: string, ...parts: ReadonlyArray<string | bigint | boolean>): string =>
  JSON.stringify([endpoint, ...parts.map(String)])

/** The Idempotency-Key of a request that carried one. */
export const keyed = (
  accountId: AccountId | "admin",
  key: string | undefined,
  fingerprint: string
): Idempotency | undefined => (key === undefined ? undefined : { accountId, key, fingerprint })
