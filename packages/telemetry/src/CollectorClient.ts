import { Effect, Layer } from "effect"
import { FetchHttpClient, HttpClient } from "effect/http"

/** A collector that has not answered completely within this time counts as unavailable. */
const answerTime = "10 seconds"

/** The maximum number of exports in flight, of all signals together; the memory of a process stays bounded however slow the collector is. */
const exportsInFlight = 8

/**
 * The HTTP client of the exporters (SYSTEM-22). An export that takes too long, or for which no place is free, fails without a retry: its
 * exporter then drops what it holds and pauses for a minute. The first failure and the recovery are logged.
 */
export const CollectorClient = {
  layer: Layer.effect(
    HttpClient.HttpClient,
    Effect.map(HttpClient.HttpClient, (client) => {
      let inFlight = 0
      let available = true
      const report = (now: boolean) => {
        if (now === available) return Effect.void
        available = now
        return now
          ? Effect.logInfo("The OpenTelemetry collector accepts data again")
          : Effect.logWarning("The OpenTelemetry collector does not accept data; what it misses is dropped")
      }
      return HttpClient.transformResponse(client, (execute) =>
        Effect.suspend(() => {
          if (inFlight >= exportsInFlight) return Effect.die("too many exports are in flight")
          inFlight++
          return execute.pipe(
            Effect.tap((response) => Effect.ignore(response.arrayBuffer)),
            Effect.timeoutOrElse({ duration: answerTime, orElse: () => Effect.die("the collector does not answer") }),
            Effect.tap(({ status }) => report(status < 400)),
            Effect.tapCause(() => report(false)),
            Effect.ensuring(Effect.sync(() => inFlight--))
          )
        })
      )
    })
  ).pipe(Layer.provide(FetchHttpClient.layer))
}
