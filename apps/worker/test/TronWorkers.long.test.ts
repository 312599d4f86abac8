import { createDatabase } from "@agent-marketplace/fixtures/postgres/TestPostgres"
import { TronEncoding } from "@agent-marketplace/fixtures/tron/TronEncoding"
import { TronNode } from "@agent-marketplace/fixtures/tron/TronNode"
import { bare, TronNetwork } from "@agent-marketplace/fixtures/tron/TronNetwork"
import { mkdtemp, open, readdir, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout } from "node:timers/promises"
import { Client } from "pg"
import { assert, describe, it } from "vitest"
import { joinMarket } from "./fixtures/Market.ts"
import type { RunningProcess } from "./fixtures/processes.ts"
import { adminToken, spawnApp, startServer, startWorker } from "./fixtures/processes.ts"
import { waitFor } from "./fixtures/waitFor.ts"

/** `WORKER_KILLS=50` for the long run. */
const kills = Number(process.env["WORKER_KILLS"] ?? 3)

const xpub =
  "xpub6D1AabNHCupeiLM65ZR9UStMhJ1vCpyV4XbZdyhMZBiJXALQtmn9p42VTQckoHVn8WNqS7dqnJokZHAHcHGoaQgmv8D45oNUKx6DZMNZBCd"
const hotKey = `${"0".repeat(63)}1`
const hotWallet = "TMVQGm1qAQYVdetCeGRRkTWYYrLXuHK2HC"
const receiver = TronEncoding.nobody("a receiver")

interface Balance {
  readonly availableBalance: number
  readonly lockedBalance: number
}

interface Asked {
  readonly id: string
  readonly amount: number
  readonly status: string
}

type Member = Awaited<ReturnType<typeof joinMarket>>

const withdrawalsOf = async ({ request }: Member): Promise<ReadonlyArray<Asked>> => {
  const path = "/api/v1/wallet/withdrawals?limit=100"
  return (await request<{ withdrawals: ReadonlyArray<Asked> }>("GET", path)).withdrawals
}

const startNetwork = async () => {
  const network = new TronNetwork()
  network.fund(hotWallet, 10_000_000_000n)
  const node = new TronNode(network)
  const url = await node.listen()
  // Blocks are a hundred times faster, so an hour of TRON takes half a minute.
  const clock = setInterval(() => network.mine(), 30)
  return {
    network,
    url,
    close: async () => {
      clearInterval(clock)
      await node.close()
    }
  }
}

/** A heap snapshot of a process: everything that its JavaScript can reach. */
const memoryOf = async ({ pid }: RunningProcess, folder: string): Promise<string> => {
  const before = new Set(await readdir(folder))
  process.kill(pid, "SIGUSR2")
  const file = await waitFor("a snapshot", async () => (await readdir(folder)).find((name) => !before.has(name)))
  const snapshot = await open(join(folder, file))
  try {
    await waitFor("the whole snapshot", async () => {
      const { size } = await snapshot.stat()
      const end = await snapshot.read({ buffer: Buffer.alloc(8), position: Math.max(0, size - 8) })
      return end.buffer.toString("latin1", 0, end.bytesRead).trimEnd().endsWith("]}")
    })
    return await snapshot.readFile("latin1")
  } finally {
    await snapshot.close()
  }
}

