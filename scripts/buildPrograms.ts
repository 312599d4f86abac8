/**
 * Bundles the programs of this repository into `dist/programs`, unless the last build was made from the same sources: `node
 * scripts/buildPrograms.ts`. A bundle starts with less than half of the processor time that the sources take. `npm start`, `npm run worker`,
 * `npm run bench` and the tests run this script; `buildImage.ts` bundles the container image.
 */
import type { Plugin } from "esbuild"
import { globSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs"
import { readFile } from "node:fs/promises"
import { dirname, join, relative } from "node:path"
import { pathToFileURL } from "node:url"
import { programs } from "../packages/fixtures/src/processes/programs.ts"
import { digestOf } from "./buildFolder.ts"
import { nodeBundle } from "./nodeBundle.ts"

const repository = join(import.meta.dirname, "..")
/** Always the same folder: Node's cache of compiled code is keyed by the path. */
const folder = join(repository, "dist/programs")
const record = join(folder, "build.json")

/** The program of the threads that unpack and scan. The bundle of `makeThreads.ts` starts it. */
const trustThread = "packages/assembly/src/trust/trustThread.ts"

/** The content of `build.json`: what the last build was made from, and the names of its files. */
interface Build {
  readonly digest: string
  readonly files: ReadonlyArray<string>
}

/** The parts of a replaced build are kept for this time, because its processes may still load them. Programs are overwritten. */
const keptMillis = 7 * 24 * 60 * 60 * 1000

/** Bundles the programs, and returns the names of the files. */
const bundle = async (): Promise<ReadonlyArray<string>> => {
  const { build } = await import("esbuild")
  const { outputFiles } = await build({
    absWorkingDir: repository,
    entryPoints: Object.entries({ ...programs, trustThread }).map(([out, source]) => ({ in: source, out })),
    outdir: folder,
    write: false,
    ...nodeBundle,
    plugins: [urlsOfSources]
  })
  const files = outputFiles.map(({ contents, path }) => ({ contents, name: relative(folder, path) }))
  // A program must not be there before the parts that it imports.
  const isPart = ({ name }: { readonly name: string }) => name.startsWith("parts")
  for (const { contents, name } of [...files.filter(isPart), ...files.filter((file) => !isPart(file))])
    replace(join(folder, name), contents)
  return files.map(({ name }) => name)
}

/** Deletes the files of builds that were replaced more than a week ago, and what builds that were killed have left. */
const clean = (files: ReadonlyArray<string>, replaced: ReadonlyArray<string>): void => {
  const now = new Date()
  for (const name of globSync("{*,parts/*}.{js,js.*}", { cwd: folder }).filter((each) => !files.includes(each))) {
    const file = join(folder, name)
    if (replaced.includes(name)) utimesSync(file, now, now)
    else if (statSync(file).mtimeMs < now.getTime() - keptMillis) rmSync(file)
  }
}

/** Replaces a file as a whole, because another process may be reading it. */
const replace = (file: string, contents: Uint8Array | string): void => {
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(`${file}.${process.pid}`, contents)
  renameSync(`${file}.${process.pid}`, file)
}

/**
 * Modules find files of their package relative to `import.meta.url`, so the bundle contains the URL of the source. Only `makeThreads.ts` gets one in
 * `dist/programs`, so that it starts the bundle of the thread's program, which loads faster.
 */
const urlsOfSources: Plugin = {
  name: "urls-of-sources",
  setup: ({ onLoad }) => {
    onLoad({ filter: /\.ts$/ }, async ({ path }) => {
      const source = await readFile(path, "utf8")
      if (!source.includes("import.meta.url")) return undefined
      const starts = path.endsWith(join("trust", "makeThreads.ts"))
      const url = JSON.stringify(pathToFileURL(starts ? join(folder, "makeThreads.js") : path).href)
      return { contents: source.replaceAll("import.meta.url", url), loader: "ts" }
    })
  }
}

const last = (): Build => {
  try {
    return JSON.parse(readFileSync(record, "utf8")) as Build
  } catch {
    return { digest: "", files: [] }
  }
}

const sources = [
  ...globSync("{packages,apps}/*/{src/**/*.*,package.json}", { cwd: repository }),
  ...Object.values(programs),
  "package-lock.json",
  "scripts/buildPrograms.ts",
  "scripts/nodeBundle.ts"
]
// A bundle contains the URLs of its sources, so a repository that was moved is bundled again.
const digest = `${digestOf(repository, sources)} ${repository}`
const replaced = last()
if (replaced.digest !== digest) {
  const files = await bundle()
  clean(files, replaced.files)
  replace(record, JSON.stringify({ digest, files } satisfies Build))
}
