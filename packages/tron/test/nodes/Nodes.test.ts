import type { Fault } from "@agent-marketplace/fixtures/tron/TronNode"
import { overloaded } from "@agent-marketplace/fixtures/tron/TronNode"
import { TronNetwork } from "@agent-marketplace/fixtures/tron/TronNetwork"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { TestClock } from "effect/testing"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { Header } from "../../src/nodes/NodeAnswers.ts"
import { Nodes } from "../../src/nodes/Nodes.ts"
import { defaultTimings } from "../../src/TronSettings.ts"
import { startNode } from "../fixtures/tronMarket.ts"

const nodesAt = (...urls: ReadonlyArray<string>) =>
  new Nodes({ wallet: urls, walletsolidity: urls }, undefined, defaultTimings)

/** Requests the newest block. */
const ask = (nodes: Nodes) => nodes.ask("wallet", "getblock", { detail: false }, Header)

const two = Effect.gen(function* () {
  const network = new TronNetwork()
  const [first, second] = [yield* startNode(network), yield* startNode(network)]
  const nodes = nodesAt(first.url, second.url)
  const asked = () => [first.node, second.node].map(({ calls }) => calls.get("getblock") ?? 0)
  yield* ask(nodes)
  return { first: first.node, nodes, asked }
})

describe("nodes (CHAIN-11)", () => {
  const storms: Readonly<Record<string, readonly [Fault, rests: string]>> = {
    "429": [{ kind: "status", status: 429 }, "1 second"],
    "403": [{ kind: "status", status: 403 }, "1 second"],
    "503 with Retry-After": [{ kind: "status", status: 503, headers: { "retry-after": "7" } }, "7 seconds"],
    "TRON's rate limit message with status 200": [overloaded, "1 second"]
  }
  for (const [name, [fault, rests]] of Object.entries(storms)) {
    it.effect(`a node that answers with ${name} is not used for ${rests}, and used again after that`, () =>
      Effect.gen(function* () {
        const { asked, first, nodes } = yield* two
        first.fault = () => fault
        const [before = 0] = asked()
        for (let i = 0; i < 5; i++) yield* ask(nodes)
        assert.strictEqual(asked()[0], before + 1)
        first.fault = () => undefined
        yield* TestClock.adjust(rests as "1 second")
        const [, others] = asked()
        yield* ask(nodes)
        assert.deepStrictEqual(asked(), [before + 2, others])
      })
    )
  }

  it.effect("each further rate limit doubles a node's pause, up to half a minute", () =>
    Effect.gen(function* () {
      const { asked, first, nodes } = yield* two
      first.fault = () => ({ kind: "status", status: 429 })
      const rests: Array<number> = []
      for (let seconds = 0, last = 0; seconds < 130; seconds++) {
        const [before = 0] = asked()
        yield* ask(nodes)
        if ((asked()[0] ?? 0) > before) {
          rests.push(seconds - last)
          last = seconds
        }
        yield* TestClock.adjust("1 second")
      }
      assert.deepStrictEqual(rests, [0, 1, 2, 4, 8, 16, 30, 30, 30])
    })
  )

  it.effect("a failing node is used three times and then not used for a while", () =>
    Effect.gen(function* () {
      const { asked, first, nodes } = yield* two
      first.fault = () => ({ kind: "status", status: 500 })
      const [before = 0] = asked()
      for (let i = 0; i < 10; i++) yield* ask(nodes)
      assert.strictEqual(asked()[0], before + 3)
    })
  )

  it.effect(
    "without a usable node the failure gives every node's reason and only its host, because a URL may contain a key",
    () =>
      Effect.gen(function* () {
        const nodes = nodesAt("http://127.0.0.1:1/secret-key", "http://127.0.0.1:2/?key=secret-key")
        const { reason } = yield* Effect.flip(ask(nodes))
        assert.match(reason, /127\.0\.0\.1:1 getblock: not reached \(ECONNREFUSED\); 127\.0\.0\.1:2/)
        assert.notInclude(reason, "secret-key")
      })
  )

  it.effect("each call sends the API key as TRON-PRO-API-KEY (CHAIN-21)", () =>
    Effect.gen(function* () {
      const seen: Array<unknown> = []
      const server = createServer((request, response) => {
        seen.push(request.headers["tron-pro-api-key"])
        response.end("{}")
      })
      yield* Effect.promise(() => new Promise<void>((done) => void server.listen(0, "127.0.0.1", done)))
      yield* Effect.addFinalizer(() => Effect.sync(() => server.close().closeAllConnections()))
      const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
      const nodes = new Nodes({ wallet: [url], walletsolidity: [url] }, Redacted.make("the-key"), defaultTimings)
      yield* Effect.flip(ask(nodes))
      assert.deepStrictEqual([...new Set(seen)], ["the-key"])
    })
  )

  it.effect("a key that a node echoes appears in no error (CHAIN-21)", () =>
    Effect.gen(function* () {
      const { node, url } = yield* startNode(new TronNetwork())
      const key = "a-secret-key-of-the-operator"
      const nodes = new Nodes({ wallet: [url], walletsolidity: [url] }, Redacted.make(key), defaultTimings)
      for (const echo of [
        `{"Error":"key ${key} is over its quota"}`,
        `{"headers":{"tron-pro-api-key":"${key.slice(0, 20)}`
      ]) {
        node.fault = () => ({ kind: "body", text: JSON.stringify({ Error: echo }) })
        const { reason } = yield* Effect.flip(ask(nodes))
        assert.include(reason, "unexpected answer")
        assert.notInclude(reason, "secret-key")
        yield* TestClock.adjust("1 minute")
      }
    })
  )
})
