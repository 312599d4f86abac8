import { afterEach, assert, describe, it, vi } from "vitest"
import { MarketplaceError } from "../../src/errors/MarketplaceError.ts"
import { Marketplace } from "../../src/Marketplace.ts"
import type { MarketplaceOptions } from "../../src/Marketplace.ts"
import type { Behaviour, Misbehaving } from "./fixtures/startMisbehaving.ts"
import { behaviours, startMisbehaving } from "./fixtures/startMisbehaving.ts"

const { hang, html, json, ok, reset, stall } = behaviours

let server: Misbehaving | undefined
afterEach(async () => {
  vi.useRealTimers()
  await server?.stop()
  server = undefined
})

const against = async (options: Partial<MarketplaceOptions>, ...script: ReadonlyArray<Behaviour>) => {
  server = await startMisbehaving(...script)
  const market = new Marketplace({ apiKey: "amk_test", baseUrl: server.baseUrl, ...options })
  return { market, requests: server.requests }
}

const failing = async (call: Promise<unknown>): Promise<MarketplaceError> => {
  const error = await call.then(
    () => assert.fail("succeeded"),
    (thrown: unknown) => thrown
  )
  assert.instanceOf(error, MarketplaceError)
  return error
}

const fine = { fine: true } as unknown

/** In milliseconds: longer than any response takes, also on a busy machine. */
const timeout = 1000

