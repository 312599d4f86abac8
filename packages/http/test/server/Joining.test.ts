import { freePort } from "@agent-marketplace/http/server/freePort"
import { serverThatJoins } from "@agent-marketplace/http/server/serverThatJoins"
import { assert, it } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import { HttpServer, HttpServerResponse } from "effect/http"

it.live("a server that joins others listens only once it can respond (CONFIG-15)", () =>
  Effect.gen(function* () {
    const host = "127.0.0.1"
    const port = yield* freePort(host)
    const status = Effect.promise(() =>
      fetch(`http://${host}:${port}/`, { headers: { connection: "close" } }).then(
        (response) => response.status,
        () => "refused"
      )
    )
    const joining = Effect.map(Layer.build(Layer.fresh(serverThatJoins({ host, port, reusePort: true }))), (context) =>
      Context.get(context, HttpServer.HttpServer)
    )
    const [one, other] = [yield* joining, yield* joining]
    assert.strictEqual(yield* status, "refused")
    yield* one.serve(Effect.succeed(HttpServerResponse.empty({ status: 200 })))
    for (let i = 0; i < 20; i++) assert.strictEqual(yield* status, 200)
    yield* other.serve(Effect.succeed(HttpServerResponse.empty({ status: 202 })))
    const seen = new Set<unknown>()
    yield* Effect.repeat(
      Effect.map(status, (each) => seen.add(each)),
      { until: () => seen.size === 2 }
    ).pipe(Effect.timeout("20 seconds"))
  }).pipe(Effect.scoped)
)
