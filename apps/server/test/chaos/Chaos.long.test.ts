import { Random } from "@agent-marketplace/fixtures/fuzzing/Random"
import { setTimeout } from "node:timers/promises"
import { assert, describe, it } from "vitest"
import { dataOf, makePatientClient } from "../fixtures/Client.ts"
import { onMarket } from "../fixtures/Market.ts"
import type { Purchase } from "../fixtures/Market.ts"
import { all, Traffic } from "../fixtures/Traffic.ts"
import { waitFor } from "../fixtures/waitFor.ts"
import { ChaosAgents } from "./ChaosAgents.ts"
import { ChaosBlobs } from "./ChaosBlobs.ts"
import { ChaosChain } from "./ChaosChain.ts"
import { assertLimitsShared, assertUnique, salesOf } from "./chaosChecks.ts"
import { ChaosDatabase } from "./ChaosDatabase.ts"
import { ChaosDisk } from "./ChaosDisk.ts"
import { chaosLanes } from "./chaosLanes.ts"
import { ChaosMail } from "./ChaosMail.ts"
import { ChaosMarket } from "./ChaosMarket.ts"
import { ChaosReceiver } from "./ChaosReceiver.ts"
import { ChaosRedis, noRedis } from "./ChaosRedis.ts"
import { ChaosReleases } from "./ChaosReleases.ts"
import { ChaosStream } from "./ChaosStream.ts"
import { ChaosTransfers } from "./ChaosTransfers.ts"
import { ChaosWitness } from "./ChaosWitness.ts"
import { FaultLog } from "./FaultLog.ts"

/** How long faults happen. `npm run chaos -- --minutes 30` sets it to 30 minutes. */
const minutes = Number(process.env["CHAOS_MINUTES"] ?? 1)
const seed = Number(process.env["CHAOS_SEED"] ?? Date.now() % 1_000_000)

/** The fewest faults in a minute, and how many of the last ones the report of a failure lists. */
const [leastFaults, reportedFaults] = [20, 30]

/** How many customers follow their events and get e-mails. */
const followers = 3

const say = (text: string): void => void process.stdout.write(`chaos: ${text}\n`)

const addressOf = (number: number): string => `customer-${number}@shop.example`

/** The foreign services of both markets, and the two markets on two databases of one cluster. */
const startEverything = async (closing: Array<() => Promise<unknown>>) => {
  const kept = async <A extends { readonly close: () => Promise<unknown> }>(starting: Promise<A>): Promise<A> => {
    const service = await starting
    closing.push(() => service.close())
    return service
  }
  const database = await kept(ChaosDatabase.start())
  const receiver = await kept(ChaosReceiver.start())
  const mail = await kept(ChaosMail.start())
  const blobs = await kept(ChaosBlobs.start())
  const disk = await kept(ChaosDisk.make())
  const chain = await kept(ChaosChain.start())
  if (noRedis !== undefined && process.env["CI"] !== undefined) throw new Error(noRedis)
  const redis = noRedis === undefined ? await kept(ChaosRedis.start()) : undefined
  if (noRedis !== undefined) say(`Redis does not fail: ${noRedis}`)
  for (const problem of new Set([database.noDisk, disk.problem]))
    if (problem !== undefined) say(`no disk is filled: ${problem}`)
  await database.query("CREATE DATABASE tron")

  const common = { LOG_LEVEL: "error", LISTING_REVIEW: "auto", WEBHOOK_ALLOW_PRIVATE: "true" }
  const shop = {
    ...common,
    ...mail.environment,
    ...blobs.environment,
    ...(redis === undefined ? {} : { REDIS_URL: redis.url }),
    DATABASE_URL: database.url(),
    TEST_CLOCK: "true"
  }
  const bank = { ...common, DATABASE_URL: database.url("tron"), BLOBS: "folder", BLOB_FOLDER: disk.folder }
  const external = { WORKER: "external" }
  const simulated = new ChaosMarket(2, { server: { ...shop, ...external, RATE_LIMITS: "on" }, worker: shop })
  const tron = new ChaosMarket(1, {
    server: { ...bank, ...external, ...chain.serverEnvironment },
    worker: { ...bank, ...chain.workerEnvironment }
  })
  closing.push(() => Promise.all([simulated.close(), tron.close()]))
  return {
    database,
    receiver,
    mail,
    blobs,
    blobDisk: disk.problem === undefined ? disk : undefined,
    chain,
    redis,
    simulated,
    tron
  }
}

