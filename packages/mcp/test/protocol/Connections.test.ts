import { it } from "@effect/vitest"
import { Deferred, Effect, Exit, Fiber, Scope } from "effect"
import { setImmediate } from "node:timers/promises"
import { setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"
import { assert, describe } from "vitest"
import { Connections } from "../../src/protocol/Connections.ts"
import type { Connection } from "../../src/protocol/Connections.ts"
import type { JsonRpcAnswer, JsonRpcId } from "../../src/protocol/JsonRpc.ts"
import { MarketMcpServer } from "../../src/protocol/MarketMcpServer.ts"
import { balance, data, stubMarket } from "../fixtures/stubMarket.ts"

setFlagsFromString("--expose-gc")
const collectGarbage = runInNewContext("gc") as () => void

const ask = (connection: Connection, id: JsonRpcId, method: string, params: object = {}) =>
  connection.exchange({ _tag: "Request", id, method, params })

const tool = (connection: Connection, id: JsonRpcId) => ask(connection, id, "tools/call", { name: "wallet_balance" })

const initialize = (connection: Connection) =>
  ask(connection, "hello", "initialize", {
    protocolVersion: "2025-11-25",
    capabilities: {},
    clientInfo: { name: "agent", version: "1.0.0" }
  })

const openFor = Effect.fnUntraced(function* (market: ReturnType<typeof stubMarket>) {
  const connection = yield* (yield* Connections).open(market)
  yield* initialize(connection)
  return connection
})

const resultOf = (answer: JsonRpcAnswer | void) =>
  answer !== undefined && "result" in answer
    ? (answer.result as { readonly structuredContent: { readonly availableBalance: number } }).structuredContent
    : assert.fail(JSON.stringify(answer))

const errorOf = (answer: JsonRpcAnswer | void) =>
  answer !== undefined && "error" in answer ? answer.error : assert.fail(JSON.stringify(answer))

/** A market that responds only when released; signals when it received a request and when that was aborted. */
const slowMarket = Effect.gen(function* () {
  const received = yield* Deferred.make<void>()
  const aborted = yield* Deferred.make<void>()
  let release: (response: Response) => void = () => undefined
  const gate = new Promise<Response>((resolve) => {
    release = resolve
  })
  const market = stubMarket((request) => {
    Deferred.doneUnsafe(received, Effect.void)
    request.signal.addEventListener("abort", () => Deferred.doneUnsafe(aborted, Effect.void))
    return gate
  })
  return { market, received, aborted, answer: () => release(data(balance(1))) }
})

describe("Connections", () => {
  it.layer(MarketMcpServer.layer)((it) => {
    it.effect("each connection uses its own market, also concurrently and with equal ids (MCP-2)", () =>
      Effect.gen(function* () {
        const connections = yield* Effect.forEach(
          Array.from({ length: 50 }, (_, i) => i),
          (i) => openFor(stubMarket(() => data(balance(i))))
        )
        const answers = yield* Effect.forEach(connections, (connection) => tool(connection, 1), {
          concurrency: "unbounded"
        })
        assert.deepStrictEqual(
          answers.map((answer) => resultOf(answer).availableBalance),
          connections.map((_, i) => i)
        )
      }).pipe(Effect.scoped)
    )

    it.effect("a reused id gets a response each time, even while the first request is pending", () =>
      Effect.gen(function* () {
        const { answer, received, market } = yield* slowMarket
        const connection = yield* openFor(market)
        const first = yield* Effect.forkChild(tool(connection, 1))
        yield* Deferred.await(received)
        for (const id of [1, "1", 1])
          assert.deepStrictEqual(yield* ask(connection, id, "ping"), { jsonrpc: "2.0", id, result: {} })
        answer()
        const response = yield* Fiber.join(first)
        assert.strictEqual(resultOf(response).availableBalance, 1)
        assert.deepInclude(response, { id: 1 })
        assert.deepInclude(yield* ask(connection, 1, "ping"), { id: 1, result: {} })
      }).pipe(Effect.scoped)
    )

    it.effect("a cancelled request gets no response, and its request to the market is aborted", () =>
      Effect.gen(function* () {
        const { received, aborted, market } = yield* slowMarket
        const connection = yield* openFor(market)
        const call = yield* Effect.forkChild(tool(connection, 1))
        yield* Deferred.await(received)
        yield* connection.exchange({
          _tag: "Notification",
          method: "notifications/cancelled",
          params: { requestId: 1 }
        })
        assert.isUndefined(yield* Fiber.join(call))
        yield* Deferred.await(aborted)
      }).pipe(Effect.scoped)
    )

    it.effect("a connection that ends aborts its requests and leaves no state", () =>
      Effect.gen(function* () {
        const { received, aborted, market } = yield* slowMarket
        const connections = yield* Connections
        const scope = yield* Scope.make()
        const connection = yield* Scope.provide(openFor(market), scope)
        const call = yield* Effect.forkChild(tool(connection, 1))
        yield* Deferred.await(received)
        yield* Scope.close(scope, Exit.void)
        yield* Deferred.await(aborted)
        yield* Fiber.interrupt(call)
        const others = Array.from({ length: 1000 }, (_, clientId) => connections.marketOf(clientId))
        assert.notInclude(others, market)
      })
    )

    it.effect("no state of a caller remains after the response", () =>
      Effect.gen(function* () {
        const callers = yield* Effect.forEach(Array.from({ length: 20 }), () =>
          Effect.gen(function* () {
            const market = stubMarket(() => data(balance(1)))
            yield* tool(yield* openFor(market), 1)
            return new WeakRef(market)
          }).pipe(Effect.scoped)
        )
        // The last one may still be referenced from a stack.
        const kept = () => callers.filter((caller) => caller.deref() !== undefined).length
        for (let tries = 0; tries < 50 && kept() > 1; tries++) {
          yield* Effect.promise(() => setImmediate())
          collectGarbage()
        }
        assert.isAtMost(kept(), 1)
      })
    )

    it.effect("a caller that disconnects leaves nothing running", () =>
      Effect.gen(function* () {
        const { received, aborted, market } = yield* slowMarket
        const call = yield* Effect.forkChild(
          Effect.scoped(Effect.flatMap(openFor(market), (connection) => tool(connection, 1)))
        )
        yield* Deferred.await(received)
        yield* Fiber.interrupt(call)
        yield* Deferred.await(aborted)
      })
    )

    it.effect("before initialize only ping succeeds", () =>
      Effect.gen(function* () {
        const connection = yield* (yield* Connections).open(stubMarket(() => data(balance(1))))
        assert.match(errorOf(yield* tool(connection, 1)).message, /initialize first/)
        assert.deepInclude(yield* ask(connection, 2, "ping"), { id: 2, result: {} })
        yield* initialize(connection)
        assert.strictEqual(resultOf(yield* tool(connection, 3)).availableBalance, 1)
      }).pipe(Effect.scoped)
    )
  })
})
