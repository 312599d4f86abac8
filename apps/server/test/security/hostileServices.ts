import { TestAuthority } from "@agent-marketplace/fixtures/tls/TestAuthority"
import { once } from "node:events"
import { createServer as createHttp } from "node:http"
import type { RequestListener, Server } from "node:http"
import { createServer as createHttps } from "node:https"
import { createServer as createTcp } from "node:net"
import type { AddressInfo, Server as TcpServer } from "node:net"

const portOf = async (server: Server | TcpServer): Promise<number> => {
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  return (server.address() as AddressInfo).port
}

/** Reads a request and returns its headers and its body in an error. */
const echo: RequestListener = (request, response) => {
  let body = ""
  request.on("data", (chunk: Buffer) => (body += chunk.toString()))
  request.on("end", () => {
    response.writeHead(500, { "content-type": "application/json", "x-echo": request.headers.authorization ?? "" })
    response.end(JSON.stringify({ error: { ...request.headers, body }, Error: JSON.stringify(request.headers) }))
  })
}

/** Services that return in their errors what they were sent: nodes of the chain and a storage (HTTP), Redis, and screening (HTTPS). */
export const startHostileServices = async () => {
  const authority = new TestAuthority()
  const { cert, key } = authority.issue("screening")
  let honest = true
  const screening = createHttps({ cert, key }, (request, response) => {
    if (!honest) return echo(request, response)
    let body = ""
    request.on("data", (chunk: Buffer) => (body += chunk.toString()))
    request.on("end", () => {
      const { address } = JSON.parse(body) as { address: string }
      response.end(JSON.stringify({ address, flagged: false, reference: request.headers.authorization }))
    })
  })
  const spans: Array<string> = []
  const collector = createHttp((request, response) => {
    let body = ""
    request.on("data", (chunk: Buffer) => (body += chunk.toString()))
    request.on("end", () => {
      spans.push(body)
      response.end("{}")
    })
  })
  const http = createHttp(echo)
  const redis = createTcp((socket) => {
    socket.on("error", () => {})
    socket.on("data", (chunk) => socket.write(`-ERR ${chunk.toString().replace(/\r\n/g, " ")}\r\n`))
  })
  const servers = [screening, collector, http, redis]
  const [screeningPort, collectorPort, httpPort, redisPort] = await Promise.all(servers.map(portOf))
  return {
    authority,
    screeningUrl: `https://localhost:${screeningPort}/check`,
    collectorUrl: `http://127.0.0.1:${collectorPort}`,
    httpUrl: `http://127.0.0.1:${httpPort}`,
    redisPort,
    spans: spans as ReadonlyArray<string>,
    /** From now on the screening service only returns errors. */
    failScreening: () => void (honest = false),
    close: () => {
      for (const server of servers) {
        if ("closeAllConnections" in server) server.closeAllConnections()
        server.close()
      }
    }
  }
}