type Everything = Awaited<ReturnType<typeof startEverything>>

/** Members of all kinds, and what they do. */
const prepare = async ({ chain, mail, receiver, simulated, tron }: Everything) => {
  const [first, second] = [await simulated.ready(), await tron.ready()]
  const unlimited = { tier: "enterprise", patient: true } as const
  const wish = { customers: 8, items: Math.max(200, 40 * minutes) }
  const traffic = await Traffic.prepare(first, wish, unlimited)
  const subscription = { url: receiver.url, events: ["purchase.completed"] }
  dataOf(await makePatientClient(first, traffic.seller.key).post("/api/v1/webhooks", subscription), 201)
  const market = onMarket(first, unlimited)
  const sellers = onMarket(second, unlimited)
  const followed = traffic.customers.slice(0, followers)
  for (const [number, { member }] of followed.entries()) await mail.subscribe(first, member, addressOf(number))
  const streams = followed.map(({ member }) => new ChaosStream(member.key, simulated.url))
  await Promise.all(streams.map((stream) => stream.start()))
  return {
    traffic,
    followed,
    streams,
    agents: new ChaosAgents(await market.fundedMember(10_000), traffic.items),
    witness: new ChaosWitness(simulated.servers, await market.member()),
    releases: await ChaosReleases.prepare(first, await market.member({ seller: true }), await market.member()),
    bankReleases: await ChaosReleases.prepare(second, await sellers.member({ seller: true }), await sellers.member()),
    transfers: await ChaosTransfers.prepare(second, chain)
  }
}

type Prepared = Awaited<ReturnType<typeof prepare>>

/** Faults and load at once, until the time is over. Rejects with the first failure after everything has ended. */
const runChaos = async (on: Everything, load: Prepared, log: FaultLog): Promise<void> => {
  const { simulated, tron } = on
  let over = false
  let failure: { readonly error: unknown } | undefined
  const guarded = (running: Promise<unknown>) => running.catch((error: unknown) => void (failure ??= { error }))
  const isOver = () => over || failure !== undefined
  const shift = {
    get baseUrl() {
      return simulated.url()
    },
    isOver,
    pause: 400
  }
  const loads = [
    load.traffic.run(shift),
    load.agents.run(simulated.url, isOver),
    load.witness.run(isOver),
    load.releases.run(simulated.url, isOver),
    load.bankReleases.run(tron.url, isOver),
    load.transfers.run(tron.url, isOver)
  ].map(guarded)
  const until = Date.now() + minutes * 60_000
  const lanes = chaosLanes({ ...on, ...load })
  const faults = lanes.map((lane, number) => guarded(log.run(lane, new Random(seed, number), until, isOver)))
  await Promise.all(faults)
  over = true
  await Promise.all(loads)
  if (failure !== undefined) throw failure.error
}

const reportOn = ({ database, mail }: Everything, load: Prepared, log: FaultLog): void => {
  const { agents, bankReleases, releases, streams, traffic, transfers, witness } = load
  const answered = traffic.moves.filter(({ answer }) => answer !== undefined).length
  const failures: Record<number, number> = {}
  for (const { status } of traffic.failures) failures[status] = (failures[status] ?? 0) + 1
  say(`${log.count} faults, by minute ${log.perMinute.join(" ")}`)
  say(`by kind ${JSON.stringify(log.kinds)}`)
  say(
    `${traffic.moves.length} requests with money, ${answered} answered, refused ${JSON.stringify(failures)}; ${traffic.deposits.length} deposits; ` +
      `${database.promotions} promotions; ${agents.limited.length} agents bought ${agents.bought}; ${witness.revocations} keys deactivated, ` +
      `${witness.answersAfterwards} refusals seen, ${witness.times} times of woken processes; ` +
      `${releases.uploaded.length + bankReleases.uploaded.length} releases, ${releases.installed + bankReleases.installed} installed; ` +
      `${transfers.withdrawals} withdrawals on TRON; ${streams.map(({ connections }) => connections).join(" ")} connections of streams; ` +
      `${mail.repetitions} messages repeated`
  )
}

/** The announced deposits of a customer: all but the one before the channel was there. */
const depositsOf = async (baseUrl: string, key: string): Promise<ReadonlyArray<string>> => {
  const path = "/api/v1/wallet/transactions"
  const lines = await all<{ id: string; type: string; amount: string }>(makePatientClient(baseUrl, key), path)
  return lines.flatMap(({ amount, type }) => (type === "deposit" && amount !== "10000.00" ? [amount] : []))
}

