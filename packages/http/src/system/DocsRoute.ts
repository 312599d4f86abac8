import { Effect, Layer } from "effect"
import { HttpRouter } from "effect/http"
import { HttpApiScalar } from "effect/http-api"
import { currentRequest } from "../edge/CurrentRequest.ts"
import { Mount } from "../mount/Mount.ts"
import { describedApi } from "./DescribedApi.ts"

const path = "/docs"

/** The API's interactive page. Its script is some megabytes: it is loaded when somebody first opens the page. */
export const DocsRoute = {
  route: { method: "GET", path },
  layer: Layer.effectDiscard(
    Effect.gen(function* () {
      const router = yield* HttpRouter.HttpRouter
      const scope = yield* Effect.scope
      const described = describedApi(yield* Mount)
      const page = yield* Effect.cached(
        Effect.gen(function* () {
          const own = yield* HttpRouter.make
          const scalar = HttpApiScalar.layer(described, { path })
          yield* Layer.buildWithScope(Layer.provide(scalar, Layer.succeed(HttpRouter.HttpRouter, own)), scope)
          // @effect-diagnostics-next-line anyUnknownInErrorContext:off
          return { answer: Effect.orDie(own.asHttpEffect()) }
        })
      )
      const named = Effect.flatMap(currentRequest, (record) => {
        record.route = path
        return Effect.flatMap(page, ({ answer }) => answer)
      })
      yield* router.add("GET", path, named)
    })
  )
} as const
