import { build } from "esbuild"
import { join } from "node:path"
import { gzipSync } from "node:zlib"

/** Maximum increase of an application's size by the client, minified and gzipped, in bytes: 15 kB. */
export const clientLimit = 15_000

interface Bundle {
  readonly entry: string
  /** Minified. */
  readonly bytes: number
  readonly gzipped: number
}

const bundle = async (folder: string, entry: string, platform: "browser" | "node"): Promise<Bundle> => {
  const { outputFiles } = await build({
    // All of its exports.
    stdin: { contents: `export * from ${JSON.stringify(entry)}`, resolveDir: folder },
    bundle: true,
    minify: true,
    format: "esm",
    platform,
    target: "es2022",
    splitting: true,
    outdir: join(folder, "bundle"),
    write: false,
    legalComments: "none"
  })
  const first = outputFiles.find(({ path }) => path.endsWith("stdin.js"))
  if (first === undefined) throw new Error(`${entry} produced no bundle`)
  return { entry, bytes: first.contents.length, gzipped: gzipSync(first.contents, { level: 9 }).length }
}

/** The sizes of the client's entries in an application in `folder`, without modules that they load on demand. */
export const measureClient = async (folder: string): Promise<{ readonly main: Bundle; readonly node: Bundle }> => ({
  main: await bundle(folder, "@agent-marketplace/client", "browser"),
  node: await bundle(folder, "@agent-marketplace/client/node", "node")
})

export const kilobytes = (bytes: number): string => `${(bytes / 1000).toFixed(1)} kB`

/** Rejects if the client exceeds the size limit. */
export const clientBundles = async (folder: string): Promise<string> => {
  const { main, node } = await measureClient(folder)
  if (main.gzipped >= clientLimit) throw new Error(`${kilobytes(main.gzipped)} is not below ${kilobytes(clientLimit)}`)
  return [main, node].map(({ entry, gzipped }) => `${entry} ${kilobytes(gzipped)}`).join(", ")
}