/** The market of purchases: every answer is still true, and everybody was notified once. */
const assertShopHolds = async (on: Everything, load: Prepared): Promise<void> => {
  const { database, mail, receiver, redis, simulated } = on
  const { agents, followed, releases, streams, traffic, witness } = load
  const faults = traffic.failures.filter(({ status }) => status !== 503 && status !== 408)
  assert.deepStrictEqual(
    faults.map(({ text }) => text),
    [],
    "a service that is away is reported as such"
  )
  assert.isAbove(witness.answersAfterwards, 0, "the test proves nothing about deactivated keys")
  const calm = await simulated.ready()
  await traffic.reconcile(calm)
  await traffic.assertNothingLost(calm)
  await waitFor("every answered deposit is credited", () => traffic.areDepositsCredited(calm), 300_000)
  await onMarket(calm, { patient: true }).assertBalanced()
  await assertUnique(database)
  await agents.assertWithin((text) => database.query(text))
  await releases.assertKept(calm)
  if (redis !== undefined) await assertLimitsShared(simulated)
  const sales = await salesOf(database, traffic.seller.id)
  const deposits = await Promise.all(followed.map(({ member }) => depositsOf(calm, member.key)))
  await waitFor(
    "every purchase and every deposit is announced",
    async () => {
      // Retries and the pace of channels need hours.
      await onMarket(calm, { patient: true }).advance(3600)
      await setTimeout(500)
      const isMailed = deposits.map((amounts, number) => mail.hasAnnounced(addressOf(number), amounts))
      return receiver.hasDelivered(sales) && isMailed.every((announced) => announced)
    },
    600_000
  )
  for (const [number, { member }] of followed.entries()) {
    const bought = traffic.moves.filter((move) => move.kind === "buy" && move.by === member.key)
    const ids = bought.flatMap(({ answer }) =>
      answer?.status === 201 ? [dataOf<Purchase>(answer, 201).purchaseId] : []
    )
    assert.isAbove(ids.length, 0)
    await streams[number]?.assertWhole(calm, ids)
  }
  await onMarket(calm, { patient: true }).assertBalanced()
}

/** The market on TRON: its ledger agrees with the chain. */
const assertBankHolds = async ({ tron }: Everything, { bankReleases, transfers }: Prepared): Promise<void> => {
  const calm = await tron.ready()
  await transfers.reconcile(calm)
  await transfers.assertAgree(calm)
  await onMarket(calm, { patient: true }).assertBalanced()
  await bankReleases.assertKept(calm)
}

describe("chaos", () => {
  it(
    "loses no answered request, executes none twice, announces everything and balances, whatever is killed, frozen, full or cut (DATABASE-3, DATABASE-6, SYSTEM-7, CHAIN-13, CHAIN-16, CHAIN-24, CHAIN-25, KEY-6, LIMIT-14, LIVE-2, NOTIFY-5, NOTIFY-6, RELEASE-19)",
    { timeout: minutes * 60_000 + 1_200_000 },
    async () => {
      say(`seed ${seed}, ${minutes} minutes (npm run chaos -- --minutes ${minutes} --seed ${seed})`)
      const closing: Array<() => Promise<unknown>> = []
      let log: FaultLog | undefined
      let on: Everything | undefined
      try {
        on = await startEverything(closing)
        const load = await prepare(on)
        closing.push(() => Promise.all(load.streams.map((stream) => stream.close())))
        log = new FaultLog()
        await runChaos(on, load, log)
        reportOn(on, load, log)
        assert.isAtLeast(log.count, leastFaults * minutes, "too few faults: this machine is too busy")
        assert.isAbove(on.database.promotions, 0, "nothing was promoted: the test proves nothing about promotions")
        await Promise.all([assertShopHolds(on, load), assertBankHolds(on, load)])
        say(`everything held with seed ${seed}`)
      } catch (error) {
        say(`seed ${seed} failed: ${String(error)}`)
        if (log !== undefined) say(`the last faults\n${log.last(reportedFaults)}`)
        for (const each of [...(on?.simulated.processes ?? []), ...(on?.tron.processes ?? [])])
          if (each.output() !== "") say(`the end of a process's output\n${each.output().slice(-2000)}`)
        throw error
      } finally {
        for (const close of closing.toReversed()) await close()
      }
    }
  )
})
