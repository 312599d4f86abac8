import type { ScannedFile } from "./checks/fileChecks.ts"
import { readFile } from "./checks/fileChecks.ts"
import type { Sketch } from "./copies.ts"
import { sketchOf } from "./copies.ts"

/** The file whose text is compared with other items. */
export const comparedFile = { skill: "SKILL.md", soul: "SOUL.md" } as const

/** The sketch of a release's main text; null if it has none, or one that is too short to be compared (SCAN-18). */
export const sketchOfRelease = (files: ReadonlyArray<ScannedFile>, kind: "skill" | "soul"): Sketch | null => {
  const main = files.find(({ path }) => path === comparedFile[kind])
  const text = main === undefined ? undefined : readFile(main).text
  return text === undefined ? null : sketchOf(text)
}
