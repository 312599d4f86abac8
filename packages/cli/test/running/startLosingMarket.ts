import { once } from "node:events"
import { createServer, request } from "node:http"

/** A proxy in front of a market that forwards everything, but drops the connection instead of returning a purchase's response, until it is repaired. */
export const startLosingMarket = async (target: string) => {
  const keys: Array<string | undefined> = []
  const bodies: Array<string> = []
  let lost = 0
  const server = createServer((incoming, outgoing) => {
    const { headers, method = "GET", url = "/" } = incoming
    const isPurchase = method === "POST" && url === "/api/v1/purchases"
    if (isPurchase) {
      keys.push(headers["idempotency-key"] as string | undefined)
      const index = bodies.push("") - 1
      incoming.on("data", (chunk: Buffer) => {
        bodies[index] += chunk.toString()
      })
    }
    const passed = request(new URL(url, target), { method, headers: { ...headers, host: new URL(target).host } })
    passed.on("response", (answer) => {
      if (isPurchase && losing) {
        lost += 1
        answer.resume()
        answer.on("end", () => incoming.socket.destroy())
        return
      }
      outgoing.writeHead(answer.statusCode ?? 500, answer.headers)
      answer.pipe(outgoing)
    })
    incoming.pipe(passed)
  })
  let losing = true
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  const address = server.address()
  return {
    baseUrl: `http://localhost:${typeof address === "object" && address !== null ? address.port : 0}`,
    /** The idempotency keys of the received purchases. */
    keys,
    /** The bodies of those purchases. */
    bodies,
    lost: () => lost,
    /** From now on every response is delivered. */
    mend: () => void (losing = false),
    stop: () => {
      server.closeAllConnections()
      server.close()
    }
  }
}
