import type { Manifest } from "./publicPackages.ts"

/** The packages of these names, and the market's other packages that they depend on. Throws for a name that is not a package. */
export const withDependencies = <A extends { readonly manifest: Manifest }>(
  packages: ReadonlyArray<A>,
  names: ReadonlyArray<string>
): ReadonlyArray<A> => {
  const known = new Map(packages.map(({ manifest }) => [manifest.name, manifest]))
  const wanted = new Set<string>()
  const add = (name: string): void => {
    const manifest = known.get(name)
    if (manifest === undefined) throw new Error(`${name} is not one of ${[...known.keys()].join(", ")}`)
    if (wanted.has(name)) return
    wanted.add(name)
    for (const needed of Object.keys(manifest.dependencies ?? {})) if (known.has(needed)) add(needed)
  }
  for (const name of names) add(name)
  return packages.filter(({ manifest }) => wanted.has(manifest.name))
}
