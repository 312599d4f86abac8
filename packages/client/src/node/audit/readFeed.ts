import { createHash } from "node:crypto"
import type { CallOptions } from "../../requests/Send.ts"
import type { PublicKeys } from "../../signing/checkSignature.ts"
import { verifyAdvisory } from "../../signing/verifyAdvisory.ts"
import type { Advisory } from "../../wire/Endpoints.ts"
import type { Market } from "../Market.ts"

/** The feed of advisories is not believed: a signature or the chain is wrong, or it is shorter than before (ADVISORY-8, ADVISORY-9). */
export class AdvisoryFeedError extends Error {
  constructor(message: string) {
    super(message)
    this.name = "AdvisoryFeedError"
  }
}

/** The last advisory of a feed, and the SHA-256 of its payload in hex. */
export interface FeedCursor {
  readonly id: string
  readonly digest: string
}

/** The verified feed, oldest first, and its end; null if it is empty. */
export interface VerifiedFeed {
  readonly advisories: ReadonlyArray<Advisory>
  readonly end: FeedCursor | null
}

const digestOf = ({ envelope }: Advisory): string =>
  createHash("sha256").update(Buffer.from(envelope.payload, "base64")).digest("hex")

/**
 * Reads the whole feed and verifies every signature and the chain. Rejects with an `AdvisoryFeedError` if one of them is wrong, or if the feed
 * does not contain the advisory with which it ended before.
 */
export const readFeed = async (
  market: Pick<Market, "advisories">,
  keys: PublicKeys,
  before: FeedCursor | undefined,
  options?: CallOptions
): Promise<VerifiedFeed> => {
  const advisories: Array<Advisory> = []
  let end: FeedCursor | null = null
  let found = before === undefined
  for await (const advisory of market.advisories.iterate({}, options)) {
    const { id, previous } = advisory
    const checked = await verifyAdvisory(advisory, keys)
    if (!checked.valid) throw new AdvisoryFeedError(`the advisory ${id} is not signed by the market: ${checked.reason}`)
    if (previous !== (end?.digest ?? null))
      throw new AdvisoryFeedError(
        `the advisory ${id} does not follow ${end?.id ?? "the start of the feed"}: one is missing`
      )
    end = { id, digest: digestOf(advisory) }
    found ||= before?.id === id && before.digest === end.digest
    advisories.push(advisory)
  }
  if (!found)
    throw new AdvisoryFeedError(`the feed of advisories no longer contains ${before?.id}, which it contained before`)
  return { advisories, end }
}
