import { execFile } from "node:child_process"
import { readFile } from "node:fs/promises"
import { join } from "node:path"
import { promisify } from "node:util"
import { publint } from "publint"
import { formatMessage } from "publint/utils"
import type { Packed } from "./packAll.ts"
import { repository } from "./publicPackages.ts"

/** The names under which the modules of a package can be imported, wildcards expanded, without the package's name. */
export const entryPoints = ({ files, manifest }: Packed): ReadonlyArray<string> =>
  Object.entries(manifest.exports ?? {}).flatMap(([name, target]) => {
    if (!name.includes("*")) return name.endsWith(".json") ? [] : [name]
    const types = (target as { readonly types: string }).types
    const [before = "", after = ""] = types.replace("./", "").split("*")
    return files.flatMap((file) =>
      file.startsWith(before) && file.endsWith(after)
        ? [name.replace("*", file.slice(before.length, -after.length))]
        : []
    )
  })

const targetsOf = (target: unknown): ReadonlyArray<string> => {
  if (typeof target === "string") return [target]
  return typeof target === "object" && target !== null ? Object.values(target).flatMap(targetsOf) : []
}

/** Built pages are copied into the packages that serve them; their source maps are in the package of their own. */
const isCopiedPage = (file: string, { name }: Packed): boolean =>
  (name !== "@agent-marketplace/console" && /^dist\/(?:[^/]+\/)?console\//.test(file)) ||
  (name !== "@agent-marketplace/http" && /^dist\/(?:[^/]+\/)?docs\//.test(file))

const missing = (packed: Packed): ReadonlyArray<string> => {
  const { files, manifest } = packed
  const present = (path: string): boolean => {
    const [before = "", after] = path.replace(/^\.\//, "").split("*")
    return files.some((file) =>
      after === undefined ? file === before : file.startsWith(before) && file.endsWith(after)
    )
  }
  const wanted = ["README.md", "LICENSE", ...targetsOf(manifest.exports), ...Object.values(manifest.bin ?? {})]
  const modules = files.filter((file) => /^dist\/.*\.js$/.test(file) && !isCopiedPage(file, packed))
  const maps = modules.map((file) => `${file}.map`)
  return [...wanted, ...maps].filter((path) => !present(path)).map((path) => `has no ${path}`)
}

const surplus = ({ files }: Packed): ReadonlyArray<string> =>
  files
    .filter((file) => /(?:^|\/)(?:test|node_modules)\/|\.tsbuildinfo$|\.source\.json$/.test(file))
    .map((file) => `has ${file}, which users of the package do not need`)

const published = ({ files, manifest }: Packed): ReadonlyArray<string> =>
  [...targetsOf(manifest.exports), ...Object.values(manifest.bin ?? {})]
    .filter((path) => path.endsWith(".ts") && !path.endsWith(".d.ts"))
    .map((path) => `points to the source ${path}, which Node does not run from node_modules`)
    .concat(files.some((file) => file.startsWith("dist/")) ? [] : ["has no compiled files"])

const publintFaults = async ({ tarball }: Packed): Promise<ReadonlyArray<string>> => {
  const bytes = await readFile(tarball)
  const archive = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength) as ArrayBuffer
  const { messages, pkg } = await publint({ pack: { tarball: archive }, strict: true })
  return messages.map((message) => `publint: ${formatMessage(message, pkg, { color: false }) ?? message.code}`)
}

/** Checks every module as Node's ESM and bundlers load it. CommonJS is not supported. Packages that contain only a command have no imports to check. */
const attwFaults = async (packed: Packed): Promise<ReadonlyArray<string>> => {
  const entries = entryPoints(packed)
  // A package that contains only a command.
  if (entries.length === 0) return []
  const attw = join(repository, "node_modules/.bin/attw")
  const args = [attw, packed.tarball, "--profile", "esm-only", "--no-color", "--format", "ascii"]
  return promisify(execFile)(process.execPath, [...args, "--entrypoints", ...entries], { maxBuffer: 2 ** 26 }).then(
    () => [],
    ({ stderr, stdout }: { readonly stdout: string; readonly stderr: string }) => [`attw: ${stdout}${stderr}`]
  )
}

/** The problems of a package in its published form, one sentence each. */
export const lintTarball = async (packed: Packed): Promise<ReadonlyArray<string>> => [
  ...missing(packed),
  ...surplus(packed),
  ...published(packed),
  ...(await publintFaults(packed)),
  ...(await attwFaults(packed))
]
