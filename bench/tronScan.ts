/** Measures how fast the deposit scanner catches up on TRON, with PostgreSQL and nodes in a separate process on loopback. */
import { usdtContract } from "@agent-marketplace/core/chain/usdtContract"
import { Conditions } from "@agent-marketplace/core/health/Conditions"
import { Screening } from "@agent-marketplace/core/screening/Screening"
import { Settlement } from "@agent-marketplace/core/settlement/Settlement"
import { DepositScanner } from "@agent-marketplace/core/wallets/DepositScanner"
import { PostgresStores } from "@agent-marketplace/postgres/PostgresStores"
import { TronChain } from "@agent-marketplace/tron/chain/TronChain"
import { addressOf } from "@agent-marketplace/tron/nodes/Base58Check"
import * as NodeCrypto from "@effect/platform-node/NodeCrypto"
import { Effect, Layer, Redacted } from "effect"
import { fork } from "node:child_process"
import { hash } from "node:crypto"
import { once } from "node:events"
import { fileURLToPath } from "node:url"
import { setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"
import { Client } from "pg"
import { startDatabase } from "./processes.ts"
import type { Line } from "./report.ts"
import { judged } from "./report.ts"

const [addresses, transfers] = [100_000, 300]

/** The required number of blocks per second. */
const least = 200

/** The maximum growth of the heap from start to end. */
const flat = 1.25

const fill = async (databaseUrl: string): Promise<void> => {
  const client = new Client({ connectionString: databaseUrl })
  await client.connect()
  const part = 10_000
  for (let from = 0; from < addresses; from += part) {
    const indexes = Array.from({ length: part }, (_, i) => from + i)
    await client.query(
      `INSERT INTO wallets (account_id, address, address_index)
       SELECT 'usr_' || lpad(index::text, 26, '0'), address, index FROM unnest($1::int[], $2::text[]) AS owned (index, address)`,
      [indexes, indexes.map((index) => addressOf(hash("sha256", `deposit address ${index}`).slice(0, 40)))]
    )
  }
  await client.query("ANALYZE wallets")
  await client.end()
}

const servicesOn = (databaseUrl: string, urls: ReadonlyArray<string>) =>
  DepositScanner.layer.pipe(
    Layer.provide(Layer.mergeAll(Conditions.layer, Screening.none, Settlement.layer)),
    Layer.provide(
      TronChain.layer({
        fullNodes: urls,
        solidityNodes: urls,
        apiKey: undefined,
        contract: usdtContract,
        depositXpub: undefined,
        hotWallet: undefined,
        startBlock: 1
      })
    ),
    Layer.provideMerge(PostgresStores.withoutChain({ url: Redacted.make(databaseUrl) })),
    Layer.provide(NodeCrypto.layer)
  )

interface Caught {
  readonly perSecond: number
  /** Processor time of this process for each block, in milliseconds. */
  readonly cpu: number
  /** Heap in use after a garbage collection, in megabytes, at 10, 50 and 100 %. */
  readonly heap: ReadonlyArray<number>
  readonly resident: number
}

const megabytes = (bytes: number): number => Math.round(bytes / 2 ** 20)

const catchUp = Effect.fnUntraced(function* (databaseUrl: string, blocks: number) {
  const { scan } = yield* DepositScanner
  yield* Effect.promise(() => fill(databaseUrl))
  setFlagsFromString("--expose-gc")
  const collect = runInNewContext("gc") as () => void
  const heap: Array<number> = []
  // The last scan catches up and contains more than one block.
  const looks = Math.ceil(blocks / 32)
  const marks = [0.1, 0.5].map((share) => Math.floor(looks * share))
  const measure = () => {
    collect()
    heap.push(megabytes(process.memoryUsage().heapUsed))
  }
  const [began, before] = [performance.now(), process.cpuUsage()]
  for (let look = 0; yield* scan; look++) if (marks.includes(look)) measure()
  const seconds = (performance.now() - began) / 1000
  const { system, user } = process.cpuUsage(before)
  measure()
  const resident = megabytes(process.memoryUsage().rss)
  return { perSecond: blocks / seconds, cpu: (system + user) / 1000 / blocks, heap, resident } satisfies Caught
})

/** Uses a separate database in that folder. One block out of `every` contains deposits; with several nodes it is read from all of them. */
export const tronScan = async (
  folder: string,
  blocks: number,
  nodes: number,
  every = 1
): Promise<ReadonlyArray<Line>> => {
  const { stop, url: databaseUrl } = await startDatabase(folder)
  const arguments_ = [blocks, transfers, addresses, nodes, every].map(String)
  const child = fork(fileURLToPath(new URL("./tronBlocks.ts", import.meta.url)), arguments_)
  const [urls] = (await once(child, "message")) as [ReadonlyArray<string>]
  try {
    const { cpu, heap, perSecond, resident } = await Effect.runPromise(
      Effect.provide(catchUp(databaseUrl, blocks), servicesOn(databaseUrl, urls))
    )
    const [first = 0] = heap
    const count = (value: number) => value.toLocaleString("en")
    return [
      judged(
        `TRON, catching up ${count(blocks)} blocks with ${nodes} ${nodes === 1 ? "node" : "nodes"}`,
        {
          market: `${Math.round(perSecond)} blocks/s  cpu ${cpu.toFixed(1)} ms`,
          reference: `${transfers} transfers each, deposits in ${every === 1 ? "each" : `one of ${every}`}`
        },
        { row: 11, value: perSecond, unit: "/s", atLeast: least }
      ),
      {
        work: "TRON, memory meanwhile",
        market: `heap ${heap.join(", ")} MB at 10, 50, 100 %`,
        reference: `resident ${resident} MB`,
        ratio: "",
        target: "flat",
        met: (heap.at(-1) ?? 0) < flat * first
      }
    ]
  } finally {
    child.disconnect()
    await stop()
  }
}
