import { Effect, Redacted } from "effect"
import { randomBytes } from "node:crypto"
import { join } from "node:path"
import type { Configuration } from "./Configuration.ts"
import { DataFolderRefused } from "./DataFolder.ts"
import { keptSecret } from "./KeptSecret.ts"
import type { SigningSeed } from "./SigningSeed.ts"
import { derivedSigningSeed, parseSigningSeed, signingSeedRule } from "./SigningSeed.ts"

const randomSigningSeed = (): SigningSeed => Redacted.make(new Uint8Array(randomBytes(32)), { label: "signing key" })

type Settings = Pick<Configuration, "adminToken" | "adoptData" | "databaseUrl" | "dataDir" | "signingKey" | "storage">

const fileName = "signing-key"

/** Whether the key is kept in the data folder. */
export const keepsSigningKey = ({ adminToken, databaseUrl, signingKey, storage }: Settings): boolean =>
  signingKey === undefined &&
  (storage === "sqlite" || (storage === "postgres" && (databaseUrl === undefined || adminToken === undefined)))

/**
 * The seed of the market's signing key (CONFIG-16): `MARKET_SIGNING_KEY`, else one for the lifetime of the data. Processes that share a
 * database by `DATABASE_URL` derive it from `ADMIN_TOKEN`, which they have in common. With the embedded database, or without `ADMIN_TOKEN`, it is
 * made once and kept in the data folder. A market in memory makes a new one at each start.
 */
export const configuredSigningSeed = (configuration: Settings): Effect.Effect<SigningSeed, DataFolderRefused> => {
  const { adminToken, dataDir, signingKey, storage } = configuration
  if (signingKey !== undefined) return Effect.succeed(signingKey)
  if (storage === "memory") return Effect.sync(randomSigningSeed)
  if (!keepsSigningKey(configuration) && adminToken !== undefined) return Effect.succeed(derivedSigningSeed(adminToken))
  return Effect.flatMap(keptSecret(configuration, fileName), (kept) => {
    const seed = parseSigningSeed(Redacted.value(kept))
    return seed === undefined
      ? Effect.fail(
          new DataFolderRefused({
            message: `The file ${join(dataDir, fileName)} ${signingSeedRule}. Restore it from a backup, or set MARKET_SIGNING_KEY.`
          })
        )
      : Effect.succeed(seed)
  })
}
