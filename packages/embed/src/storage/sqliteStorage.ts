import { SqliteStores } from "@agent-marketplace/sqlite/SqliteStores"
import { Layer } from "effect"
import { invalidOptions } from "../options/optionChecks.ts"
import type { MarketStorage } from "./MarketStorage.ts"

export interface SqliteOptions {
  /** The path of the file, which is made if it does not exist. Its folder must exist. Releases are stored in the folder `<file>-blobs`. */
  readonly file: string
}

const isPath = (file: unknown): boolean => typeof file === "string" && /^[^\0]{1,4096}$/.test(file)

/**
 * One SQLite file, for a market of one process whose records fit in its memory. Throws a `MarketplaceError` for an invalid path; the file itself is
 * only opened when the market starts.
 */
export const sqliteStorage = (options: SqliteOptions): MarketStorage => {
  // A program in plain JavaScript may pass no options, or only the path.
  const given: Readonly<Record<string, unknown>> = typeof options === "object" ? { ...options } : {}
  const issues = [
    ...(isPath(given["file"])
      ? []
      : [{ path: "file", message: "must be the path of a file, of at most 4096 characters" }]),
    ...Object.keys(given)
      .filter((path) => path !== "file")
      .map((path) => ({ path, message: "is not an option" }))
  ]
  if (issues.length > 0) throw invalidOptions("sqliteStorage", issues)
  const { file } = options
  return {
    lasts: true,
    ports: Layer.fresh(SqliteStores.withoutChain({ file })),
    portsAndChain: Layer.fresh(SqliteStores.layer({ file }))
  }
}
