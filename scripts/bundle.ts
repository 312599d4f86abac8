/**
 * Bundles entries of a package into its `dist`, with everything they import except packages in its `dependencies`, so that the
 * package is small to install and quick to load. Run in the package's folder: `node ../../scripts/bundle.ts [src/main.ts …]`. Without
 * entries it bundles the modules in `exports`; `--to` names another folder than `dist`; `--standalone` bundles `dependencies` too. The program of
 * the scanner's thread, and that of the process that decodes pictures, are bundled beside the modules that start them.
 */
import { build } from "esbuild"
import type { BuildOptions, Metafile, Plugin } from "esbuild"
import { execFileSync } from "node:child_process"
import { copyFileSync, cpSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from "node:fs"
import { createRequire } from "node:module"
import { basename, dirname, join } from "node:path"
import { parseArgs } from "node:util"
import { graphiqlFiles } from "../packages/graphql/src/graphiqlFiles.ts"
import { nodeBundle } from "./nodeBundle.ts"
import { publicPackages, readManifest } from "./packages/publicPackages.ts"

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { to: { type: "string", default: "dist" }, standalone: { type: "boolean", default: false } }
})

const { dependencies = {}, exports = {} } = readManifest(process.cwd())
const entries = positionals.length > 0 ? positionals : [...new Set(Object.values(exports).map(String))]

/** Packages that a user installs only for one feature, such as the SDK of a cloud: the bundle loads them if they are there. */
const optionalPeers = publicPackages().flatMap(({ manifest }) =>
  Object.entries(manifest.peerDependenciesMeta ?? {}).flatMap(([name, { optional }]) =>
    optional === true && !name.startsWith("@agent-marketplace/") && name !== "effect" ? [name] : []
  )
)

const common = {
  external: values.standalone ? [] : [...Object.keys(dependencies), ...optionalPeers],
  ...nodeBundle,
  // Identifiers keep their names, and source maps give the lines back.
  minifyWhitespace: true,
  sourcemap: true,
  sourcesContent: false,
  metafile: true,
  plugins: [neverUsed(/[\\/]Undici\.js$/, /[\\/]httpApi(?:Scalar|Swagger)\.js$/)]
} as const satisfies BuildOptions

const { metafile } = await build({ ...common, entryPoints: entries, outbase: "src", outdir: values.to })
const threads = await Promise.all([
  ...modulesWith(metafile, "/assembly/src/trust/makeThreads.ts").map((module) =>
    bundleBeside(module, "trust/trustThread")
  ),
  ...modulesWith(metafile, "/assembly/src/images/ProcessImageRenderer.ts").map((module) =>
    bundleBeside(module, "images/imageProcess")
  )
])
for (const made of [metafile, ...threads]) emptyForeignMaps(made)
writeFileSync(join(values.to, "THIRD-PARTY-LICENSES.txt"), licenses([metafile, ...threads]))
if (values.standalone) copyGraphiql(metafile)
copyPages(metafile, "/console/src/consoleFolder.ts", "buildConsole.ts", "../packages/console/dist/console")
copyPages(metafile, "/http/src/system/docsFolder.ts", "buildDocs.ts", "../packages/http/dist/docs")

/** The files of the bundle that contain a source. */
function modulesWith({ outputs }: Metafile, source: string): ReadonlyArray<string> {
  return Object.entries(outputs).flatMap(([output, { inputs }]) =>
    Object.keys(inputs).some((input) => input.endsWith(source)) ? [output] : []
  )
}

/** Bundles the program of a thread or process, which the module starts by its address. */
async function bundleBeside(module: string, name: string): Promise<Metafile> {
  const program = join(import.meta.dirname, `../packages/assembly/src/${name}.ts`)
  return (await build({ ...common, entryPoints: { [basename(name)]: program }, outdir: dirname(module) })).metafile
}

/** Empties the source maps of files that contain only other packages, whose sources an installation does not have. */
function emptyForeignMaps({ outputs }: Metafile): void {
  for (const [output, { inputs }] of Object.entries(outputs)) {
    const sources = Object.keys(inputs)
    if (sources.length === 0 || !sources.every((source) => source.includes("node_modules/"))) continue
    writeFileSync(`${output}.map`, JSON.stringify({ version: 3, sources: [], names: [], mappings: "" }))
  }
}

