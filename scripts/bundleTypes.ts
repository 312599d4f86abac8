/**
 * Makes the declarations of a bundled package self-contained: keeps those that its `exports` use, copies the declarations they need from
 * other packages of this repository into `dist/types`, and removes the rest. Run in the package's folder after the compiler:
 * `node ../../scripts/bundleTypes.ts`. Types of packages in `dependencies` are not copied, because these packages are installed.
 *
 * A declaration that names an optional peer (`effect`) is marked `@ts-nocheck`: if the peer is not installed, its types are `any`
 * and all other types remain exact.
 */
import { globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { dirname, join, relative, sep } from "node:path"
import { publicPackages, readManifest } from "./packages/publicPackages.ts"

const folder = process.cwd()
const dist = join(folder, "dist")
const { dependencies = {}, exports = {}, peerDependencies = {} } = readManifest(folder)
const folders = new Map(publicPackages().map(({ folder: at, manifest }) => [manifest.name, at]))

/** The declaration of the module that `file` imports as `specifier`; undefined if it is not copied. */
const target = (specifier: string, file: string): string | undefined => {
  if (specifier.startsWith(".")) return join(dirname(file), specifier.replace(/\.(?:ts|js)$/, ".d.ts"))
  const [, name = "", module = ""] = /^(@agent-marketplace\/[^/]+)\/?(.*)$/.exec(specifier) ?? []
  const from = folders.get(name)
  return from === undefined || name in dependencies ? undefined : join(from, "dist", `${module}.d.ts`)
}

/** The published path of a declaration. Those of other packages are below `dist/types/<package folder>`. */
const place = (file: string): string => {
  if (file.startsWith(dist + sep)) return file
  const [part = "", ...rest] = relative(join(folder, ".."), file).split(sep)
  return join(dist, "types", part, ...rest.slice(1))
}

const imported = /((?:from |import\(|^import )")([^"]+)(")/gm

const written = new Map<string, string>()
const read = new Set<string>()

const follow = (file: string): void => {
  if (read.has(file)) return
  read.add(file)
  let text = readFileSync(file, "utf8").replace(/\n\/\/# sourceMappingURL=.*\s*$/, "\n")
  const specifiers = [...text.matchAll(imported)].map(([, , specifier = ""]) => specifier)
  text = text.replaceAll(imported, (whole, before: string, specifier: string, after: string) => {
    const found = target(specifier, file)
    if (found === undefined) return whole
    follow(found)
    const path = relative(dirname(place(file)), place(found))
      .split(sep)
      .join("/")
      .replace(/\.d\.ts$/, ".js")
    return before + (path.startsWith(".") ? path : `./${path}`) + after
  })
  const isOptional = (specifier: string) =>
    target(specifier, file) === undefined &&
    Object.keys(peerDependencies).some((peer) => specifier === peer || specifier.startsWith(`${peer}/`))
  written.set(place(file), specifiers.some(isOptional) ? `// @ts-nocheck\n${text}` : text)
}

for (const source of Object.values(exports))
  follow(join(folder, String(source).replace("./src/", "./dist/").replace(/\.ts$/, ".d.ts")))

for (const left of globSync("**/*.d.ts{,.map}", { cwd: dist })) rmSync(join(dist, left))
for (const [file, text] of written) {
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
}