describe("a server that misbehaves", () => {
  it("a GET survives resets, hangs, stalls and a proxy's 502", async () => {
    const { market, requests } = await against({ maxRetries: 4, timeout }, reset, hang, stall, html(502), ok)
    assert.deepStrictEqual((await market.wallet.balance()) as unknown, fine)
    assert.lengthOf(requests, 5)
  })

  it("retries of a purchase use the same idempotency key, another purchase uses another", async () => {
    const { market, requests } = await against({}, reset, json(503, {}), ok)
    await market.skills.buy({ skillId: "lst_1" })
    await market.skills.buy({ skillId: "lst_1" })
    const keys = requests.map(({ headers }) => headers["idempotency-key"])
    assert.lengthOf(keys, 4)
    assert.deepStrictEqual(keys.slice(0, 3), Array(3).fill(keys[0]))
    assert.match(String(keys[0]), /^[\w-]{16,255}$/)
    assert.notStrictEqual(keys[3], keys[0])
  })

  it("a rate limit in the SOUL error format, which only headers describe, is reported like any other", async () => {
    const headers = { "x-ratelimit-limit": "100", "x-ratelimit-reset": "1767225600" }
    const { market } = await against({ maxRetries: 0 }, json(429, { error: "Rate limit exceeded" }, headers))
    const { code, details } = await failing(market.souls.list())
    assert.strictEqual(code, "RATE_LIMIT_EXCEEDED")
    assert.deepStrictEqual(details, { resetAt: "2026-01-01T00:00:00.000Z", limit: 100 })
  })

  it("a request that is not safe to repeat is sent once, whatever happens", async () => {
    for (const behaviour of [reset, hang, html(502), json(500, {})]) {
      const { market, requests } = await against({ timeout }, behaviour)
      await failing(market.keys.create({ name: "x", scope: "READ" }))
      await failing(market.skills.delete("lst_1"))
      assert.lengthOf(requests, 2)
      await server?.stop()
    }
  })

  it("refusals are not repeated", async () => {
    for (const status of [400, 401, 402, 403, 404, 409, 422]) {
      const body = { success: false, error: { code: "SOME_CODE", message: "No.", details: { why: 1 } } }
      const { market, requests } = await against({}, json(status, body, { "x-request-id": "req_1" }))
      const error = await failing(market.wallet.balance())
      assert.deepInclude(error, { statusCode: status, code: "SOME_CODE", message: "No.", requestId: "req_1" })
      assert.deepStrictEqual([error.details, error.response], [{ why: 1 }, body])
      assert.lengthOf(requests, 1)
      await server?.stop()
    }
  })

  it("no response is reported as NETWORK_ERROR or TIMEOUT with status 0, a foreign one as INVALID_RESPONSE", async () => {
    const cases = [
      [reset, 0, "NETWORK_ERROR"],
      [hang, 0, "TIMEOUT"],
      [stall, 0, "TIMEOUT"],
      [html(200), 200, "INVALID_RESPONSE"],
      [html(504), 504, "INVALID_RESPONSE"],
      [json(418, { error: 5 }), 418, "INVALID_RESPONSE"],
      [json(200, { success: true }), 200, "INVALID_RESPONSE"],
      [json(200, { success: false, error: { code: "SOME_CODE", message: "No." } }), 200, "SOME_CODE"]
    ] as const
    for (const [behaviour, statusCode, code] of cases) {
      const { market } = await against({ maxRetries: 0, timeout }, behaviour)
      assert.deepInclude(await failing(market.wallet.balance()), { statusCode, code })
      await server?.stop()
    }
  })

  it("no redirect is followed: a purchase stays a POST, and its key is not sent to another host", async () => {
    const elsewhere = await startMisbehaving(ok)
    for (const [status, location] of [
      [302, "/api/v1/purchases/"],
      [307, elsewhere.baseUrl]
    ] as const) {
      const { market, requests } = await against({}, json(status, {}, { location }))
      const error = await failing(market.skills.buy({ skillId: "lst_1" }))
      assert.deepInclude(error, { statusCode: status, code: "INVALID_RESPONSE" })
      assert.include(error.message, location)
      assert.lengthOf(requests, 1)
      await server?.stop()
    }
    assert.lengthOf(elsewhere.requests, 0)
    await elsewhere.stop()
  })

  it("an iteration fails if a response is not a list, or repeats one page for ever", async () => {
    const page = json(200, { success: true, data: [{ id: "key_1" }, { id: "key_2" }] })
    for (const behaviour of [json(200, {}), json(200, { success: true, data: null }), page]) {
      const { market, requests } = await against({}, behaviour)
      const ids: Array<string> = []
      const iterated = async () => {
        for await (const { id } of market.keys.iterate({ limit: 2 })) ids.push(id)
      }
      const error = await failing(iterated())
      assert.strictEqual(error.code, "INVALID_RESPONSE")
      assert.strictEqual(requests.length, ids.length === 0 ? 1 : 4)
      await server?.stop()
    }
  })

  it("an iteration skips a repeated page, because as many records were added meanwhile", async () => {
    const page = (...ids: ReadonlyArray<string>) => json(200, { success: true, data: ids.map((id) => ({ id })) })
    const { market } = await against({}, page("key_4", "key_3"), page("key_4", "key_3"), page("key_2", "key_1"), page())
    const ids: Array<string> = []
    for await (const { id } of market.keys.iterate({ limit: 2 })) ids.push(id)
    assert.deepStrictEqual(ids, ["key_4", "key_3", "key_2", "key_1"])
  })

  it("the timeout of a call overrides the client's", async () => {
    const { market } = await against({ maxRetries: 0, timeout: 60_000 }, hang)
    assert.strictEqual((await failing(market.wallet.balance({ timeout: 50 }))).code, "TIMEOUT")
  })

  it("a timeout beyond the maximum of timers means no limit", async () => {
    for (const timeout of [3e9, Infinity]) {
      const { market } = await against({ timeout }, ok)
      assert.deepStrictEqual((await market.wallet.balance()) as unknown, fine)
      await server?.stop()
    }
  })

  it("an abort ends a request, a pause, and a call that has not started, with the signal's reason", async () => {
    const reason = new Error("enough")
    const controller = new AbortController()
    const { market, requests } = await against({}, () => controller.abort(reason))
    const { signal } = controller
    assert.strictEqual(await market.wallet.balance({ signal }).catch((error: unknown) => error), reason)
    assert.strictEqual(await market.wallet.balance({ signal }).catch((error: unknown) => error), reason)
    assert.lengthOf(requests, 1)
    await server?.stop()

    const pausing = new AbortController()
    const limited = await against({}, json(429, {}, { "retry-after": "30" }))
    const call = limited.market.wallet.balance({ signal: pausing.signal }).catch((error: unknown) => error)
    await vi.waitUntil(() => limited.requests.length === 1)
    pausing.abort(reason)
    assert.strictEqual(await call, reason)
    assert.lengthOf(limited.requests, 1)
  })

  it("the key, the agent and the content types are in the headers (CLIENT-1, CLIENT-2)", async () => {
    const { market, requests } = await against({ agentId: "shopper" }, ok)
    await market.skills.buy({ skillId: "lst_1" })
    await market.wallet.balance()
    const [buy, balance] = requests.map(({ headers }) => headers)
    assert.deepInclude(buy, {
      authorization: "Bearer amk_test",
      "x-agent-id": "shopper",
      "content-type": "application/json"
    })
    assert.notProperty(balance, "content-type")
    assert.notProperty(balance, "idempotency-key")
  })
})

