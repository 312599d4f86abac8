import type { Marketplace } from "@agent-marketplace/client"
import { Context, Effect, Layer, Semaphore, Stdio, Stream } from "effect"
import { Connections } from "./protocol/Connections.ts"
import { JsonRpc } from "./protocol/JsonRpc.ts"
import { MarketMcpServer } from "./protocol/MarketMcpServer.ts"

/** The maximum number of messages handled concurrently; the others wait. */
const concurrency = 16

/**
 * The stdio transport of MCP: one message per line of standard input, one response per line of standard output. Ends with
 * the input, after the last response.
 */
export const runStdio = (market: Marketplace, baseUrl?: string) =>
  Effect.gen(function* () {
    const stdio = yield* Stdio.Stdio
    const connections = Context.get(yield* Layer.build(MarketMcpServer.layer), Connections)
    const connection = yield* connections.open(market, baseUrl)
    const oneAtATime = Semaphore.makeUnsafe(1)
    const write = (text: string) =>
      oneAtATime.withPermits(1)(Stream.run(Stream.make(`${text}\n`), stdio.stdout({ endOnDone: false })))
    yield* stdio.stdin.pipe(
      Stream.decodeText(),
      Stream.splitLines,
      Stream.filter((line) => line.trim() !== ""),
      Stream.mapEffect(
        (line) =>
          Effect.flatMap(connection.exchange(JsonRpc.read(line)), (answer) =>
            answer === undefined ? Effect.void : write(JSON.stringify(answer))
          ),
        { concurrency, unordered: true }
      ),
      Stream.runDrain
    )
  }).pipe(Effect.scoped)
