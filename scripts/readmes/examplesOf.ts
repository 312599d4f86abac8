import { globSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { repository } from "../packages/publicPackages.ts"

/** A program in a page. */
export interface Example {
  readonly page: string
  /** Its position in the page, starting with 1. */
  readonly number: number
  readonly kind: "program" | "vitest" | "node:test" | "unittest"
  readonly code: string
  /** Its expected output, if the page shows it in a `text` block directly below. */
  readonly prints: string | undefined
}

const block = /^```(ts|python)\n([\s\S]*?)^```\n(?:\n```text\n([\s\S]*?)^```\n)?/gm

const kindOf = (language: string, code: string): Example["kind"] => {
  if (language === "python") return "unittest"
  if (/from "node:test"/.test(code)) return "node:test"
  return /from "(?:vitest|@agent-marketplace\/testkit\/.*Contract)"/.test(code) ? "vitest" : "program"
}

const examplesIn = (page: string): ReadonlyArray<Example> =>
  [...readFileSync(join(repository, page), "utf8").matchAll(block)].map(
    ([, language = "", code = "", prints], index) => ({
      page,
      number: index + 1,
      kind: kindOf(language, code),
      code,
      prints
    })
  )

/** Every TypeScript and Python block of the READMEs and of the pages of `docs` and `docs/guides`. */
export const readmeExamples = (): ReadonlyArray<Example> =>
  globSync(["README.md", "{packages,apps}/*/README.md", "docs/*.md", "docs/guides/*.md"], { cwd: repository })
    .toSorted()
    .flatMap(examplesIn)
