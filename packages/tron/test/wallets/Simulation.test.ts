import type { Withdrawal } from "@agent-marketplace/core/wallets/Withdrawal"
import { assertBooks } from "@agent-marketplace/testkit/fixtures/assertBooks"
import type { Fault, NodeCall } from "@agent-marketplace/fixtures/tron/TronNode"
import type { Mishap } from "@agent-marketplace/fixtures/tron/TronNetwork"
import { bare } from "@agent-marketplace/fixtures/tron/TronNetwork"
import { assert, it, vi } from "@effect/vitest"
import { Effect, Exit, Scope } from "effect"
import { hotWallet, receiver } from "../fixtures/keys.ts"
import { finalise, inMarket, makeWorker, moneyOf, startMarket, withdraw, withdrawalOf } from "../fixtures/market.ts"

/** The number of withdrawals in one history; `SIMULATED_WITHDRAWALS` overrides it. */
const wanted = Number(process.env["SIMULATED_WITHDRAWALS"] ?? 300)

vi.setConfig({ testTimeout: 300_000 + wanted * 60 })

const random = (seed: number) => {
  let state = seed >>> 0
  return (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

const anyCall: ReadonlyArray<Fault> = [
  { kind: "away" },
  { kind: "lost" },
  { kind: "truncated" },
  { kind: "status", status: 429 },
  { kind: "status", status: 502 },
  { kind: "body", text: "{}" },
  { kind: "body", text: "[]" },
  { kind: "body", text: "null" },
  { kind: "body", text: `{"Error":"class java.lang.NullPointerException : null"}` }
]

const onBroadcast: ReadonlyArray<Fault> = [
  "SERVER_BUSY",
  "DUP_TRANSACTION_ERROR",
  "TAPOS_ERROR",
  "TRANSACTION_EXPIRATION_ERROR",
  "SIGERROR",
  "OTHER_ERROR"
].flatMap((code): ReadonlyArray<Fault> => [
  { kind: "refuse", code },
  { kind: "tell", code }
])

const mishaps: ReadonlyArray<Mishap | undefined> = ["drop", "drop", "OUT_OF_ENERGY", "REVERT"]

it.live(`with faults at every call, each of ${wanted} withdrawals is paid once or refunded`, () =>
  Effect.gen(function* () {
    const seed = Number(process.env["SIMULATION_SEED"] ?? 20_261_121)
    const next = random(seed)
    const pick = <A>(from: ReadonlyArray<A>): A => from[Math.floor(next() * from.length)] as A
    const { network, node, url } = yield* startMarket({ solidLag: 4 })
    network.fund(hotWallet, 100_000_000n)
    const fates = new Map<string, Mishap | undefined>()
    network.mishap = (id) => {
      if (!fates.has(id)) fates.set(id, next() < 0.08 ? pick(mishaps) : undefined)
      return fates.get(id)
    }
    node.fault = ({ method }: NodeCall) => {
      if (method === "broadcasttransaction" && next() < 0.2) return pick(onBroadcast)
      return next() < 0.03 ? pick(anyCall) : undefined
    }
    node.behind = () => (next() < 0.03 ? Math.floor(next() * 30) : 0)

    const asked: Array<Withdrawal> = []
    const start = Effect.gen(function* () {
      const scope = yield* Scope.make()
      const timings = { timeout: 3000, restMin: 1, restMax: 2, fresh: 15, lifetime: 60_000, resend: 0 }
      const worker = yield* Scope.provide(makeWorker([url], { timings }), scope)
      return { worker, stop: Scope.close(scope, Exit.void) }
    })
    let running = yield* start
    let open: ReadonlyArray<Withdrawal> = []
    for (let round = 0; asked.length < wanted || open.length > 0; round++) {
      assert.isTrue(round < wanted, `${open.length} withdrawals do not end (seed ${seed})`)
      while (asked.length < wanted && open.length < 400) {
        const withdrawal = yield* withdraw(5 + Math.floor(next() * 3))
        asked.push(withdrawal)
        open = [...open, withdrawal]
      }
      // Every tenth round is killed in the middle.
      if (next() < 0.1) {
        yield* Effect.exit(running.worker.process).pipe(Effect.timeoutOption(Math.floor(next() * 200)))
        yield* running.stop
        running = yield* start
      } else yield* Effect.exit(running.worker.process)
      network.mine(1 + Math.floor(next() * 6))
      if (next() < 0.05) network.fork(1 + Math.floor(next() * 3))
      if (network.balance(bare(hotWallet)) < 500_000_000n && next() < 0.7) network.fund(hotWallet, 1_500_000_000n)
      open = (yield* Effect.forEach(open, withdrawalOf)).filter(
        ({ state }) => state === "queued" || state === "broadcasting"
      )
    }
    yield* running.stop
    finalise(network)

    const ended = yield* Effect.forEach(asked, withdrawalOf)
    const sum = (state: Withdrawal["state"], of: (withdrawal: Withdrawal) => bigint) =>
      ended.filter((each) => each.state === state).reduce((total, each) => total + of(each), 0n)
    assert.strictEqual(
      network.balance(bare(receiver)),
      sum("completed", ({ amount }) => amount)
    )
    let returned = 0n
    for (const { accountId } of ended) returned += (yield* moneyOf({ id: accountId })).available
    assert.strictEqual(
      returned,
      sum("failed", ({ amount, fee }) => amount + fee)
    )
    const txids = ended.filter(({ state }) => state === "completed").map(({ transaction }) => transaction?.txid)
    assert.strictEqual(new Set(txids).size, txids.length)
    assert.isTrue(ended.some(({ attempts }) => attempts > 1))
    assert.isTrue(ended.some(({ state }) => state === "failed"))
    yield* assertBooks
    const attempts = ended.reduce((total, each) => total + each.attempts, 0)
    process.stdout.write(
      `${ended.length} withdrawals: ${txids.length} paid, ${ended.length - txids.length} given back, ${attempts} transactions, ` +
        `${[...node.calls.values()].reduce((total, each) => total + each, 0)} calls\n`
    )
  }).pipe(inMarket)
)
