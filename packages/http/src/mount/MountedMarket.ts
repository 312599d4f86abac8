import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import { Readiness } from "@agent-marketplace/telemetry/Readiness"
import { Context, Effect, Layer } from "effect"
import type { Scope } from "effect"
import { HttpEffect, HttpRouter } from "effect/http"
import type { HttpServerRequest } from "effect/http"
import type { IncomingMessage, ServerResponse } from "node:http"
import type { Duplex } from "node:stream"
import { PeerAddress } from "../edge/ClientAddress.ts"
import { InProcess } from "../edge/InProcess.ts"
import type { Insider } from "../edge/InProcess.ts"
import { forRequests } from "../edge/RequestServices.ts"
import { routerConfig } from "../edge/RouteTable.ts"
import type { Route } from "../edge/RouteTable.ts"
import { MarketHttp } from "../MarketHttp.ts"

const router = HttpRouter.layer.pipe(Layer.provide(Layer.succeed(HttpRouter.RouterConfig, routerConfig)))

type Needs = HttpServerRequest.HttpServerRequest | Scope.Scope

/** The WebSocket's endpoint completes the handshake itself, with its own bounds (LIVE-16). */
const noSocketServer = Effect.die("the endpoint completes the handshake")

/** The market's routes for a server that is already there, below the path that `Mount` names (EMBED-5). */
export class MountedMarket extends Context.Service<
  MountedMarket,
  {
    /**
     * `address` is the client's, for limits per address; without it all clients count as one. `insider` is set by the process itself
     * alone, for calls of its own.
     */
    readonly fetch: (request: Request, address?: string, insider?: Insider) => Promise<Response>
    /** For `node:http` and whatever passes its requests on, before anything else has read the body. */
    readonly node: (request: IncomingMessage, response: ServerResponse) => void
    /** For the event `upgrade` of a `node:http` server: the WebSocket (LIVE-14). */
    readonly upgrade: (request: IncomingMessage, socket: Duplex, head: Buffer) => void
    /** Ends the open streams, which last until their clients leave otherwise, and opens no more. */
    readonly endStreams: Effect.Effect<void>
  }
>()("@agent-marketplace/http/mount/MountedMarket") {
  private static readonly make = Layer.effect(
    MountedMarket,
    Effect.gen(function* () {
      // Every failure has become a response where it arrives here.
      // @effect-diagnostics-next-line anyUnknownInErrorContext:off
      const app = Effect.orDie((yield* HttpRouter.HttpRouter).asHttpEffect())
      const context = forRequests(yield* Effect.context<never>())
      const fetch = HttpEffect.toWebHandlerWith<never, Needs>(context)(app)
      const scope = yield* Effect.scope
      const lean = <A>(handler: Effect.Effect<A>) => Effect.updateContext(handler, forRequests<never>)
      const node = yield* lean(NodeHttpServer.makeHandler<Needs, never>(app, { scope }))
      const upgrade = yield* lean(NodeHttpServer.makeUpgradeHandler<Needs, never>(noSocketServer, app, { scope }))
      return {
        endStreams: (yield* Readiness).drain,
        fetch: (request, address = "unknown", insider) =>
          fetch(request, Context.make(PeerAddress, address).pipe(Context.add(InProcess, insider ?? null))),
        node,
        upgrade
      }
    })
  )

  static readonly layer = this.make.pipe(Layer.provide(MarketHttp.routes), Layer.provide(router))

  /** With further routes, as `MarketHttp.routesWith` has. They take services when they are built: those of the market and the platform are missing in requests. */
  static readonly layerWith = <A, E, R>(more: Layer.Layer<A, E, R>, table: ReadonlyArray<Route>) =>
    this.make.pipe(
      Layer.provide(MarketHttp.routesWith(more, table)),
      Layer.provide([router, NodeHttpServer.layerHttpServices])
    )
}
