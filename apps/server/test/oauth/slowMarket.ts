import { once } from "node:events"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"

/** A server in front of the market that holds back the responses of the token endpoint. */
export interface SlowMarket {
  readonly baseUrl: string
  /** Requests for tokens so far. */
  readonly tokenRequests: () => number
  readonly close: () => void
}

/** `hold` is called before each response of the token endpoint. Devices may poll without waiting. */
export const startSlowMarket = async (market: string, hold: () => Promise<unknown>): Promise<SlowMarket> => {
  let tokens = 0
  const server = createServer((request, response) => {
    const chunks: Array<Buffer> = []
    request.on("data", (chunk: Buffer) => chunks.push(chunk))
    request.on("end", () => {
      void (async () => {
        const { authorization, "content-type": type } = request.headers
        if (request.url === "/oauth/token") tokens++
        const headers = {
          ...(authorization === undefined ? {} : { authorization }),
          ...(type === undefined ? {} : { "content-type": type })
        }
        const body = chunks.length === 0 ? null : Buffer.concat(chunks)
        if (request.url === "/oauth/token") await hold()
        const answer = await fetch(market + (request.url ?? ""), { method: request.method ?? "GET", headers, body })
        const text = await answer.text()
        const challenge = answer.headers.get("www-authenticate")
        response
          .writeHead(answer.status, {
            "content-type": answer.headers.get("content-type") ?? "application/json",
            ...(challenge === null ? {} : { "www-authenticate": challenge })
          })
          .end(request.url === "/oauth/device_authorization" ? text.replace('"interval":5', '"interval":0') : text)
      })().catch(() => request.socket.destroy())
    })
  })
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  const { port } = server.address() as AddressInfo
  return { baseUrl: `http://localhost:${port}`, tokenRequests: () => tokens, close: () => void server.close() }
}
