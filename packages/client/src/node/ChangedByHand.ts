import { InstallError } from "./InstallError.ts"
import type { Difference } from "./tree/differencesOf.ts"
import { quoted } from "./tree/quoted.ts"

const mostShown = 20

/** The differences as text. */
export const differencesText = (differences: ReadonlyArray<Difference>): string => {
  const shown = differences.slice(0, mostShown).map(({ difference, path }) => `${quoted(path)} (${difference})`)
  const more = differences.length - shown.length
  return [...shown, ...(more > 0 ? [`${more} more`] : [])].join(", ")
}

/** The install would discard changes that were made by hand. Nothing was changed. */
export class ChangedByHand extends InstallError {
  override readonly name = "ChangedByHand"
  /** The files that would be lost. */
  readonly differences: ReadonlyArray<Difference>

  constructor(name: string, differences: ReadonlyArray<Difference>) {
    super(`${name} was changed by hand: ${differencesText(differences)}. Set force (--force) to discard the changes`)
    this.differences = differences
  }
}
