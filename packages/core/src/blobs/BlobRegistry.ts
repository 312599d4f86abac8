import { Context } from "effect"
import type { StoreEffect } from "../errors/StoreEffect.ts"
import type { Sha256 } from "./Sha256.ts"

/** Which blobs garbage collection may claim. Times are in seconds. */
export interface ClaimTerms {
  readonly unusedFor: number
  readonly unfinishedFor: number
  readonly limit: number
}

/**
 * The blobs that are in use, stored in the database of the records that refer to them, so that garbage collection never removes bytes that an
 * upload is about to refer to (BLOB-6). The stores of those records add the references, in the same transaction as the record.
 *
 * Contract: a reference can only be added while the blob is announced or has another reference; otherwise the transaction fails with
 * `StoreUnavailable`. A claimed blob has no references and is not announced, and gets neither until its removal has ended. Times are of the
 * system's clock, not of the market's.
 */
export class BlobRegistry extends Context.Service<
  BlobRegistry,
  {
    /**
     * Announces the blobs before they are stored: garbage collection does not claim them for `unusedFor` seconds, in which a record must refer to
     * them. Fails with `StoreUnavailable` and changes nothing while one of them is being removed, which takes seconds. At most 5000 digests.
     */
    readonly announce: (blobs: ReadonlyArray<Sha256>) => StoreEffect<void>
    /**
     * Claims at most `limit` blobs without references that were last announced at least `unusedFor` seconds ago, or that were claimed at least
     * `unfinishedFor` seconds ago without `removed`. The caller must remove their bytes.
     */
    readonly claim: (terms: ClaimTerms) => StoreEffect<ReadonlyArray<Sha256>>
    /** Reports that the bytes of a claimed blob are removed. It can be announced again. */
    readonly removed: (blob: Sha256) => StoreEffect<void>
  }
>()("@agent-marketplace/core/blobs/BlobRegistry") {}
