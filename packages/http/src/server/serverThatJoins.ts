import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import type { Options } from "@effect/platform-node/NodeHttpServer"
import { Effect, Layer, Scope } from "effect"
import { HttpServer } from "effect/http"
import * as NetAddress from "effect/net/NetAddress"
import { makeMarketServer } from "./MarketServer.ts"

/**
 * A server that starts to listen only once it can respond: other processes serve the port already, and its
 * first connections would get the error that the service is starting (CONFIG-15, ERROR-21).
 */
export const serverThatJoins = (options: Options) =>
  Layer.merge(
    Layer.effect(
      HttpServer.HttpServer,
      Effect.map(Effect.scope, (scope) =>
        HttpServer.make({
          // Unknown until it listens.
          address: NetAddress.unixPathAddress(""),
          // The errors of any app.
          // @effect-diagnostics anyUnknownInErrorContext:off
          serve: (app, middleware) =>
            NodeHttpServer.make(makeMarketServer, options).pipe(
              Scope.provide(scope),
              Effect.orDie,
              Effect.flatMap(({ serve }) => (middleware === undefined ? serve(app) : serve(app, middleware)))
            )
        })
      )
    ),
    NodeHttpServer.layerHttpServices
  )