describe("a market on TRON in several processes with only a full node (CHAIN-9)", () => {
  it(
    `${kills} workers are killed at random moments: each deposit is credited once, each withdrawal paid once`,
    { timeout: 300_000 + kills * 10_000 },
    async () => {
      const { close, network, url } = await startNetwork()
      const DATABASE_URL = await createDatabase()
      const chain = { DATABASE_URL, CHAIN: "tron", TRON_FULL_NODE_URL: url, TRON_START_BLOCK: "1" }
      const server = await startServer({ ...chain, TRON_DEPOSIT_XPUB: xpub, TRON_HOT_WALLET_ADDRESS: hotWallet })
      const database = new Client({ connectionString: DATABASE_URL })
      await database.connect()
      try {
        const members = await Promise.all(
          Array.from({ length: 5 }, async (_, i) => {
            const member = await joinMarket(server.baseUrl, `Member ${i}`)
            const { address } = await member.request<{ address: string }>("GET", "/api/v1/wallet/deposit")
            return { ...member, address, given: 0n }
          })
        )
        const giver = setInterval(() => {
          for (const member of members) {
            network.deposit(member.address, 1_000_000n)
            member.given += 1_000_000n
          }
        }, 50)
        const rich = async () => {
          const balances = await Promise.all(
            members.map(({ request }) => request<Balance>("GET", "/api/v1/wallet/balance"))
          )
          return balances.every(({ availableBalance }) => availableBalance >= 6)
        }
        const refused: Array<string> = []
        for (let i = 0; i < kills; i++) {
          const worker = await startWorker({ ...chain, TRON_HOT_WALLET_KEY: hotKey })
          if (i === 0) await waitFor("everybody has money to withdraw", rich)
          for (const { request } of members) {
            await request("POST", "/api/v1/wallet/withdrawals", { amount: 5, destinationAddress: receiver }).catch(
              (error: unknown) => refused.push(String(error))
            )
          }
          await setTimeout(Math.random() * 2500)
          await worker.end("SIGKILL")
          // Another process would wait until the lease expires, so the test deletes it.
          await database.query("DELETE FROM leases")
        }
        clearInterval(giver)
        const worker = await startWorker({ ...chain, TRON_HOT_WALLET_KEY: hotKey })
        const settled = async () => {
          for (const member of members) {
            const { given, request } = member
            const asked = await withdrawalsOf(member)
            if (asked.some(({ status }) => status === "pending")) return false
            const paid = asked
              .filter(({ status }) => status === "completed")
              .reduce((sum, each) => sum + each.amount + 1, 0)
            const { availableBalance } = await request<Balance>("GET", "/api/v1/wallet/balance")
            if (Math.round((availableBalance + paid) * 1e6) !== Number(given)) return false
          }
          return true
        }
        await waitFor("everything is settled", settled, 90_000)
        let paid = 0
        for (const member of members) {
          const asked = await withdrawalsOf(member)
          for (const each of asked) if (each.status === "completed") paid += each.amount
        }
        assert.isTrue(paid > 0, refused.join())
        assert.strictEqual(network.balance(bare(receiver)), BigInt(paid) * 1_000_000n)
        const audit = await fetch(`${server.baseUrl}/api/v1/admin/ledger/audit`, {
          headers: { authorization: `Bearer ${adminToken}` }
        })
        assert.deepInclude(((await audit.json()) as { data: object }).data, { balanced: true, differences: [] })
        assert.strictEqual(await worker.end("SIGTERM"), 0)
      } finally {
        await server.end("SIGTERM")
        await database.end()
        await close()
      }
    }
  )

  it("a server with external workers needs no key and does not keep one (CHAIN-5, CHAIN-6, CONFIG-11)", async () => {
    const { close, url } = await startNetwork()
    const DATABASE_URL = await createDatabase()
    const chain = { DATABASE_URL, CHAIN: "tron", TRON_FULL_NODE_URL: url, TRON_DEPOSIT_XPUB: xpub }
    const key = "1f".repeat(32)
    const server = await startServer({ ...chain, TRON_HOT_WALLET_KEY: key, LOG_LEVEL: "debug" })
    try {
      const member = await joinMarket(server.baseUrl, "Member")
      const info = await member.request<{ address: string; qrCode: string }>("GET", "/api/v1/wallet/deposit")
      assert.match(info.address, /^T\w{33}$/)
      const wish = { amount: 5, destinationAddress: receiver }
      const error = await member.request("POST", "/api/v1/wallet/withdrawals", wish).catch(String)
      assert.include(error, "402")
      const deposit = await fetch(`${server.baseUrl}/api/v1/admin/simulated-chain/deposits`, {
        method: "POST",
        headers: { authorization: `Bearer ${adminToken}`, "content-type": "application/json" },
        body: JSON.stringify({ address: info.address, amount: 5 })
      })
      assert.strictEqual(deposit.status, 404)
      assert.notInclude(server.output(), key)
    } finally {
      await server.end("SIGTERM")
      await close()
    }
  })

  it("the hot wallet's key is never in the memory of a server with external workers, even if it is set (CHAIN-5)", async () => {
    const { close, url } = await startNetwork()
    const folder = await mkdtemp(join(tmpdir(), "snapshots-"))
    const key = "1f".repeat(32)
    const environment = {
      DATABASE_URL: await createDatabase(),
      CHAIN: "tron",
      TRON_FULL_NODE_URL: url,
      TRON_DEPOSIT_XPUB: xpub,
      TRON_HOT_WALLET_KEY: key,
      NODE_OPTIONS: `--heapsnapshot-signal=SIGUSR2 --diagnostic-dir=${folder}`
    }
    const server = await startServer(environment)
    const worker = await startWorker(environment)
    try {
      const member = await joinMarket(server.baseUrl, "Member")
      await member.request("GET", "/api/v1/wallet/deposit")
      const [serves, signs] = [await memoryOf(server, folder), await memoryOf(worker, folder)]
      assert.isTrue(serves.includes(xpub), "the public key is found")
      assert.isFalse(serves.includes(key))
      assert.isTrue(signs.includes(key), "the signing process has the key")
    } finally {
      await worker.end("SIGTERM")
      await server.end("SIGTERM")
      await rm(folder, { recursive: true, force: true })
      await close()
    }
  })

  it("a hot wallet that cannot pay leaves server and worker ready, with a warning and the numbers in the metrics (SYSTEM-2, SYSTEM-4)", async () => {
    const { close, network, url } = await startNetwork()
    network.sun.set(bare(hotWallet), 20_000_000)
    const DATABASE_URL = await createDatabase()
    const chain = { DATABASE_URL, CHAIN: "tron", TRON_FULL_NODE_URL: url, TRON_DEPOSIT_XPUB: xpub }
    const server = await startServer({ ...chain, TRON_HOT_WALLET_ADDRESS: hotWallet })
    const worker = await startWorker({ ...chain, TRON_HOT_WALLET_KEY: hotKey, METRICS_PORT: "0" })
    try {
      for (const base of [server.baseUrl, worker.statusUrl]) {
        const ready = async () => {
          const answer = await fetch(`${base}/readyz`)
          const body = (await answer.json()) as { readonly status: string; readonly warnings?: ReadonlyArray<string> }
          return body.warnings === undefined ? undefined : { code: answer.status, body }
        }
        assert.deepStrictEqual(await waitFor("a warning", ready), {
          code: 200,
          body: { status: "ready", warnings: ["hot_wallet_fees_low"] }
        })
        const metrics = await (await fetch(`${base}/metrics`)).text()
        for (const line of [
          "tron_hot_wallet_trx 20",
          "tron_hot_wallet_usdt 10000",
          "withdrawals_open 0",
          `money_warning{warning="hot_wallet_fees_low"} 1`,
          `money_warning{warning="hot_wallet_low"} 0`
        ]) {
          assert.include(metrics, `${line}\n`)
        }
      }
    } finally {
      await worker.end("SIGTERM")
      await server.end("SIGTERM")
      await close()
    }
  })

  it("all errors of the variables are reported together, without secrets (CONFIG-1, CONFIG-12)", async () => {
    const worker = spawnApp("worker", {
      DATABASE_URL: "postgres://nobody@127.0.0.1:1/none",
      CHAIN: "tron",
      TEST_CLOCK: "true",
      TRON_FULL_NODE_URL: "ftp://node",
      TRON_SOLIDITY_NODE_URL: "https://node.example.com,https://user:not-a-key@node.example.com",
      TRON_USDT_CONTRACT: "tr7nhqjekqxgtci8q8zy4pl8otszgjlj6t",
      TRON_DEPOSIT_XPUB: "xprv-not-a-key",
      TRON_HOT_WALLET_KEY: "not-a-key-but-secret",
      TRON_START_BLOCK: "-1"
    })
    await waitFor("the end", () => worker.hasEnded(), 60_000)
    for (const name of [
      "TEST_CLOCK",
      "TRON_FULL_NODE_URL",
      "TRON_SOLIDITY_NODE_URL",
      "TRON_USDT_CONTRACT",
      "TRON_DEPOSIT_XPUB",
      "TRON_HOT_WALLET_KEY",
      "TRON_START_BLOCK"
    ]) {
      assert.include(worker.output(), name)
    }
    assert.notInclude(worker.output(), "not-a-key")
  })
})
