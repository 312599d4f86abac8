import { Cause, Layer, Logger, References } from "effect"
import type { LogLine } from "./MarketplaceOptions.ts"

const toStandardError = ({ level, message }: LogLine): void => {
  process.stderr.write(`Agent Marketplace: ${level}: ${message}\n`)
}

const textOf = (message: unknown): string =>
  (Array.isArray(message) ? message : [message])
    .map((part) => (typeof part === "string" ? part : Cause.isCause(part) ? Cause.pretty(part) : JSON.stringify(part)))
    .join(" ")

/** Passes warnings and errors to the host, each as one line of text. */
export const hostLog = (log: (line: LogLine) => void = toStandardError) =>
  Layer.merge(
    Logger.layer([
      Logger.make(({ cause, logLevel, message }) => {
        const text = textOf(message) + (cause.reasons.length === 0 ? "" : `\n${Cause.pretty(cause)}`)
        log({ level: logLevel === "Warn" ? "warning" : "error", message: text })
      })
    ]),
    Layer.succeed(References.MinimumLogLevel, "Warn")
  )
