/**
 * The reference server: the same tables and rows behind `node:http` and `pg`, in the usual way without this
 * project. Prepared statements, a pool of 16, one transaction for each purchase. No keys, no limits, no validation.
 */
import { randomUUID } from "node:crypto"
import { createServer } from "node:http"
import type { IncomingMessage, ServerResponse } from "node:http"
import { Pool } from "pg"
import { buy } from "./buy.ts"
import { feed, listSouls, searchListings, skill, soul } from "./reads.ts"

const pool = new Pool({ connectionString: process.env["DATABASE_URL"], max: 16, min: 16 })

const send = (response: ServerResponse, status: number, body: unknown): void => {
  const text = JSON.stringify(body)
  response.writeHead(status, { "content-type": "application/json", "content-length": Buffer.byteLength(text) })
  response.end(text)
}

const bodyOf = async (request: IncomingMessage): Promise<{ skillId: string; buyerId: string }> => {
  let text = ""
  for await (const chunk of request) text += chunk
  return JSON.parse(text)
}

const answer = async (request: IncomingMessage, url: URL): Promise<unknown> => {
  const [, first, second, third, fourth] = url.pathname.split("/")
  if (request.method === "POST") {
    const { buyerId, skillId } = await bodyOf(request)
    return await buy(pool, buyerId, skillId, fourth === "fee")
  }
  if (first === "readyz") return { ready: true }
  if (second === "listings") return await searchListings(pool, url.searchParams.get("search") ?? "")
  if (third === "skills") return await skill(pool, fourth ?? "")
  if (second === "activity") return await feed(pool)
  if (third === undefined) return await listSouls(pool, Number(url.searchParams.get("limit") ?? 50))
  return await soul(pool, third)
}

// A log line for each request, buffered and written a few times a second, as in the market.
let lines = ""
const log = (line: object): void => {
  if (lines === "") setTimeout(() => (process.stdout.write(lines), (lines = "")), 100)
  lines += `${JSON.stringify(line)}\n`
}

const server = createServer((request, response) => {
  const begun = performance.now()
  const url = new URL(request.url ?? "/", "http://localhost")
  void answer(request, url)
    .then(
      (body) =>
        body === undefined
          ? send(response, 404, { error: "Not found" })
          : send(response, request.method === "POST" ? 201 : 200, body),
      (error: Error) => send(response, 500, { error: error.message })
    )
    .then(() =>
      log({
        timestamp: new Date(),
        requestId: randomUUID(),
        method: request.method,
        route: url.pathname,
        status: response.statusCode,
        durationMs: performance.now() - begun
      })
    )
})

server.listen(Number(process.env["PORT"]), "127.0.0.1")
process.once("SIGTERM", () => process.exit())
