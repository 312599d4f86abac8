import { Context, Effect, Layer, Scope } from "effect"
import { HttpServer } from "effect/http"
import { HttpApiBuilder } from "effect/http-api"
import type { HttpApi, HttpApiGroup } from "effect/http-api"
import { EndpointGuard } from "./EndpointGuard.ts"

/**
 * Services that handlers take once, when the layers are built, and never from the context of a request. Some, such as `CurrentRequest`, are added
 * for each request afterwards. A setting of the market with a default has that default in requests.
 */
const taken =
  /^(@agent-marketplace\/|~?effect\/(crypto\/|process\/|FileSystem$|Path$|Stdio$|Terminal$|Layer\/|http\/(Etag\/|HttpPlatform$|HttpRouter$|HttpServer$)))/

/** Removes these services. Each request copies its context, so with all of them every request would be slower. */
export const forRequests = <Services>(context: Context.Context<Services>): Context.Context<Services> =>
  Context.makeUnsafe(new Map([...context.mapUnsafe].filter(([key]) => !taken.test(key))))

/** What a group of handlers adds to the context of a request. */
const forGroup = (context: Context.Context<Scope.Scope | EndpointGuard>) =>
  Context.pick(Scope.Scope, EndpointGuard)(context)

type AnyBuild = (handlers: never) => Effect.Effect<object>

/** `HttpApiBuilder.group`, which adds only the guard and Effect's own map of layers to the context of a request. `build` has all services. */
export const handlerGroup = ((
  api: HttpApi.HttpApi<string, HttpApiGroup.Constraint>,
  identifier: string,
  build: AnyBuild
) =>
  Layer.effectContext(
    Effect.flatMap(Effect.context<Scope.Scope | EndpointGuard>(), (services) => {
      const withServices = (handlers: never) => Effect.provideContext(build(handlers), services)
      const group = HttpApiBuilder.group(api, identifier, withServices as never) as Layer.Layer<never>
      return Effect.updateContext(Layer.build(group), forGroup)
    })
  )) as unknown as typeof HttpApiBuilder.group

/** The server, whose requests start without the services that handlers take when they are built. */
export const leanServer: Layer.Layer<HttpServer.HttpServer, never, HttpServer.HttpServer> = Layer.effect(
  HttpServer.HttpServer,
  Effect.map(HttpServer.HttpServer, ({ address, serve }) =>
    HttpServer.make({
      address,
      serve: (app, middleware) =>
        Effect.updateContext(middleware === undefined ? serve(app) : serve(app, middleware), forRequests<Scope.Scope>)
    })
  )
)
