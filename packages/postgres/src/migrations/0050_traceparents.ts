/** The trace context of what caused an event; attempts of its deliveries continue the trace. Null: no recorded span did. */
export const traceparents: ReadonlyArray<string> = [
  `ALTER TABLE events ADD COLUMN traceparent text`,
  `ALTER TABLE webhook_deliveries ADD COLUMN traceparent text`
]
