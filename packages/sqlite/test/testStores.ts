import { Effect, Layer } from "effect"
import { Digest, SecureRandom } from "effect/crypto"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { SqliteStores } from "../src/SqliteStores.ts"

const crypto = Layer.merge(Digest.layerWebCrypto, SecureRandom.layerWebCrypto)

/** The path of a new file, which is removed with its folder when the scope ends. */
export const temporaryFile = Effect.map(
  Effect.acquireRelease(
    Effect.sync(() => mkdtempSync(join(tmpdir(), "market-"))),
    (folder) => Effect.sync(() => rmSync(folder, { recursive: true, force: true }))
  ),
  (folder) => join(folder, "market.sqlite")
)

/** The market on that file. */
export const storesOn = (file: string) => Layer.fresh(SqliteStores.layer({ file }).pipe(Layer.provide(crypto)))

/** A separate market for each suite. */
export const testStores = Layer.fresh(Layer.unwrap(Effect.map(temporaryFile, storesOn)))
