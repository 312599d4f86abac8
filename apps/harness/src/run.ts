import { parseArgs } from "node:util"
import type { HarnessOptions } from "./Harness.ts"

const usage = `A whole market in memory, for tests.

  agent-marketplace-harness [--port 3999] [--seed 1] [--review auto|manual] [--rate-limits on|off]

--port 0 uses a free port. It prints one line of JSON when it is ready (baseUrl, keys, items), and ends on SIGTERM or Ctrl-C.
While it runs: POST /harness/clock {"seconds":86400} moves time, POST /harness/deposits {"address":"T…","amount":"12.50"}
deposits, POST /harness/faults {"requests":{"status":503,"times":2}} lets requests fail (also webhooks, chain), DELETE
/harness/faults ends that, POST /harness/reset returns to the seeded state, GET /harness/state returns the time and that line.
`

const whole = (name: string, value: string | undefined, max: number): number | undefined => {
  if (value === undefined) return undefined
  if (/^\d{1,10}$/.test(value) && Number(value) <= max) return Number(value)
  throw new Error(`--${name} must be a whole number from 0 to ${max}`)
}

const choice = <const A extends string>(
  name: string,
  value: string | undefined,
  values: ReadonlyArray<A>
): A | undefined => {
  if (value === undefined) return undefined
  const known = values.find((candidate) => candidate === value)
  if (known === undefined) throw new Error(`--${name} must be one of ${values.join(", ")}`)
  return known
}

const readOptions = (): { readonly help: boolean; readonly harness: HarnessOptions } => {
  const { values } = parseArgs({
    options: {
      port: { type: "string" },
      seed: { type: "string" },
      review: { type: "string" },
      "rate-limits": { type: "string" },
      help: { type: "boolean", short: "h" }
    }
  })
  const port = whole("port", values.port, 65535)
  const seed = whole("seed", values.seed, 2 ** 31)
  const listingReview = choice("review", values.review, ["auto", "manual"])
  const rateLimits = choice("rate-limits", values["rate-limits"], ["on", "off"])
  return {
    help: values.help === true,
    harness: {
      port: port ?? 3999,
      ...(seed === undefined ? {} : { seed }),
      ...(listingReview === undefined ? {} : { listingReview }),
      ...(rateLimits === undefined ? {} : { rateLimits })
    }
  }
}

const failed = (cause: unknown): string => {
  if (cause instanceof Error && "code" in cause && cause.code === "EADDRINUSE")
    return "The port is in use; --port 0 uses a free one."
  return cause instanceof Error ? cause.message : String(cause)
}

const run = async (options: HarnessOptions): Promise<void> => {
  const { startHarness } = await import("./startHarness.ts")
  const market = await startHarness(options)
  process.stdout.write(`${JSON.stringify({ baseUrl: market.baseUrl, keys: market.keys, items: market.items })}\n`)
  const end = () => void market.stop().then(() => process.exit(0))
  process.once("SIGTERM", end)
  process.once("SIGINT", end)
}

try {
  const { harness, help } = readOptions()
  if (help) process.stdout.write(usage)
  else
    await run(harness).catch((cause: unknown) => {
      process.stderr.write(`${failed(cause)}\n`)
      process.exitCode = 1
    })
} catch (cause) {
  process.stderr.write(`${failed(cause)}\n\n${usage}`)
  process.exitCode = 64
}
