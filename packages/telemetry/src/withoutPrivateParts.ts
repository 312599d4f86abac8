import { Cause, Exit } from "effect"
import type { Tracer } from "effect"

/** Paths, queries and headers are chosen by clients and may contain license keys and tokens. `http.route` stays. */
const isPrivate = (attribute: string): boolean =>
  /^(?:url\.(?:full|path|query)$|http\.(?:request|response)\.header\.)/.test(attribute)

/** Messages of errors name paths, and those of the database values of rows. The log has the cause of a failure. */
const withoutCause = (exit: Exit.Exit<unknown, unknown>): Exit.Exit<unknown, unknown> =>
  Exit.isFailure(exit) && !Cause.hasInterruptsOnly(exit.cause) ? Exit.fail("failed") : exit

/** A tracer whose spans contain no paths, queries, headers and messages of errors (CONFIG-18). */
export const withoutPrivateParts = (tracer: Tracer.Tracer): Tracer.Tracer => ({
  ...tracer,
  span: (options) => {
    const span = tracer.span(options)
    const attribute = span.attribute.bind(span)
    span.attribute = (key, value) => {
      if (!isPrivate(key)) attribute(key, value)
    }
    const end = span.end.bind(span)
    span.end = (time, exit) => end(time, withoutCause(exit))
    return span
  }
})
