import { handlerGroup, leanServer } from "@agent-marketplace/http/edge/RequestServices"
import { assert, it } from "@effect/vitest"
import { Context, Effect, Layer, Schema } from "effect"
import { HttpRouter, HttpServer } from "effect/http"
import { HttpApi, HttpApiBuilder, HttpApiEndpoint, HttpApiGroup } from "effect/http-api"
import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import * as NetAddress from "effect/net/NetAddress"

interface Named {
  readonly name: string
}

const Own = Context.Service<"own", Named>("@agent-marketplace/core/test/Own")
const Foreign = Context.Service<"foreign", Named>("host/Foreign")
const Edge = Context.Service<"edge", Named>("@agent-marketplace/http/test/Edge")

const services = Context.make(Own, { name: "own" }).pipe(
  Context.add(Foreign, { name: "foreign" }),
  Context.add(Edge, { name: "edge" })
)

const names = [Own, Foreign, Edge].map(({ key }) => key)

/** Which of the three services the current fiber's context holds. */
const held = Effect.contextWith((context: Context.Context<never>) =>
  Effect.succeed(names.filter((name) => context.mapUnsafe.has(name)))
)

const Api = HttpApi.make("test").add(
  HttpApiGroup.make("things").add(HttpApiEndpoint.get("held", "/held", { success: Schema.Unknown }))
)

it.effect("handlers take the market's services when they are built, and requests do not carry them", () =>
  Effect.gen(function* () {
    const group = handlerGroup(
      Api,
      "things",
      Effect.fnUntraced(function* (handlers) {
        const { name } = yield* Own
        return handlers.handle("held", () => Effect.map(held, (found) => ({ taken: name, found })))
      })
    )
    const routes = HttpApiBuilder.layer(Api).pipe(
      Layer.provide(group),
      Layer.provide(Layer.succeedContext(services)),
      Layer.provide(NodeHttpServer.layerHttpServices)
    )
    const { dispose, handler } = HttpRouter.toWebHandler(routes, { disableLogger: true })
    yield* Effect.addFinalizer(() => Effect.promise(dispose))
    const response = yield* Effect.promise(() => handler(new Request("http://market/held")))
    assert.deepStrictEqual(yield* Effect.promise(() => response.json()), {
      taken: "own",
      found: []
    })
  })
)

it.effect("a server starts its requests without the market's services", () =>
  Effect.gen(function* () {
    const found: Array<string> = []
    const server = HttpServer.make({
      address: NetAddress.unixPathAddress("/test"),
      serve: () => Effect.map(held, (names) => void found.push(...names))
    })
    const serve = HttpServer.HttpServer.use((lean) => lean.serve(Effect.die("unused")))
    yield* Effect.scoped(serve).pipe(
      Effect.provide(leanServer.pipe(Layer.provide(Layer.succeed(HttpServer.HttpServer, server)))),
      Effect.provideContext(services)
    )
    assert.deepStrictEqual(found, [Foreign.key])
  })
)
