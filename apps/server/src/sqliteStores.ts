import { configuredBlobs } from "@agent-marketplace/assembly/configuredBlobs"
import { tronChain } from "@agent-marketplace/assembly/tronChain"
import type { Configuration } from "@agent-marketplace/settings/Configuration"
import { Effect, Layer } from "effect"

/** The ports of a market on its SQLite file, and the chain of its configuration. Node's SQLite is loaded only here: older releases of Node warn of it. */
export const sqliteStores = ({ blobs, sqliteFile, tron }: Configuration) =>
  Layer.unwrap(
    Effect.map(
      Effect.promise(() => import("@agent-marketplace/sqlite/SqliteStores")),
      ({ SqliteStores }) => {
        const file = { file: sqliteFile }
        const stores =
          tron === undefined
            ? SqliteStores.layer(file)
            : tronChain(tron).pipe(Layer.provideMerge(SqliteStores.withoutChain(file)))
        const elsewhere = configuredBlobs(blobs)
        return elsewhere === undefined ? stores : Layer.merge(stores, elsewhere)
      }
    )
  )
