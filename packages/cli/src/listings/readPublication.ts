import { SoulDocument } from "@agent-marketplace/core/souls/SoulDocument"
import { Effect, Result } from "effect"
import { lstat, readFile, stat } from "node:fs/promises"
import { basename, join } from "node:path"
import { usageFailure } from "../errors/CommandFailure.ts"
import type { Manifest } from "./Manifest.ts"
import { frontMatter, withExactPrice } from "./Manifest.ts"

/** An item to publish, read from a file or a folder. */
export type Publication =
  | { readonly type: "soul"; readonly file: string; readonly manifest: Manifest; readonly content: string }
  | { readonly type: "skill"; readonly file: string; readonly manifest: Manifest }

/** Larger than any SOUL or manifest. */
const mostBytes = 4 * 1_048_576

const isFile = (path: string) =>
  Effect.promise(() =>
    stat(path).then(
      (found) => found.isFile(),
      () => false
    )
  )

/** A link in a cloned repository may point to any file of the user, which would then be published. */
const refuseLink = (file: string) =>
  Effect.gen(function* () {
    const isLink = yield* Effect.promise(async () => (await lstat(file)).isSymbolicLink())
    if (isLink) return yield* usageFailure(`${file} is a symbolic link`, "Publish the file that it points to.")
    return undefined
  })

const textOf = (file: string) =>
  Effect.gen(function* () {
    const { size } = yield* Effect.promise(() => stat(file))
    if (size > mostBytes) return yield* usageFailure(`${file} is larger than 4 MiB`)
    const bytes = yield* Effect.promise(() => readFile(file))
    return yield* Effect.try({
      try: () => new TextDecoder("utf-8", { fatal: true }).decode(bytes),
      catch: () => usageFailure(`${file} is not UTF-8 text`)
    })
  })

const soulAt = (file: string) =>
  Effect.gen(function* () {
    const content = yield* textOf(file)
    if (Result.isFailure(SoulDocument.parse(content)))
      return yield* usageFailure(
        `${file} is not a SOUL.md`,
        "It needs a heading `# SOUL` or a section `## Identity`, and front matter that is closed and valid YAML."
      )
    const manifest = frontMatter(content)?.manifest ?? {}
    return { type: "soul", file, manifest, content } satisfies Publication
  })

const skillMarkdownAt = (file: string) =>
  Effect.gen(function* () {
    const found = frontMatter(yield* textOf(file))
    if (found === undefined)
      return yield* usageFailure(
        `${file} has no front matter`,
        "Start it with a line `---`, lines such as `name: Mail Sorter`, and a line `---`."
      )
    const longDescription = found.body === "" ? {} : { longDescription: found.body }
    return { type: "skill", file, manifest: { ...longDescription, ...found.manifest } } satisfies Publication
  })

const skillJsonAt = (file: string) =>
  Effect.gen(function* () {
    const text = yield* textOf(file)
    const manifest = yield* Effect.try({
      try: () => JSON.parse(text) as unknown,
      catch: () => usageFailure(`${file} is not JSON`)
    })
    if (typeof manifest !== "object" || manifest === null || Array.isArray(manifest))
      return yield* usageFailure(`${file} must be a JSON object`)
    return { type: "skill", file, manifest: withExactPrice(text, manifest as Manifest) } satisfies Publication
  })

const readers = [
  ["skill.json", skillJsonAt],
  ["SKILL.md", skillMarkdownAt],
  ["SOUL.md", soulAt]
] as const

/** In a folder, the first of `skill.json`, `SKILL.md` and `SOUL.md`. A file is recognised by its name; any other Markdown file is a SOUL. */
export const readPublication = (path: string) =>
  Effect.gen(function* () {
    if (yield* isFile(path)) {
      yield* refuseLink(path)
      const known = readers.find(([name]) => name === basename(path))
      return yield* (known?.[1] ?? soulAt)(path)
    }
    for (const [name, read] of readers) {
      const file = join(path, name)
      if (!(yield* isFile(file))) continue
      yield* refuseLink(file)
      return yield* read(file)
    }
    return yield* usageFailure(
      `${path} is neither a SOUL.md nor a folder with skill.json, SKILL.md or SOUL.md`,
      "`agent-marketplace publish --help` describes the files."
    )
  })