describe("pauses between attempts", () => {
  /** A client whose fetch returns this response, and the times of its calls, in milliseconds after the first one. */
  const onClock = (...answers: ReadonlyArray<() => Response>) => {
    vi.useFakeTimers()
    const times: Array<number> = []
    const fetch = async (): Promise<Response> => {
      const answer = answers[Math.min(times.length, answers.length - 1)]
      times.push(Date.now())
      return answer?.() ?? Response.json({})
    }
    const market = new Marketplace({ apiKey: "amk_test", baseUrl: "https://market.example", fetch, maxRetries: 4 })
    return { market, gaps: () => times.slice(1).map((time, index) => time - (times[index] ?? 0)) }
  }
  const status =
    (code: number, headers: Record<string, string> = {}) =>
    () =>
      new Response("{}", { status: code, headers })

  it("double with each attempt, and half of each is random", async () => {
    const { gaps, market } = onClock(status(503))
    const call = failing(market.wallet.balance())
    await vi.runAllTimersAsync()
    assert.strictEqual((await call).statusCode, 503)
    assert.lengthOf(gaps(), 4)
    gaps().forEach((gap, index) => {
      assert.isAtLeast(gap, 125 * 2 ** index - 1)
      assert.isAtMost(gap, 250 * 2 ** index + 1)
    })
  })

  it("are at least as long as Retry-After, in seconds or as a date, also after a POST that got a 429", async () => {
    const date = () =>
      new Response("{}", { status: 429, headers: { "retry-after": new Date(Date.now() + 20_000).toUTCString() } })
    const { gaps, market } = onClock(status(429, { "retry-after": "7" }), date, () => Response.json({}))
    const call = market.keys.create({ name: "x", scope: "READ" })
    await vi.runAllTimersAsync()
    await call
    const [seconds = 0, until = 0] = gaps()
    assert.isTrue(seconds >= 7000 && seconds < 8000, String(seconds))
    assert.isTrue(until >= 19_000 && until < 21_000, String(until))
  })

  it("of more than a minute are left to the caller", async () => {
    const { gaps, market } = onClock(status(429, { "retry-after": "61" }))
    assert.strictEqual((await failing(market.wallet.balance())).statusCode, 429)
    assert.deepStrictEqual(gaps(), [])
  })
})

describe("options and environment of the client", () => {
  it("a missing key, an invalid base URL and invalid numbers are reported by the constructor (CLIENT-1)", () => {
    const baseUrl = "https://market.example"
    assert.throws(() => new Marketplace({ apiKey: "" }), TypeError, "apiKey")
    assert.throws(() => new Marketplace(undefined as unknown as MarketplaceOptions), TypeError, "apiKey")
    for (const wrong of ["", "market.example", "ftp://x", "http://", "https://a:b@x", "https://x?a", "https://x#a", 5])
      assert.throws(() => new Marketplace({ apiKey: "amk_test", baseUrl: wrong as string }), TypeError, "baseUrl")
    for (const maxRetries of [Number.NaN, -1])
      assert.throws(() => new Marketplace({ apiKey: "amk_test", baseUrl, maxRetries }), TypeError, "maxRetries")
    for (const timeout of [Number.NaN, 0, -1])
      assert.throws(() => new Marketplace({ apiKey: "amk_test", baseUrl, timeout }), TypeError, "timeout")
  })

  it("a value that no header can contain is reported by its option's name without its text, and nothing is sent", async () => {
    for (const [options, name] of [
      [{ apiKey: "amk_ключ" }, "apiKey"],
      [{ agentId: "a\nb" }, "agentId"],
      [{}, "idempotencyKey"]
    ] as const) {
      const { market, requests } = await against(options, ok)
      const call = market.skills.buy({ skillId: "lst_1" }, { idempotencyKey: "заказ" })
      const error = await call.catch((thrown: unknown) => thrown)
      assert.instanceOf(error, TypeError)
      assert.strictEqual((error as TypeError).message, `${name} must be printable ASCII`)
      assert.lengthOf(requests, 0)
      await server?.stop()
    }
  })

  it("works if WebCrypto is not a global, as in Node 18", async () => {
    vi.stubGlobal("crypto", undefined)
    try {
      const { market, requests } = await against({}, ok)
      await market.skills.buy({ skillId: "lst_1" })
      assert.match(String(requests[0]?.headers["idempotency-key"]), /^[\w-]{16,}$/)
    } finally {
      vi.unstubAllGlobals()
    }
  })
})
