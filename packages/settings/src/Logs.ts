import { Layer, Logger, References } from "effect"
import type { Configuration } from "./Configuration.ts"

/** Where a process's log goes and how much of it (CONFIG-19). */
export const logs = ({ logFormat, logLevel }: Configuration) =>
  Layer.mergeAll(
    Logger.layer([logFormat === "json" ? Logger.consoleJson : Logger.consolePretty()]),
    Layer.succeed(References.MinimumLogLevel, logLevel)
  )
