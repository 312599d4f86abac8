import { Usdt } from "@agent-marketplace/core/money/Usdt"
import { makeMarketServer } from "@agent-marketplace/http/server/MarketServer"
import { Result } from "effect"
import { once } from "node:events"
import type { Server } from "node:http"
import { answerControl, isControl } from "./controls.ts"
import type { HarnessMarket } from "./HarnessMarket.ts"
import { harnessAdminToken, openMarket } from "./HarnessMarket.ts"

export interface HarnessOptions {
  /** 0 (the default) takes a free port. */
  readonly port?: number
  /** A whole number from 0. The same seed gives the same keys; 1 by default. */
  readonly seed?: number
  /** Whether listings wait for the operator; `auto` by default. */
  readonly listingReview?: "manual" | "auto"
  /** Off by default. */
  readonly rateLimits?: "on" | "off"
}

/** A whole market in memory, behind the same HTTP API, for tests. */
export interface Harness {
  readonly baseUrl: string
  /** The operator's token, and FULL keys of an account that sells and of one that has 1,000 USDT to spend. */
  readonly keys: { readonly admin: string; readonly seller: string; readonly buyer: string }
  /**
   * What is for sale from the start: the slug of a SOUL for 5 USDT, and the ids of three skills: for 10 USDT, for nothing, for
   * 10 USDT each 30 days.
   */
  readonly items: {
    readonly soul: string
    readonly skills: { readonly paid: string; readonly free: string; readonly subscription: string }
  }
  readonly clock: {
    readonly now: () => Promise<Date>
    /**
     * Moves the market's time forward by whole seconds, 1 to 10 years, and does all that has become due: renewals, expiries,
     * deposits, withdrawals. Rejects with a `RangeError` otherwise.
     */
    readonly advance: (seconds: number) => Promise<Date>
  }
  readonly chain: {
    /**
     * A transfer of an amount of USDT (`"12.50"`) to a deposit address, made final and credited; the market's time moves 4
     * seconds. Rejects with a `RangeError` for what is no amount or no address.
     */
    readonly deposit: (address: string, amount: string) => Promise<void>
  }
  /** Back to the seeded beginning, on the same address, with the same keys. */
  readonly reset: () => Promise<void>
  /** Frees the port. Calling it again does nothing; what else is called afterwards rejects. */
  readonly stop: () => Promise<void>
}

const whole = (most: number) => (value: unknown) =>
  Number.isInteger(value) && Number(value) >= 0 && Number(value) <= most

const oneOf =
  (...values: ReadonlyArray<unknown>) =>
  (value: unknown) =>
    values.includes(value)

/** What each option must be: a test suite may be plain JavaScript. */
const rules: Readonly<Record<keyof HarnessOptions, readonly [(value: unknown) => boolean, string]>> = {
  port: [whole(65_535), "must be a whole number from 0 to 65535"],
  seed: [whole(Number.MAX_SAFE_INTEGER), "must be a whole number from 0"],
  listingReview: [oneOf("manual", "auto"), "must be manual or auto"],
  rateLimits: [oneOf("on", "off"), "must be on or off"]
}

const checked = (options: HarnessOptions): HarnessOptions => {
  for (const [name, value] of Object.entries(options)) {
    if (!Object.hasOwn(rules, name)) throw new RangeError(`${name} is no option`)
    const [holds, rule] = rules[name as keyof HarnessOptions]
    if (value !== undefined && !holds(value)) throw new RangeError(`${name} ${rule}`)
  }
  return options
}

const tenYears = 10 * 366 * 86_400

const wholeSeconds = (seconds: number): number => {
  if (Number.isInteger(seconds) && seconds >= 1 && seconds <= tenYears) return seconds
  throw new RangeError(`seconds must be a whole number from 1 to ${tenYears}`)
}

const positiveUsdt = (amount: string): Usdt => {
  const units = Result.getOrElse(Usdt.parse(amount), (fault) => {
    throw new RangeError(`amount ${fault}`)
  })
  if (units > 0n) return units
  throw new RangeError("amount must be more than 0")
}

const listen = async (server: Server, port: number): Promise<number> => {
  server.listen(port, "127.0.0.1")
  await once(server, "listening")
  const address = server.address()
  return typeof address === "object" && address !== null ? address.port : port
}

const close = async (server: Server): Promise<void> => {
  if (!server.listening) return
  const closed = once(server, "close")
  server.close()
  server.closeAllConnections()
  await closed
}

/** Hands every request to the market of the moment, so that the address and the connections outlast it. */
const serve = (front: Server, market: () => Promise<HarnessMarket>, harness: Harness): void => {
  front.on("request", (request, response) => {
    if (isControl(request)) void answerControl(harness, request, response)
    else
      market().then(
        ({ server }) => server.emit("request", request, response),
        () => response.destroy()
      )
  })
}

/**
 * Starts a market for tests: seeded, its time under control.
 *
 * ```ts
 * const market = await startHarness({ seed: 7 })
 * const response = await fetch(`${market.baseUrl}/api/souls`, { headers: { authorization: `Bearer ${market.keys.buyer}` } })
 * await market.stop()
 * ```
 */
export const startHarness = async (options: HarnessOptions = {}): Promise<Harness> => {
  const wanted = checked(options)
  const front = makeMarketServer()
  const baseUrl = `http://127.0.0.1:${await listen(front, wanted.port ?? 0)}`
  let current = await openMarket(wanted, baseUrl).catch(async (error: unknown) => {
    await close(front)
    throw error
  })
  let market = Promise.resolve(current)
  const exchange = async (old: HarnessMarket): Promise<HarnessMarket> => {
    await old.end()
    return (current = await openMarket(wanted, baseUrl))
  }
  let stopping: Promise<void> | undefined
  const end = async (): Promise<void> => {
    const last = market
    market = Promise.reject(new Error("the harness is stopped"))
    market.catch(() => undefined)
    await Promise.all([close(front), last.then((open) => open.end())])
  }
  const harness: Harness = {
    baseUrl,
    get keys() {
      return { admin: harnessAdminToken, seller: current.seeded.seller, buyer: current.seeded.buyer }
    },
    get items() {
      return current.seeded.items
    },
    clock: {
      now: async () => new Date(await (await market).now()),
      advance: async (seconds) => new Date(await (await market).advance(wholeSeconds(seconds)))
    },
    chain: {
      deposit: async (address, amount) => {
        const units = positiveUsdt(amount)
        if (!(await (await market).deposit(address, units))) throw new RangeError("address must be a TRON address")
      }
    },
    reset: async () => {
      await (market = market.then(exchange))
    },
    stop: () => (stopping ??= end())
  }
  serve(front, () => market, harness)
  return harness
}