/** Copies the files that GraphiQL's page loads beside the module that serves them, because an image has no packages. */
function copyGraphiql(metafile: Metafile): void {
  const require = createRequire(import.meta.url)
  for (const output of modulesWith(metafile, "/graphql/src/GraphiqlRoute.ts")) {
    for (const [name, [source, file]] of Object.entries(graphiqlFiles)) {
      const target = join(dirname(output), "graphiql", name)
      mkdirSync(dirname(target), { recursive: true })
      copyFileSync(join(dirname(require.resolve(`${source}/package.json`)), file), target)
    }
  }
}

/** Builds pages, and copies them beside the module that serves them. */
function copyPages(metafile: Metafile, module: string, script: string, from: string): void {
  for (const output of modulesWith(metafile, module)) {
    execFileSync(process.execPath, [join(import.meta.dirname, script)])
    const folder = join(import.meta.dirname, from)
    const filter = (source: string) => !source.endsWith(".map")
    cpSync(folder, join(dirname(output), basename(folder)), { recursive: true, filter })
  }
}

/** Replaces lazily loaded modules that are never used here with empty ones. */
function neverUsed(...modules: ReadonlyArray<RegExp>): Plugin {
  return {
    name: "never-used",
    setup: ({ onLoad }) => {
      for (const filter of modules) onLoad({ filter }, () => ({ contents: "export {}" }))
    }
  }
}

/** The license of every package with code in the bundle. Their terms require it to be included. */
function licenses(metafiles: ReadonlyArray<Metafile>): string {
  const outputs = metafiles.flatMap((metafile) => Object.values(metafile.outputs))
  const files = outputs.flatMap(({ inputs }) =>
    Object.entries(inputs).flatMap(([file, { bytesInOutput }]) => (bytesInOutput > 0 ? [file] : []))
  )
  const folders = files.map((file) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file)?.[0] ?? "")
  const parts = [...new Set(folders)].toSorted().flatMap((folder) => {
    if (folder === "") return []
    const manifest = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as Manifest
    const { name, version } = manifest
    const text = licenseIn(folder) ?? keptLicense(name) ?? mitLicense(manifest)
    if (text === undefined) throw new Error(`${name} has no license file: find its license and add it`)
    return [`${name} ${version}\n\n${text.trim()}\n`]
  })
  return parts.join(`\n${"-".repeat(80)}\n\n`)
}

/** The license of a package that is published without its license file. */
function keptLicense(name: string): string | undefined {
  if (name === "redis" || name.startsWith("@redis/"))
    return readFileSync(join(import.meta.dirname, "licenses/node-redis.txt"), "utf8")
  // All packages of the SDK come from one repository with one license.
  if (name.startsWith("@aws-sdk/")) return licenseIn(join(import.meta.dirname, "../node_modules/@aws-sdk/client-kms"))
  return undefined
}

interface Manifest {
  readonly name: string
  readonly version: string
  readonly license?: string
  readonly author?: string | { readonly name: string }
}

/** The text of the MIT license, for a package that states it in its manifest alone. */
function mitLicense({ author, license, name: of }: Manifest): string | undefined {
  if (license !== "MIT") return undefined
  const name = (typeof author === "string" ? author : author?.name) ?? `the authors of ${of}`
  return readFileSync(join(import.meta.dirname, "licenses/mit.txt"), "utf8").replace("<copyright holder>", name)
}

/** The license file, or the license section of the README. */
function licenseIn(folder: string): string | undefined {
  const names = readdirSync(folder)
  const read = (name: string) => readFileSync(join(folder, name), "utf8")
  const file = names.find((name) => /^licen[cs]e/i.test(name))
  if (file !== undefined) return read(file)
  const readme = names.find((name) => /^readme/i.test(name))
  return readme === undefined ? undefined : /^License\n-+\n([\s\S]+)/m.exec(read(readme))?.[1]
}
