import { Usdt } from "@agent-marketplace/core/money/Usdt"
import { makeMarketServer } from "@agent-marketplace/http/server/MarketServer"
import { Result } from "effect"
import { once } from "node:events"
import type { Server } from "node:http"
import { answerControl, isControl } from "./controls.ts"
import { Faults } from "./Faults.ts"
import type { Harness, HarnessFaults, HarnessOptions } from "./Harness.ts"
import type { HarnessMarket } from "./HarnessMarket.ts"
import { harnessAdminToken, openMarket } from "./HarnessMarket.ts"

export type { Harness, HarnessFaults, HarnessItems, HarnessOptions, RequestFault, WebhookFault } from "./Harness.ts"

const whole = (most: number) => (value: unknown) =>
  Number.isInteger(value) && Number(value) >= 0 && Number(value) <= most

const oneOf =
  (...values: ReadonlyArray<unknown>) =>
  (value: unknown) =>
    values.includes(value)

/** Options are checked at run time, because a test suite may be plain JavaScript (HARNESS-4). */
const rules: Readonly<Record<keyof HarnessOptions, readonly [(value: unknown) => boolean, string]>> = {
  port: [whole(65_535), "must be a whole number from 0 to 65535"],
  seed: [whole(Number.MAX_SAFE_INTEGER), "must be a whole number from 0"],
  listingReview: [oneOf("manual", "auto"), "must be manual or auto"],
  rateLimits: [oneOf("on", "off"), "must be on or off"]
}

const checked = (options: HarnessOptions): HarnessOptions => {
  for (const [name, value] of Object.entries(options)) {
    if (!Object.hasOwn(rules, name)) throw new RangeError(`${name} is not an option of startHarness`)
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

/** Passes each request to the current market, so that the address and open connections survive a reset (HARNESS-2). */
const serve = (listener: Server, market: () => Promise<HarnessMarket>, harness: Harness, faults: Faults): void => {
  listener.on("request", (request, response) => {
    if (isControl(request)) void answerControl(harness, request, response)
    else if (!faults.respond(request, response))
      market().then(
        ({ server }) => server.emit("request", request, response),
        () => response.destroy()
      )
  })
  listener.on("upgrade", (request, socket, head) => {
    market().then(
      ({ server }) => server.emit("upgrade", request, socket, head),
      () => socket.destroy()
    )
  })
}

const faultsOf = (faults: Faults, market: () => Promise<HarnessMarket>): HarnessFaults => {
  const resumeChain = async () => (await market()).resumeChain()
  return {
    failRequests: (fault) => faults.failRequests(fault),
    failWebhooks: (fault = {}) => faults.failWebhooks(fault),
    stallChain: async () => (await market()).stallChain(),
    resumeChain,
    clear: async () => {
      faults.clear()
      await resumeChain()
    }
  }
}

/**
 * Starts a seeded market for tests, with a controlled clock (HARNESS-1).
 *
 * ```ts
 * const market = await startHarness({ seed: 7 })
 * const response = await fetch(`${market.baseUrl}/api/souls`, { headers: { authorization: `Bearer ${market.keys.buyer}` } })
 * await market.stop()
 * ```
 */
export const startHarness = async (options: HarnessOptions = {}): Promise<Harness> => {
  const wanted = checked(options)
  const faults = new Faults()
  const listener = makeMarketServer()
  const baseUrl = `http://localhost:${await listen(listener, wanted.port ?? 0)}`
  let current = await openMarket(wanted, baseUrl, faults).catch(async (error: unknown) => {
    await close(listener)
    throw error
  })
  let market = Promise.resolve(current)
  const exchange = async (old: HarnessMarket): Promise<HarnessMarket> => {
    await old.end()
    return (current = await openMarket(wanted, baseUrl, faults))
  }
  let stopping: Promise<void> | undefined
  const end = async (): Promise<void> => {
    const last = market
    market = Promise.reject(new Error("the harness is stopped"))
    market.catch(() => undefined)
    await Promise.all([close(listener), last.then((open) => open.end())])
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
      nowSync: () => {
        if (stopping !== undefined) throw new Error("the harness is stopped")
        return new Date(current.nowSync())
      },
      advance: async (seconds) => new Date(await (await market).advance(wholeSeconds(seconds)))
    },
    chain: {
      deposit: async (address, amount) => {
        const units = positiveUsdt(amount)
        if (!(await (await market).deposit(address, units))) throw new RangeError("address must be a TRON address")
      }
    },
    faults: faultsOf(faults, () => market),
    reset: async () => {
      faults.clear()
      await (market = market.then(exchange))
    },
    stop: () => (stopping ??= end())
  }
  serve(listener, () => market, harness, faults)
  return harness
}
