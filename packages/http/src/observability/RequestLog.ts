import { Context, Effect, Layer } from "effect"
import { HttpOptions } from "../options/HttpOptions.ts"

/** One answered request. Carries no token, no body, no query and no path, only the route's template. */
export interface RequestLine {
  /** Plain characters, as the request context accepts them. */
  readonly requestId: string
  /** An HTTP token. */
  readonly method: string
  readonly route: string
  readonly status: number
  readonly durationMs: number
  readonly keyId: string | null
  /** The name of the operator, and the ids of the records concerned (OPERATOR-25). */
  readonly operator: { readonly name: string; readonly target: string | null } | null
  /** The `X-Agent-Id` that the client chose. */
  readonly trackingId: string | null
}

/** Where lines are written: standard output, unless a test or an embedder replaces it. */
export class LogSink extends Context.Reference<(text: string) => void>(
  "@agent-marketplace/http/observability/LogSink",
  {
    defaultValue: () => (text: string) => {
      process.stdout.write(text)
    }
  }
) {}

const flushMillis = 100
const flushLength = 32_768

/** The current time in ISO 8601. Its text is cached, because many lines share a millisecond. */
const makeStamp = (): (() => string) => {
  let at = 0
  let text = ""
  return () => {
    const now = Date.now()
    if (now !== at) {
      at = now
      text = new Date(now).toISOString()
    }
    return text
  }
}

const hundredths = (millis: number): number => Math.round(millis * 100) / 100

const json = (line: RequestLine, at: string): string =>
  `{"timestamp":"${at}","level":"${line.status >= 500 ? "ERROR" : "INFO"}","message":"request",` +
  `"requestId":"${line.requestId}","method":"${line.method}","route":"${line.route}",` +
  `"status":${line.status},"durationMs":${hundredths(line.durationMs)},` +
  `"keyId":${line.keyId === null ? "null" : `"${line.keyId}"`},"trackingId":${JSON.stringify(line.trackingId)}` +
  (line.operator === null
    ? ""
    : `,"operator":${JSON.stringify(line.operator.name)},"target":${JSON.stringify(line.operator.target)}`) +
  "}\n"

const pretty = (line: RequestLine, at: string): string =>
  `${at} ${line.status} ${line.method} ${line.route} ${hundredths(line.durationMs)}ms ` +
  `${line.keyId ?? "-"} ${line.requestId}${line.trackingId === null ? "" : ` ${JSON.stringify(line.trackingId)}`}` +
  `${line.operator === null ? "" : ` by ${line.operator.name} on ${line.operator.target ?? "-"}`}\n`

/** A structured line for each request. Lines are collected and written a few times a second, and when the process ends. */
export class RequestLog extends Context.Service<RequestLog, { readonly write: (line: RequestLine) => void }>()(
  "@agent-marketplace/http/observability/RequestLog"
) {
  static readonly layer = Layer.effect(
    RequestLog,
    Effect.gen(function* () {
      const { logFormat, requestLog } = yield* HttpOptions
      const sink = yield* LogSink
      const render = logFormat === "json" ? json : pretty
      const stamp = makeStamp()
      let pending = ""
      let timer: NodeJS.Timeout | undefined
      const flush = () => {
        clearTimeout(timer)
        timer = undefined
        const text = pending
        pending = ""
        if (text !== "") sink(text)
      }
      yield* Effect.addFinalizer(() => Effect.sync(flush))
      return RequestLog.of({
        write: (line) => {
          if (requestLog === "none" || (requestLog === "faults" && line.status < 500)) return
          pending += render(line, stamp())
          if (pending.length >= flushLength) flush()
          else timer ??= setTimeout(flush, flushMillis)
        }
      })
    })
  )
}
