import type { Manifest } from "./publicPackages.ts"

/** Converts `./src/Market.ts` to `./dist/Market`, without the extension. Undefined if the path is not a source file. */
const compiled = (path: string): string | undefined => /^\.\/(src\/.*)\.ts$/.exec(path)?.[1]?.replace("src/", "./dist/")

/** The targets of `exports` for all conditions. A source file is replaced by its types and its JavaScript. */
const publishedTarget = (target: unknown): unknown => {
  if (typeof target === "string") {
    const path = compiled(target)
    return path === undefined ? target : { types: `${path}.d.ts`, default: `${path}.js` }
  }
  if (typeof target !== "object" || target === null) return target
  return Object.fromEntries(Object.entries(target).map(([condition, nested]) => [condition, publishedTarget(nested)]))
}

const publishedCommand = ([name, path]: readonly [string, string]) => {
  const built = compiled(path)
  return [name, built === undefined ? path : `${built}.js`.replace(/^\.\//, "")]
}

/**
 * The published `package.json` of a package. In the repository everything runs from its sources. Node does not strip types below
 * `node_modules`, so the published file points to the compiled files.
 */
export const publishedManifest = ({ devDependencies: _, scripts: __, ...manifest }: Manifest): Manifest => ({
  ...manifest,
  ...(manifest.bin === undefined
    ? {}
    : { bin: Object.fromEntries(Object.entries(manifest.bin).map(publishedCommand)) }),
  ...(manifest.exports === undefined
    ? {}
    : { exports: publishedTarget(manifest.exports) as Readonly<Record<string, unknown>> })
})

/** Wrong versions of other packages of this repository: all are released together with the same version. */
export const versionFaults = (manifest: Manifest, versions: ReadonlyMap<string, string>): ReadonlyArray<string> =>
  Object.entries(manifest.dependencies ?? {}).flatMap(([name, version]) => {
    if (!name.startsWith("@agent-marketplace/")) return []
    const published = versions.get(name)
    if (published === version) return []
    return [`${manifest.name} needs ${name} ${version}, but ${published ?? "none"} is published`]
  })
