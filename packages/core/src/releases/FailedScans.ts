import type { ReleaseId } from "../ids/Ids.ts"

interface Failures {
  /** How often the scan failed in a row. */
  readonly count: number
  /** How many of these failures were defects, not an unavailable store. */
  readonly defects: number
  /** When the release is scanned again. Unit: milliseconds. */
  readonly retryAt: number
}

/** The delay after the first failure; it doubles with each further one. Unit: milliseconds. */
const firstDelay = 1_000
const longestDelay = 600_000

/** The number of defects without a success in between after which a release gets the verdict of an incomplete scan (RELEASE-9). */
const mostDefects = 3

/** Remembers the releases whose scan failed, so that they neither block the others nor are scanned again without a pause (RELEASE-33). */
export class FailedScans {
  readonly #failures = new Map<ReleaseId, Failures>()

  /** Records a failed scan. True if the scan is to be given up: it failed too often, and not because a store was unavailable. */
  failed(id: ReleaseId, defect: boolean, now: number): boolean {
    const known = this.#failures.get(id)
    const count = (known?.count ?? 0) + 1
    const defects = (known?.defects ?? 0) + (defect ? 1 : 0)
    this.#failures.set(id, { count, defects, retryAt: now + Math.min(firstDelay * 2 ** (count - 1), longestDelay) })
    return defects >= mostDefects
  }

  /** Whether the scan of the release was given up. */
  isGivenUp(id: ReleaseId): boolean {
    return (this.#failures.get(id)?.defects ?? 0) >= mostDefects
  }

  succeeded(id: ReleaseId): void {
    this.#failures.delete(id)
  }

  /** The releases that wait for their next scan. Those that were not scanned again long after their time are forgotten. */
  waiting(now: number): ReadonlyArray<ReleaseId> {
    const waiting: Array<ReleaseId> = []
    for (const [id, { retryAt }] of this.#failures) {
      if (now > retryAt + 2 * longestDelay) this.#failures.delete(id)
      // A delay longer than the longest one means that the clock went back.
      else if (now < retryAt && retryAt - now <= longestDelay) waiting.push(id)
    }
    return waiting
  }
}
