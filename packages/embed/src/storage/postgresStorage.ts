import { PostgresStores } from "@agent-marketplace/postgres/PostgresStores"
import { Redacted } from "effect"
import { invalidOptions } from "../options/optionChecks.ts"
import type { MarketStorage } from "./MarketStorage.ts"

export interface PostgresOptions {
  /** `postgres://user:password@host:5432/database`. Its tables are created and migrated at the start. */
  readonly url: string
  /** Connections for short reads (3), for lists and searches (2), and for transactions (8). */
  readonly readConnections?: number | undefined
  readonly listConnections?: number | undefined
  readonly writeConnections?: number | undefined
}

const isDatabaseUrl = (url: unknown): boolean =>
  typeof url === "string" && URL.canParse(url) && /^postgres(?:ql)?:$/.test(new URL(url).protocol)

const isCount = (count: unknown): boolean => count === undefined || (Number.isSafeInteger(count) && Number(count) >= 1)

/** The rule of each option. */
const checks: Readonly<Record<keyof PostgresOptions, (value: unknown) => boolean>> = {
  url: isDatabaseUrl,
  readConnections: isCount,
  listConnections: isCount,
  writeConnections: isCount
}

const problemOf = (path: string, value: unknown): string | undefined => {
  if (!Object.hasOwn(checks, path)) return "is not an option"
  if (checks[path as keyof PostgresOptions](value)) return undefined
  return path === "url" ? "must be a URL that starts with postgres://" : "must be a whole number of at least 1"
}

/**
 * PostgreSQL 15 or later. Any number of processes may share a database. Throws a `MarketplaceError` for an invalid URL; the
 * database itself is only reached when the market starts.
 */
export const postgresStorage = (options: PostgresOptions): MarketStorage => {
  // A program in plain JavaScript may pass no options, or only the URL.
  const given = typeof options === "object" ? options : undefined
  const issues = Object.entries({ url: undefined, ...given }).flatMap(([path, value]) => {
    const message = problemOf(path, value)
    return message === undefined ? [] : [{ path, message }]
  })
  if (issues.length > 0) throw invalidOptions("postgresStorage", issues)
  const { url, ...connections } = options
  const config = { url: Redacted.make(url), ...connections }
  return { lasts: true, ports: PostgresStores.withoutChain(config), portsAndChain: PostgresStores.layer(config) }
}
