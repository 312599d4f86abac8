import { parseArgs } from "node:util"
import { startHarness } from "./startHarness.ts"

const usage = `A whole market in memory, for tests.

  npm run harness -- [--port 3999] [--seed 1] [--review auto|manual] [--rate-limits on|off]

It prints one line of JSON when it is ready, and ends on SIGTERM or Ctrl-C.
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

const options = () => {
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

try {
  const { harness, help } = options()
  if (help) process.stdout.write(usage)
  else {
    const market = await startHarness(harness)
    process.stdout.write(`${JSON.stringify({ baseUrl: market.baseUrl, keys: market.keys, items: market.items })}\n`)
    const end = () => void market.stop().then(() => process.exit(0))
    process.once("SIGTERM", end)
    process.once("SIGINT", end)
  }
} catch (cause) {
  process.stderr.write(`${cause instanceof Error ? cause.message : String(cause)}\n\n${usage}`)
  process.exitCode = 64
}
