import type { Redacted } from "effect"
import type { Configuration } from "./Configuration.ts"

/** The version of the release, which a test compares with the packages' own. */
const serviceVersion = "0.1.0"

interface Collector {
  readonly endpoint: string | undefined
  readonly headers: Readonly<Record<string, Redacted.Redacted>>
  readonly serviceName: string
  readonly serviceVersion: string
}

/** Where a process of that name exports its traces, metrics and logs (CONFIG-18). */
export const collector = ({ otlpEndpoint, otlpHeaders }: Configuration, serviceName: string): Collector => ({
  endpoint: otlpEndpoint,
  headers: otlpHeaders,
  serviceName,
  serviceVersion
})
