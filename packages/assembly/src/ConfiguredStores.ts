import type { DatabaseConfig } from "@agent-marketplace/postgres/Database"
import { PostgresStores } from "@agent-marketplace/postgres/PostgresStores"
import { prepareRoles } from "@agent-marketplace/postgres/roles/prepareRoles"
import type { Configuration } from "@agent-marketplace/settings/Configuration"
import { Effect, Layer } from "effect"
import type { Redacted } from "effect"
import { configuredBlobs } from "./configuredBlobs.ts"
import { tronChain } from "./tronChain.ts"

const storesOn = ({ blobs, tron }: Configuration, database: DatabaseConfig) => {
  const stores =
    tron === undefined
      ? PostgresStores.layer(database)
      : tronChain(tron).pipe(Layer.provideMerge(PostgresStores.withoutChain(database)))
  const elsewhere = configuredBlobs(blobs)
  return elsewhere === undefined ? stores : Layer.merge(stores, elsewhere)
}

/** The ports of a market on that database, and the chain of its configuration. Warns if the URL is that of a superuser (CONFIG-23). */
export const configuredStores = (configuration: Configuration, url: Redacted.Redacted) =>
  storesOn(configuration, { url, readUrl: configuration.readDatabaseUrl, warnOfSuperuser: true })

/** The same on a dedicated database, from its superuser's URL. Requests are served by another role (CONFIG-22). */
export const embeddedStores = (configuration: Configuration, superuserUrl: Redacted.Redacted) =>
  Layer.unwrap(Effect.map(prepareRoles(superuserUrl), (urls) => storesOn(configuration, urls)))
