import type { Manifest } from "./publicPackages.ts"

/** `./src/Market.ts` to `./dist/Market` and, to be appended, what the compiler gives it. Undefined for what is not source. */
const compiled = (path: string): string | undefined => /^\.\/(src\/.*)\.ts$/.exec(path)?.[1]?.replace("src/", "./dist/")

/** The targets of `exports`, under whatever conditions: a source file becomes its types and its JavaScript. */
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
 * What a package's `package.json` says to those who install it. In the repository everything runs from its sources; Node strips
 * types from no file below `node_modules`, so that what is published has to lead to what is compiled.
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

/** What is wrong with the versions of the market's other packages: they are released together, at one version. */
export const versionFaults = (manifest: Manifest, versions: ReadonlyMap<string, string>): ReadonlyArray<string> =>
  Object.entries(manifest.dependencies ?? {}).flatMap(([name, version]) => {
    if (!name.startsWith("@agent-marketplace/")) return []
    const published = versions.get(name)
    if (published === version) return []
    return [`${manifest.name} needs ${name} ${version}, and ${published ?? "nothing"} is published`]
  })
