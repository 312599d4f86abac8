/**
 * `node bench/tronScan.ts`: how fast the deposit scanner catches up on TRON, on PostgreSQL, from a node on loopback that is a process of
 * its own. `--blocks` (3000), `--addresses` (100000), `--transfers` in each block (300), one in `--ours` (100) of them to one of our addresses.
 */
import { usdtContract } from "@agent-marketplace/core/chain/usdtContract"
import { Settlement } from "@agent-marketplace/core/settlement/Settlement"
import { DepositScanner } from "@agent-marketplace/core/wallets/DepositScanner"
import { PostgresStores } from "@agent-marketplace/postgres/PostgresStores"
import { TronChain } from "@agent-marketplace/tron/chain/TronChain"
import { addressOf } from "@agent-marketplace/tron/nodes/Base58Check"
import { NodeCrypto } from "@effect/platform-node"
import { Effect, Layer, Redacted } from "effect"
import { fork } from "node:child_process"
import type { ChildProcess } from "node:child_process"
import { hash, randomBytes } from "node:crypto"
import { once } from "node:events"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { fileURLToPath } from "node:url"
import { parseArgs } from "node:util"
import { Client } from "pg"
import { endEverything, startDatabase, temporaryFolder } from "./processes.ts"

const { values } = parseArgs({
  options: {
    blocks: { type: "string", default: "3000" },
    addresses: { type: "string", default: "100000" },
    transfers: { type: "string", default: "300" },
    ours: { type: "string", default: "100" },
    node: { type: "boolean", default: false }
  }
})
const sizes = {
  blocks: Number(values.blocks),
  addresses: Number(values.addresses),
  transfers: Number(values.transfers),
  ours: Number(values.ours)
}

const contract = "a614f803b6fd780986a42c78ec9c7f77e6ded13c"
const topic = "ddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef"
const sha256 = (text: string): string => hash("sha256", text)
const owned = (index: number): string => sha256(`deposit address ${index}`).slice(0, 40)
const word = (hex: string): string => hex.padStart(64, "0")

/** Answers that are as long as TRON's, made once: each has its height put in where it stands. */
const serveNode = () => {
  const place = "987654321"
  const templates = Array.from({ length: 20 }, (_, template) => {
    const infos = Array.from({ length: sizes.transfers }, (_, i) => ({
      id: "@",
      fee: 6_773_500,
      blockNumber: Number(place),
      blockTimeStamp: 1_720_000_000_000,
      contractResult: [word("0")],
      contract_address: `41${contract}`,
      receipt: { energy_fee: 6_428_500, energy_usage_total: 64_285, net_fee: 345_000, result: "SUCCESS" },
      log: [
        {
          address: contract,
          topics: [
            topic,
            word(randomBytes(20).toString("hex")),
            word(
              i % sizes.ours === 0
                ? owned((template * 7919 + i * 104_729) % sizes.addresses)
                : randomBytes(20).toString("hex")
            )
          ],
          data: word("f4240")
        }
      ]
    }))
    return JSON.stringify(infos)
  })
  const bodyAt = (number: number): string => {
    let i = 0
    const prefix = sha256(`block ${number}`).slice(0, 56)
    return (templates[number % templates.length] ?? "[]")
      .replaceAll(place, String(number))
      .replaceAll(`"@"`, () => `"${prefix}${(i++).toString(16).padStart(8, "0")}"`)
  }
  const header = (number: number) => ({
    blockID: number.toString(16).padStart(16, "0") + sha256(String(number)).slice(16),
    block_header: { raw_data: { number, timestamp: 1_720_000_000_000 + 3000 * number, txTrieRoot: sha256("root") } }
  })
  const server = createServer((request, response) => {
    let text = ""
    request.on("data", (chunk: Buffer) => (text += chunk.toString()))
    request.on("end", () => {
      const body = JSON.parse(text) as { readonly num?: number; readonly id_or_num?: string }
      response.setHeader("content-type", "application/json")
      if (body.num !== undefined) response.end(body.num > sizes.blocks ? "[]" : bodyAt(body.num))
      else response.end(JSON.stringify(header(Number(body.id_or_num ?? sizes.blocks))))
    })
  })
  server.keepAliveTimeout = 60_000
  server.listen(0, "127.0.0.1", () => process.send?.(`http://127.0.0.1:${(server.address() as AddressInfo).port}`))
}

const startNode = async (): Promise<{ readonly url: string; readonly child: ChildProcess }> => {
  const child = fork(fileURLToPath(import.meta.url), [...process.argv.slice(2), "--node"])
  const [url] = (await once(child, "message")) as [string]
  return { url, child }
}

const fill = async (databaseUrl: string) => {
  const client = new Client({ connectionString: databaseUrl })
  await client.connect()
  const part = 10_000
  for (let from = 0; from < sizes.addresses; from += part) {
    const indexes = Array.from({ length: Math.min(part, sizes.addresses - from) }, (_, i) => from + i)
    await client.query(
      `INSERT INTO wallets (account_id, address, address_index)
       SELECT 'usr_' || lpad(index::text, 26, '0'), address, index FROM unnest($1::int[], $2::text[]) AS owned (index, address)`,
      [indexes, indexes.map((index) => addressOf(owned(index)))]
    )
  }
  await client.query("ANALYZE wallets")
  await client.end()
}

const measure = async () => {
  const folder = await temporaryFolder()
  const { url: databaseUrl } = await startDatabase(folder)
  const { child, url } = await startNode()
  const settings = {
    fullNodes: [url],
    solidityNodes: [url],
    apiKey: undefined,
    contract: usdtContract,
    depositXpub: undefined,
    hotWallet: undefined,
    startBlock: 1
  }
  const services = DepositScanner.layer.pipe(
    Layer.provide(Settlement.layer),
    Layer.provide(TronChain.layer(settings)),
    Layer.provideMerge(PostgresStores.withoutChain({ url: Redacted.make(databaseUrl) })),
    Layer.provide(NodeCrypto.layer)
  )
  const run = Effect.gen(function* () {
    const { scan } = yield* DepositScanner
    yield* Effect.promise(() => fill(databaseUrl))
    const memory: Array<number> = []
    const began = performance.now()
    const cpu = process.cpuUsage()
    while (yield* scan) memory.push(process.memoryUsage().rss)
    const seconds = (performance.now() - began) / 1000
    const { system, user } = process.cpuUsage(cpu)
    const busy = (system + user) / 1e6
    const mega = (bytes: number | undefined) => Math.round((bytes ?? 0) / 2 ** 20)
    const at = (share: number) => mega(memory[Math.floor((memory.length - 1) * share)])
    console.log(
      `${sizes.blocks} blocks of ${sizes.transfers} transfers, ${sizes.addresses} addresses: ` +
        `${Math.round(sizes.blocks / seconds)} blocks per second, ${Math.round(sizes.blocks / busy)} per second of its processor time; resident ${at(0.1)}, ${at(0.5)}, ${at(1)} MB at 10, 50 and 100 %`
    )
  })
  try {
    await Effect.runPromise(Effect.provide(run, services))
  } finally {
    child.kill()
    await endEverything()
  }
}

if (values.node) serveNode()
else await measure()
