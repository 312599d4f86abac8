/** The requirements of `docs/reference`, and their citations in code, tests and documents. */
import { globSync, readFileSync } from "node:fs"
import { basename, join } from "node:path"

export interface Requirement {
  readonly id: string
  /** The name of its page, without `.md`. */
  readonly page: string
}

export interface Citation {
  readonly id: string
  readonly path: string
  readonly line: number
  readonly kind: "code" | "test" | "document"
}

const root = join(import.meta.dirname, "..")
const folder = "docs/reference"

const citation = /(?<![-\w])[A-Z]{2,}-\d+\b/g
const statement = /^- \*\*([A-Z]{2,}-\d+)\*\* \S/
const statementLike = /^- \*\*/

/** Names of standards that look like ids. */
const standards = /^(?:AES|BIP|BSD|CC|EIP|ES|GPT|HMAC|ISO|RFC|RIPEMD|RS|SHA|SLIP|TIP|TRC|UTF)-/

const read = (path: string): ReadonlyArray<string> => readFileSync(join(root, path), "utf8").split("\n")

/** Every requirement in the order of the pages, and the errors in the pages. */
export const statedRequirements = (): {
  readonly requirements: ReadonlyArray<Requirement>
  readonly problems: ReadonlyArray<string>
} => {
  const requirements: Array<Requirement> = []
  const problems: Array<string> = []
  const places = new Map<string, string>()
  for (const path of pagesInOrder()) {
    for (const [index, line] of read(path).entries()) {
      const id = statement.exec(line)?.[1]
      const place = `${path}:${index + 1}`
      if (id === undefined) {
        if (statementLike.test(line)) problems.push(`${place}: a requirement starts with its id: "- **BUY-3** …"`)
        continue
      }
      const earlier = places.get(id)
      if (earlier !== undefined) problems.push(`${place}: ${id} is stated already at ${earlier}`)
      places.set(id, place)
      requirements.push({ id, page: basename(path, ".md") })
    }
  }
  return { requirements, problems }
}

/** The pages in the order of the README; pages that it does not list come last. */
const pagesInOrder = (): ReadonlyArray<string> => {
  const readme = read(`${folder}/README.md`).join("\n")
  const rank = (path: string): number => {
    const found = readme.indexOf(`](${basename(path)})`)
    return found === -1 ? Number.POSITIVE_INFINITY : found
  }
  return globSync(`${folder}/*.md`, { cwd: root })
    .filter((path) => basename(path) !== "README.md")
    .toSorted((a, b) => rank(a) - rank(b) || a.localeCompare(b))
}

/** Source code, tests (including suites that several test files run, and the parts of tests in `fixtures`), and other files that may cite an id. */
const kindOf = (path: string): Citation["kind"] => {
  if (/^packages\/(?:testkit|fixtures)\/src\//.test(path) || /\.test\.tsx?$|\/test\/.*Suite\.ts$/.test(path))
    return "test"
  return /^(?:packages|apps)\/[^/]+\/(?:src|web)\//.test(path) ? "code" : "document"
}

const texts = [
  "{packages,apps}/*/{src,test,web}/**/*.{ts,tsx,js,mjs,css,html,py}",
  "{packages,apps}/*/*.md",
  "{docs,scripts,bench}/**/*.{ts,js,mjs,md,py,go,rb,php,java,sh}",
  "*.md",
  ".changeset/*.md"
]

const citingFiles = (): ReadonlyArray<string> =>
  globSync(texts, { cwd: root, exclude: (path) => path.includes("node_modules") })
    .filter((path) => !path.startsWith(`${folder}/`) && path !== "docs/spec-coverage.md")
    .toSorted()

export interface Place {
  readonly path: string
  readonly line: number
}

/** Matches a citation of a section by number, of a document that is not part of this repository. */
const foreignSection = /\b(?:contract|specification|architecture) \d/i

/** Released migrations never change, comments included. */
const released = "packages/postgres/src/migrations/0001_foundation.ts"

/** Finds citations of sections of documents that are not part of the repository. */
export const foreignCitations = (): ReadonlyArray<Place> =>
  citingFiles()
    .filter((path) => path !== released)
    .flatMap((path) =>
      read(path).flatMap((line, index) => (foreignSection.test(line) ? [{ path, line: index + 1 }] : []))
    )

/** Every cited id with its location, without the reference pages and the page generated from them. */
export const citedIds = (): ReadonlyArray<Citation> =>
  citingFiles().flatMap((path) =>
    read(path).flatMap((line, index) =>
      [...line.matchAll(citation)]
        .filter(([id]) => !standards.test(id))
        .map(([id]) => ({ id, path, line: index + 1, kind: kindOf(path) }))
    )
  )
