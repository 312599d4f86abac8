import { PostgresStores } from "@agent-marketplace/postgres/PostgresStores"
import { Redacted } from "effect"
import { invalidOptions } from "../options/invalidOptions.ts"
import type { MarketStorage } from "./MarketStorage.ts"

export interface PostgresOptions {
  /** `postgres://user:password@host:5432/database`. Its tables are made and brought up to date at the start. */
  readonly url: string
  /** Connections for short reads (3), for lists and searches (2), and for transactions (8). */
  readonly readConnections?: number | undefined
  readonly listConnections?: number | undefined
  readonly writeConnections?: number | undefined
}

const isDatabaseUrl = (url: unknown): boolean =>
  typeof url === "string" && URL.canParse(url) && /^postgres(?:ql)?:$/.test(new URL(url).protocol)

/**
 * PostgreSQL 15 or later. Any number of processes may share a database. Throws a `MarketplaceError` where the URL is none; whether
 * the database answers is known once the market starts.
 */
export const postgresStorage = ({ url, ...connections }: PostgresOptions): MarketStorage => {
  const issues = [
    ...(isDatabaseUrl(url) ? [] : [{ path: "url", message: "must be a URL that starts with postgres://" }]),
    ...Object.entries(connections)
      .filter(([, count]) => count !== undefined && !(Number.isSafeInteger(count) && count >= 1))
      .map(([path]) => ({ path, message: "must be a whole number of at least 1" }))
  ]
  if (issues.length > 0) throw invalidOptions("postgresStorage", issues)
  const config = { url: Redacted.make(url), ...connections }
  return { lasts: true, ports: PostgresStores.withoutChain(config), portsAndChain: PostgresStores.layer(config) }
}
