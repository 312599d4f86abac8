/**
 * Builds the pages of `packages/console` into its `dist/console`, unless the last build was made from the same sources: `node
 * scripts/buildConsole.ts`. `--force` builds always.
 */
import { globSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs"
import { extname, join } from "node:path"
import { parseArgs } from "node:util"
import type { Manifest } from "vite"
import { buildFolder, digestOf } from "./buildFolder.ts"

const { values } = parseArgs({ options: { force: { type: "boolean", default: false } } })

const root = join(import.meta.dirname, "../packages/console")

const contentTypes: Readonly<Record<string, string>> = {
  ".css": "text/css; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".png": "image/png",
  ".svg": "image/svg+xml"
}

const sources = [
  ...globSync("{web,public}/**/*.*", { cwd: root }),
  "package.json",
  "../../scripts/buildConsole.ts",
  ...globSync("../client/src/{operations,requests,errors,live,wire}/*.ts", { cwd: root })
]

const bundle = async (dist: string): Promise<void> => {
  const { build } = await import("vite")
  const { default: tailwind } = await import("@tailwindcss/vite")
  const { default: react } = await import("@vitejs/plugin-react")
  // GraphiQL needs another version of React, which other packages would find first.
  const resolve = { dedupe: ["react", "react-dom"] }
  const common = { root, configFile: false, logLevel: "warn", resolve } as const
  await build({
    ...common,
    base: "./",
    plugins: [react(), tailwind()],
    build: {
      outDir: dist,
      manifest: "manifest.json",
      sourcemap: "hidden",
      modulePreload: { polyfill: false },
      assetsInlineLimit: 0,
      rolldownOptions: {
        input: {
          shop: join(root, "web/shop/main.tsx"),
          console: join(root, "web/app/main.tsx"),
          pushWorker: join(root, "web/worker/pushWorker.ts")
        }
      }
    }
  })
  await build({
    ...common,
    plugins: [react()],
    ssr: { noExternal: true },
    define: { "process.env.NODE_ENV": JSON.stringify("production") },
    build: {
      minify: true,
      sourcemap: "hidden",
      ssr: join(root, "web/shop/render.tsx"),
      outDir: dist,
      emptyOutDir: false,
      copyPublicDir: false,
      rolldownOptions: { output: { entryFileNames: "render.js" } }
    }
  })
}

/** Lists the files that browsers load, for the routes that serve them. */
const writeFiles = (dist: string): void => {
  const manifest = JSON.parse(readFileSync(join(dist, "manifest.json"), "utf8")) as Manifest
  const nameOf = (path: string) => path.replace(/^assets\//, "")
  const entryOf = (source: string) => {
    const entry = manifest[source]
    if (entry === undefined) throw new Error(`the build has no ${source}`)
    const all = [entry, ...(entry.imports ?? []).flatMap((each) => manifest[each] ?? [])]
    return {
      script: nameOf(entry.file),
      imports: all.slice(1).map(({ file }) => nameOf(file)),
      styles: [...new Set(all.flatMap(({ css = [] }) => css))].map(nameOf)
    }
  }
  const names = readdirSync(join(dist, "assets")).filter((name) => !name.endsWith(".map"))
  const files = names.map((name) => {
    const contentType = contentTypes[extname(name)]
    if (contentType === undefined) throw new Error(`no content type for ${name}`)
    return { name, contentType }
  })
  const entries = { shop: entryOf("web/shop/main.tsx"), console: entryOf("web/app/main.tsx") }
  const { imports, script: pushWorker } = entryOf("web/worker/pushWorker.ts")
  if (imports.length > 0) throw new Error("the push worker must not import anything: browsers load it as a script")
  rmSync(join(dist, "manifest.json"))
  writeFileSync(join(dist, "files.json"), JSON.stringify({ files, ...entries, pushWorker }))
}

await buildFolder({
  target: join(root, "dist/console"),
  digest: digestOf(root, sources),
  force: values.force,
  build: async (dist) => {
    await bundle(dist)
    writeFiles(dist)
  }
})
