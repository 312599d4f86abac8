import { Fiber, Tracer } from "effect"

/** A span as the W3C header `traceparent` names it: `00-<trace id>-<span id>-01`. Only recorded spans have one. */
export type Traceparent = string

const form = /^00-([\da-f]{32})-([\da-f]{16})-01$/

const traceparentOf = (span: Tracer.AnySpan | undefined): Traceparent | undefined => {
  // Without an exporter, Effect makes native spans that nothing records.
  if (span === undefined || !span.sampled || span instanceof Tracer.NativeSpan) return undefined
  const text = `00-${span.traceId}-${span.spanId}-01`
  return form.test(text) ? text : undefined
}

/** The trace contexts that events carry to the attempts of their deliveries (SYSTEM-23). */
export const Traceparent = {
  /** That of the running fiber; undefined if its span is not recorded. */
  current: (): Traceparent | undefined => traceparentOf(Fiber.getCurrent()?.cache.span),
  /** The span, as a parent of others; undefined for any other text. */
  spanOf: (traceparent: string | undefined): Tracer.ExternalSpan | undefined => {
    const [, traceId, spanId] = form.exec(traceparent ?? "") ?? []
    return traceId === undefined || spanId === undefined ? undefined : Tracer.externalSpan({ traceId, spanId })
  },
  /** The record with the trace context; the same record without one. */
  on: <A extends object>(
    record: A,
    traceparent: Traceparent | undefined
  ): A & { readonly traceparent?: Traceparent } => (traceparent === undefined ? record : { ...record, traceparent })
}
