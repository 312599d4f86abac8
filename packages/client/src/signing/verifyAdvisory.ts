import type { PublicKeys } from "./checkSignature.ts"
import type { Envelope, EnvelopeRefusal } from "./verifyEnvelope.ts"
import { verifyEnvelope } from "./verifyEnvelope.ts"

/** An advisory as the market returns it: fields in JSON, and the envelope that signs the others. */
export interface SignedAdvisory {
  readonly envelope: Envelope
}

/** Why an advisory is not believed (SIGN-11). */
export type AdvisoryRefusal =
  | EnvelopeRefusal
  /** Its fields are not those that were signed. */
  | "other_fields"

export type AdvisoryCheck = { readonly valid: true } | { readonly valid: false; readonly reason: AdvisoryRefusal }

const sorted = (fields: object): string => JSON.stringify(Object.entries(fields).sort(([a], [b]) => (a < b ? -1 : 1)))

/** Checks without the network that the market signed exactly the fields of an advisory (SIGN-11). */
export const verifyAdvisory = async (
  { envelope, ...fields }: SignedAdvisory,
  keys: PublicKeys
): Promise<AdvisoryCheck> => {
  const type = "application/vnd.agent-marketplace.advisory+json"
  const verified = await verifyEnvelope(envelope, keys, type, ({ publishedAt }) => publishedAt)
  if ("reason" in verified) return { valid: false, reason: verified.reason }
  return sorted(verified.payload) === sorted(fields) ? { valid: true } : { valid: false, reason: "other_fields" }
}
