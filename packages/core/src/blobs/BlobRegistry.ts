import { Context, Data } from "effect"
import type { StoreEffect } from "../errors/StoreEffect.ts"
import type { Sha256 } from "./Sha256.ts"

/** Why a reference cannot be added: the blob is not announced, or no longer. It is the cause of a `StoreUnavailable`. */
export class BlobRemoved extends Data.TaggedError("BlobRemoved")<{ readonly owner: string }> {
  override readonly message = `a blob of ${this.owner} was removed: the upload must be repeated`
}

/** Blobs after a claim of certain ones. */
export interface ClaimedBlobs {
  readonly claimed: ReadonlyArray<Sha256>
  /** Those of an earlier claim whose removal has not ended. */
  readonly removing: ReadonlyArray<Sha256>
}

/** Which blobs garbage collection may claim. Times are in seconds. */
export interface ClaimTerms {
  readonly unusedFor: number
  readonly unfinishedFor: number
  readonly limit: number
}

/**
 * The blobs that are in use, stored in the database of the records that refer to them, so that garbage collection never removes bytes that an
 * upload is about to refer to (BLOB-6). The stores of those records add the references, in the same transaction as the record. When a record is purged,
 * its store removes its references, and makes the blobs that have none left due for `claim` at once (PURGE-2).
 *
 * Contract: a reference can only be added while the blob is announced or has another reference; otherwise the transaction fails with
 * `StoreUnavailable`, whose cause is `BlobRemoved`. A claimed blob has no references and is not announced, and gets neither until its removal has ended. Times are of the
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
    /**
     * Claims those of these blobs that have no references, whenever they were announced, and also if they were not: an upload may have stored them
     * after an earlier removal. An upload that announced one of them and does not refer to it yet will fail and must be repeated. The caller must
     * remove their bytes. At most 5000 digests.
     */
    readonly claimUnused: (blobs: ReadonlyArray<Sha256>) => StoreEffect<ClaimedBlobs>
    /** Reports that the bytes of a claimed blob are removed. It can be announced again. */
    readonly removed: (blob: Sha256) => StoreEffect<void>
  }
>()("@agent-marketplace/core/blobs/BlobRegistry") {}
