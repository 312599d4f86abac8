/**
 * Compares the market with two shop frameworks, which are installed from the npm registry into a folder for temporary files, with the same
 * number of products, on the same PostgreSQL and in the same run.
 */
import { execFile, fork, spawn } from "node:child_process"
import { once } from "node:events"
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { open, readFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout as pause } from "node:timers/promises"
import { promisify } from "node:util"
import { createDatabase } from "../databases.ts"
import type { Bench } from "../measures.ts"
import { run } from "../measures.ts"
import { stopLater } from "../processes.ts"
import type { Line } from "../report.ts"
import { judged, median, times } from "../report.ts"
import type { Work } from "../requests.ts"
import type { Shop } from "./flow.ts"
import { ratePerSecond } from "./flow.ts"
import type { Seeded } from "./medusaShop.ts"
import { medusaShop } from "./medusaShop.ts"
import { vendureShop } from "./vendureShop.ts"

const execute = promisify(execFile)

const script = (name: string): string => join(import.meta.dirname, name)

const minutes = 60_000

interface Peer {
  readonly name: string
  readonly main: string
  readonly packages: ReadonlyArray<string>
  readonly start: (folder: string, databaseUrl: string, products: number, port: number) => Promise<Shop>
}

const environmentOf = (folder: string, databaseUrl: string, products: number, port: number) => ({
  ...process.env,
  NODE_ENV: "production",
  NODE_OPTIONS: "",
  PEER_FOLDER: folder,
  DATABASE_URL: databaseUrl,
  PRODUCTS: String(products),
  PORT: String(port)
})

const startVendure: Peer["start"] = async (folder, databaseUrl, products, port) => {
  const log = await open(join(folder, "server.log"), "w")
  const child = fork(script("vendure.ts"), {
    cwd: folder,
    env: environmentOf(folder, databaseUrl, products, port),
    stdio: ["ignore", log.fd, log.fd, "ipc"]
  })
  stopLater(child)
  await log.close()
  const first = await Promise.race([
    once(child, "message"),
    once(child, "exit"),
    pause(10 * minutes, "late", { ref: false })
  ])
  if (first[0] === "ready") return vendureShop(port, products)
  throw new Error(`it did not start: ${(await readFile(join(folder, "server.log"), "utf8")).slice(-2000)}`)
}

const medusaConfig = `
const { defineConfig } = require("@medusajs/framework/utils")
module.exports = defineConfig({
  admin: { disable: true },
  projectConfig: {
    databaseUrl: process.env.DATABASE_URL,
    databaseDriverOptions: { connection: { ssl: false } },
    http: { storeCors: "*", adminCors: "*", authCors: "*", jwtSecret: "benchmark-of-shops", cookieSecret: "benchmark-of-shops" }
  }
})
`

const startMedusa: Peer["start"] = async (folder, databaseUrl, products, port) => {
  const options = { cwd: folder, env: environmentOf(folder, databaseUrl, products, port), maxBuffer: 2 ** 26 }
  writeFileSync(join(folder, "medusa-config.js"), medusaConfig)
  writeFileSync(join(folder, "seed.js"), readFileSync(script("medusaSeed.cjs")))
  const medusa = join(folder, "node_modules/@medusajs/cli/cli.js")
  for (const command of [
    ["db:migrate", "--skip-scripts"],
    ["exec", "./seed.js"]
  ]) {
    await execute(process.execPath, [medusa, ...command], { ...options, timeout: 10 * minutes })
  }
  const seeded = JSON.parse(readFileSync(join(folder, "seeded.json"), "utf8")) as Seeded
  const log = await open(join(folder, "server.log"), "w")
  const child = spawn(process.execPath, [medusa, "start", "--port", String(port)], {
    ...options,
    stdio: ["ignore", log.fd, log.fd]
  })
  stopLater(child)
  await log.close()
  const until = performance.now() + 5 * minutes
  const healthy = () =>
    fetch(`http://127.0.0.1:${port}/health`).then(
      ({ ok }) => ok,
      () => false
    )
  while (!(await healthy())) {
    if (child.exitCode !== null || performance.now() > until)
      throw new Error(`it did not start: ${(await readFile(join(folder, "server.log"), "utf8")).slice(-2000)}`)
    await pause(200)
  }
  return medusaShop(port, seeded)
}

const all: ReadonlyArray<Peer> = [
  { name: "Vendure", main: "@vendure/core", packages: ["@vendure/core@3", "pg@8"], start: startVendure },
  {
    name: "Medusa",
    main: "@medusajs/medusa",
    packages: ["@medusajs/medusa@2", "@medusajs/framework@2", "@medusajs/cli@2"],
    start: startMedusa
  }
]

/** Installs the packages, unless an earlier run did. Returns the version. */
const install = async (folder: string, { main, packages }: Peer): Promise<string> => {
  const installed = join(folder, "node_modules", main, "package.json")
  if (!existsSync(join(folder, "installed"))) {
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, "package.json"), JSON.stringify({ name: "peer", private: true, type: "commonjs" }))
    await execute("npm", ["install", "--no-audit", "--no-fund", ...packages], {
      cwd: folder,
      timeout: 15 * minutes,
      maxBuffer: 2 ** 26
    })
    writeFileSync(join(folder, "installed"), "")
  }
  return (JSON.parse(readFileSync(installed, "utf8")) as { readonly version: string }).version
}

/** Each kind of call with the market's work that it is compared with, and the required ratio. */
const calls: ReadonlyArray<{
  readonly call: keyof Shop
  readonly work: Work
  readonly title: string
  readonly atLeast: number
}> = [
  { call: "detail", work: "skill", title: "details", atLeast: 20 },
  { call: "list", work: "listings", title: "lists of 50", atLeast: 20 },
  { call: "search", work: "listings", title: "lists of 50 from a search index", atLeast: 20 },
  { call: "order", work: "buy", title: "orders", atLeast: 100 }
]

const figure = (value: number): string => `${value.toFixed(value < 100 ? 1 : 0)}/s`

const measure = async (bench: Bench, name: string, shop: Shop): Promise<ReadonlyArray<Line>> => {
  const lines: Array<Line> = []
  for (const { atLeast, call, title, work } of calls) {
    const send = shop[call]
    if (send === undefined) continue
    await ratePerSecond(send, 2)
    await run(bench, work, "market")
    const rounds: Array<{ readonly market: number; readonly peer: number }> = []
    for (let round = 0; round < bench.rounds; round++) {
      const { perSecond: market } = await run(bench, work, "market")
      rounds.push({ market, peer: await ratePerSecond(send, 2 * bench.seconds) })
    }
    const value = median(rounds.map(({ market, peer }) => market / peer))
    const of = (side: "market" | "peer") => figure(median(rounds.map((round) => round[side])))
    const texts = { market: of("market"), reference: of("peer"), ratio: times(value) }
    lines.push(judged(`${title}, against ${name}`, texts, { row: 17, value, unit: "×", atLeast }))
  }
  return lines
}

export interface PeerRun {
  readonly name: string
  readonly measure: (bench: Bench, products: number, port: number) => Promise<ReadonlyArray<Line>>
}

export const peers: ReadonlyArray<PeerRun> = all.map((peer) => ({
  name: peer.name,
  measure: async (bench, products, port) => {
    const folder = join(tmpdir(), "agent-marketplace-peers", peer.name.toLowerCase())
    const version = await install(folder, peer)
    const url = await createDatabase(bench.databaseUrl, `peer_${peer.name.toLowerCase()}`)
    const shop = await peer.start(folder, url, products, port)
    return measure(bench, `${peer.name} ${version}`, shop)
  }
}))
