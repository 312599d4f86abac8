import { existsSync, readFileSync } from "node:fs"

/** The nearest package.json above a place: a bundle of another package is at another depth than the sources. */
const manifestAbove = (place: URL): { readonly version: string } => {
  const file = new URL("package.json", place)
  if (existsSync(file)) return JSON.parse(readFileSync(file, "utf8")) as { readonly version: string }
  const above = new URL("..", file)
  return above.href === file.href.replace("package.json", "") ? { version: "0.0.0" } : manifestAbove(above)
}

/** The version of the package that contains this module. All packages of a release have the same. */
export const version: string = manifestAbove(new URL(import.meta.url)).version
