import { FolderBlobStore } from "@agent-marketplace/blobs/folder/FolderBlobStore"
import type { Chain } from "@agent-marketplace/core/chain/Chain"
import type { SimulatedChain } from "@agent-marketplace/core/chain/SimulatedChain"
import { StoreUnavailable } from "@agent-marketplace/core/errors/MarketError"
import { UnsuitableStore } from "@agent-marketplace/core/errors/UnsuitableStore"
import { StoreHealth } from "@agent-marketplace/core/health/StoreHealth"
import type { MarketStores } from "@agent-marketplace/core/MarketStores"
import type { ScriptedChain } from "@agent-marketplace/memory/chain/ScriptedChain"
import { MemoryMarket } from "@agent-marketplace/memory/MemoryMarket"
import { MemoryStores } from "@agent-marketplace/memory/MemoryStores"
import { Context, Effect, Layer } from "effect"
import type { Digest, SecureRandom } from "effect/crypto"
import { awaitStored } from "./awaitStored.ts"
import { durableTables } from "./durableTables.ts"
import { Journal } from "./Journal.ts"
import { MarketFile } from "./MarketFile.ts"
import { openMarketFile } from "./openMarketFile.ts"

export interface SqliteFile {
  /** The path of the file, which is made if it does not exist. Its folder must exist. */
  readonly file: string
}

const opened = (file: string) =>
  Effect.gen(function* () {
    const services = yield* Effect.context()
    const report = (fault: string) =>
      Effect.runForkWith(services)(
        Effect.logFatal(
          `The market has stopped answering, because ${fault}. Restart it: nothing that was answered is lost.`
        )
      )
    const open = yield* Effect.acquireRelease(
      Effect.try({
        try: () => {
          const found = openMarketFile(file)
          return { ...found, journal: new Journal(found.database, report) }
        },
        catch: (cause) => new StoreUnavailable({ cause })
      }),
      ({ close, journal }) =>
        Effect.sync(() => {
          journal.commit()
          close()
        })
    )
    return open
  })

const market = Layer.effect(
  MemoryMarket,
  Effect.flatMap(MarketFile, ({ database, journal }) => MemoryMarket.make(durableTables(database, journal)))
)

/** The ports in memory over this market, whose methods wait for the file. */
const durable = <Services>(ports: Layer.Layer<Services, never, Digest.Digest | MemoryMarket>) =>
  Layer.effectContext(
    Effect.gen(function* () {
      const services = yield* Layer.build(ports)
      const { journal } = yield* MarketFile
      return Context.add(awaitStored(journal, services), StoreHealth, {
        writable: journal.probe,
        prepare: Effect.succeed(null)
      })
    })
  )

const on = <Services>(file: string, ports: Layer.Layer<Services, never, Digest.Digest | MemoryMarket>) =>
  Layer.merge(
    durable(ports).pipe(Layer.provideMerge(market), Layer.provideMerge(Layer.effect(MarketFile, opened(file)))),
    Layer.suspend(() => blobs(file))
  )

/** The bytes of releases, in a folder beside the file. */
const blobs = (file: string) =>
  FolderBlobStore.layer(`${file}-blobs`).pipe(
    Layer.catchTag("BlobFolderRefused", ({ message }) =>
      Layer.effectContext(Effect.fail(new StoreUnavailable({ cause: new UnsuitableStore(`${message}.`) })))
    )
  )

type Ports = Layer.Layer<
  MarketStores | MemoryMarket | MarketFile,
  StoreUnavailable,
  Digest.Digest | SecureRandom.SecureRandom
>

type PortsAndChain = Layer.Layer<
  MarketStores | Chain | SimulatedChain | ScriptedChain | MemoryMarket | MarketFile,
  StoreUnavailable,
  Digest.Digest | SecureRandom.SecureRandom
>

/**
 * Every port of the market on one SQLite file. One process opens the file; all records are in its memory. Fails with `StoreUnavailable` and an
 * `UnsuitableStore` if the file is in use, has another format or cannot be written.
 */
export const SqliteStores = {
  /** With a simulated chain, whose blocks are in the file. */
  layer: ({ file }: SqliteFile): PortsAndChain => on(file, MemoryStores.over.layer),
  /** For a market on another chain. */
  withoutChain: ({ file }: SqliteFile): Ports => on(file, MemoryStores.over.withoutChain)
}
