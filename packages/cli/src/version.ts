import { existsSync, readFileSync } from "node:fs"

/** The package is described above its sources, and above what is bundled of them. */
const manifestAbove = (place: URL): { readonly version: string } => {
  const file = new URL("package.json", place)
  return existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : manifestAbove(new URL("..", file))
}

/** The package's. */
export const version: string = manifestAbove(new URL(import.meta.url)).version
