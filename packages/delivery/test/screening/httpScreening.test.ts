import { Usdt } from "@agent-marketplace/core/money/Usdt"
import { TestAuthority } from "@agent-marketplace/fixtures/tls/TestAuthority"
import { Effect, Redacted, Result } from "effect"
import type { IncomingMessage, ServerResponse } from "node:http"
import { createServer } from "node:https"
import type { AddressInfo } from "node:net"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { httpScreening } from "../../src/screening/httpScreening.ts"

const address = "TXYZopYRdj2D9XRtbG411XZZ3kM5VkAeBf"
const token = "screening-token-0123456789"

type Answer = (request: IncomingMessage, response: ServerResponse, body: string) => void

const json =
  (body: unknown, status = 200): Answer =>
  (_request, response) =>
    void response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body))

describe("a screening service (SCREENING-10)", () => {
  const authority = new TestAuthority()
  const { cert, key } = authority.issue("screening")
  let answer: Answer = json({})
  const seen: Array<{ readonly headers: IncomingMessage["headers"]; readonly body: string; readonly path: string }> = []
  const server = createServer({ cert, key }, (request, response) => {
    let body = ""
    request.setEncoding("utf8")
    request.on("data", (chunk: string) => (body += chunk))
    request.on("end", () => {
      seen.push({ headers: request.headers, body, path: `${request.method} ${request.url}` })
      answer(request, response, body)
    })
  })
  let url = ""

  beforeAll(async () => {
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
    url = `https://localhost:${(server.address() as AddressInfo).port}/check`
  })
  afterAll(() => {
    server.closeAllConnections()
    server.close()
  })

  const ask = (ca: string | undefined = authority.cert) =>
    Effect.runPromise(
      Effect.result(
        httpScreening({ url, token: Redacted.make(token), authority: ca }, 500).screen({
          kind: "withdrawal",
          address,
          amount: Usdt.of(12_500_000n),
          chain: "TRON",
          reference: "wdr_1"
        })
      )
    )

  const reasonOf = async (given: Answer, ca?: string) => {
    answer = given
    const result = await ask(ca)
    if (Result.isSuccess(result)) assert.fail(`it decided: ${JSON.stringify(result.success)}`)
    return result.failure.reason
  }

  it("gets the transfer with the token, and decides with its reference", async () => {
    answer = json({ address, flagged: true, reference: `case 1 of ${token}`, score: 9 })
    const flagged = await ask()
    const host = new URL(url).host
    assert.deepStrictEqual(flagged, Result.succeed({ source: host, reference: "case 1 of ***" }))
    const [request] = seen
    assert.strictEqual(request?.path, "POST /check")
    assert.strictEqual(request?.headers.authorization, `Bearer ${token}`)
    assert.deepStrictEqual(JSON.parse(request?.body ?? ""), {
      protocol: 1,
      kind: "withdrawal",
      address,
      amount: "12.50",
      currency: "USDT",
      chain: "TRON",
      reference: "wdr_1"
    })
    answer = json({ address, flagged: false })
    assert.deepStrictEqual(await ask(), Result.succeed(null))
    answer = json({ address, flagged: true })
    assert.deepStrictEqual(await ask(), Result.succeed({ source: host, reference: "no reference" }))
  })

  it("any other answer leaves the transfer undecided, and no reason shows the token or the answer", async () => {
    const cases: ReadonlyArray<readonly [name: string, answer: Answer, reason: RegExp]> = [
      ["another address", json({ address: "TJRabPrwbZy45sbavfcjinPJC18kjpRTv8", flagged: false }), /another address/],
      ["no address", json({ flagged: false }), /not a valid answer/],
      ["a text for a truth value", json({ address, flagged: "false" }), /not a valid answer/],
      ["null", json(null), /not a valid answer/],
      ["HTML", (_, response) => void response.end(`<html>${token}`), /not a valid answer/],
      ["nothing", (_, response) => void response.end(), /not a valid answer/],
      ["an error", json({ address, flagged: false, error: token }, 500), /status 500/],
      ["another success", json({ address, flagged: false }, 202), /status 202/],
      [
        "a redirect",
        (_, response) => void response.writeHead(307, { location: "http://127.0.0.1:1/" }).end(),
        /status 307/
      ],
      ["too much", (_, response) => void response.end(" ".repeat(50_000)), /no valid answer/],
      ["half an answer", (_, response) => void response.write("{", () => response.destroy()), /not reached|no valid/],
      ["no answer", (_, response) => void response.destroy(), /ECONNRESET/]
    ]
    for (const [name, given, reason] of cases) {
      const shown = await reasonOf(given)
      assert.match(shown, reason, name)
      assert.notInclude(shown, token, name)
      assert.notInclude(shown, "html", name)
    }
  })

  it("decides nothing if it stalls, sends its answer too slowly, or has another certificate", async () => {
    const stall: Answer = () => {}
    const trickle: Answer = (_, response) => {
      const timer = setInterval(() => response.write(" "), 20)
      response.on("close", () => clearInterval(timer))
    }
    assert.match(await reasonOf(stall), /no answer in time/)
    assert.match(await reasonOf(trickle), /no answer in time/)
    assert.match(
      await reasonOf(json({ address, flagged: false }), new TestAuthority("another").cert),
      /not reached \([A-Z_]+\)/
    )
  })
})
