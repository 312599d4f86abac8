/**
 * Builds the pages below `/docs` into `packages/http/dist/docs`, unless the last build was made from the same sources: `node
 * scripts/buildDocs.ts`. `--force` builds always.
 */
import { createHash } from "node:crypto"
import { copyFileSync, globSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs"
import { basename, dirname, extname, join } from "node:path"
import { parseArgs } from "node:util"
import type { Manifest } from "vite"
import type { Renderer } from "../packages/console/web/docs/Sources.ts"
import { buildFolder, digestOf } from "./buildFolder.ts"
import { accessFacts, clientCalls, guideSources, openApiDocument } from "./docs/sources.ts"

const { values } = parseArgs({ options: { force: { type: "boolean", default: false } } })

const repository = join(import.meta.dirname, "..")
const root = join(repository, "packages/console")

const contentTypes: Readonly<Record<string, string>> = {
  ".css": "text/css; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".json": "application/json",
  ".svg": "image/svg+xml"
}

const sources = [
  "packages/api/openapi.json",
  "packages/console/package.json",
  "scripts/buildDocs.ts",
  ...globSync(
    [
      "packages/console/web/{theme.css,docs/**/*.{css,ts,tsx}}",
      "scripts/docs/*.ts",
      "docs/*.md",
      "docs/{guides,embedding,receivers}/**/*.{md,ts,go,py}",
      "packages/client/src/operations/*.ts"
    ],
    { cwd: repository }
  )
]

/** The script and the style of the pages, and the renderer, which only this program loads. */
const bundle = async (dist: string): Promise<Manifest> => {
  const { build } = await import("vite")
  const { default: tailwind } = await import("@tailwindcss/vite")
  const { default: react } = await import("@vitejs/plugin-react")
  const common = { root, configFile: false, publicDir: false, logLevel: "warn" } as const
  await build({
    ...common,
    base: "./",
    plugins: [tailwind()],
    build: {
      outDir: dist,
      emptyOutDir: true,
      manifest: "manifest.json",
      modulePreload: { polyfill: false },
      sourcemap: "hidden",
      rolldownOptions: { input: { docs: join(root, "web/docs/main.ts") } }
    }
  })
  await build({
    ...common,
    plugins: [react()],
    ssr: { noExternal: true },
    define: { "process.env.NODE_ENV": JSON.stringify("production") },
    build: {
      ssr: join(root, "web/docs/render.tsx"),
      outDir: dist,
      emptyOutDir: false,
      rolldownOptions: { output: { entryFileNames: "render.js" } }
    }
  })
  return JSON.parse(readFileSync(join(dist, "manifest.json"), "utf8")) as Manifest
}

/** Writes the search index under a name that changes with its content. */
const writeSearch = (dist: string, json: string): string => {
  const name = `search-${createHash("sha256").update(json).digest("hex").slice(0, 10)}.json`
  writeFileSync(join(dist, "assets", name), json)
  return name
}

const writePages = (dist: string, pages: Readonly<Record<string, string>>): void => {
  for (const [path, html] of Object.entries(pages)) {
    const file = join(dist, "pages", `${path === "" ? "index" : path.slice(1)}.html`)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, html)
  }
}

/** Lists the pages and the files that browsers load, for the routes that serve them. */
const writeList = (dist: string, pages: Readonly<Record<string, string>>): void => {
  const names = readdirSync(join(dist, "assets")).filter((name) => !name.endsWith(".map"))
  const files = names.map((name) => {
    const contentType = contentTypes[extname(name)]
    if (contentType === undefined) throw new Error(`no content type for ${name}`)
    return { name, contentType }
  })
  writeFileSync(join(dist, "files.json"), JSON.stringify({ pages: Object.keys(pages), files }))
}

const build = async (dist: string): Promise<void> => {
  const manifest = await bundle(dist)
  const entry = manifest["web/docs/main.ts"]
  const style = entry?.css?.[0]
  if (entry === undefined || style === undefined) throw new Error("the build has no script or no style")
  const made = {
    document: openApiDocument(),
    guides: guideSources(),
    access: accessFacts(),
    clientCalls: await clientCalls()
  }
  const { renderPages, searchIndex } = (await import(join(dist, "render.js"))) as Renderer
  const pages = renderPages(made, {
    script: basename(entry.file),
    style: basename(style),
    search: writeSearch(dist, JSON.stringify(searchIndex(made)))
  })
  writePages(dist, pages)
  copyFileSync(join(root, "public/assets/icon.svg"), join(dist, "assets/icon.svg"))
  writeList(dist, pages)
  for (const left of ["render.js", "manifest.json"]) rmSync(join(dist, left))
}

await buildFolder({
  target: join(repository, "packages/http/dist/docs"),
  digest: digestOf(repository, sources),
  force: values.force,
  build
})
