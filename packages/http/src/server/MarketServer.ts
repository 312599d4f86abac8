import { randomUUID } from "node:crypto"
import { createServer } from "node:http"
import type { IncomingMessage, Server, ServerResponse } from "node:http"
import type { Socket } from "node:net"
import type { Duplex } from "node:stream"

interface Refusal {
  readonly status: string
  readonly code: string
  readonly message: string
}

const unreadable: Refusal = { status: "400 Bad Request", code: "VALIDATION_ERROR", message: "The request is not valid" }

const refusals: Readonly<Record<string, Refusal>> = {
  HPE_HEADER_OVERFLOW: {
    status: "431 Request Header Fields Too Large",
    code: "VALIDATION_ERROR",
    message: "The headers are too large"
  },
  ERR_HTTP_REQUEST_TIMEOUT: {
    status: "408 Request Timeout",
    code: "VALIDATION_ERROR",
    message: "The request did not arrive in time"
  }
}

/** The general envelope also for what Node's own parser refuses before any route is looked for (ERROR-1). */
const refuse = (error: NodeJS.ErrnoException, socket: Duplex): void => {
  if (error.code === "ECONNRESET" || !socket.writable) {
    socket.destroy()
    return
  }
  const { code, message, status } = refusals[error.code ?? ""] ?? unreadable
  const details = { issues: [{ path: "request", message: "must be a valid HTTP request" }] }
  const body = JSON.stringify({ success: false, error: { code, message, details } })
  const lines = [
    `HTTP/1.1 ${status}`,
    "content-type: application/json",
    `content-length: ${Buffer.byteLength(body)}`,
    `x-request-id: ${randomUUID()}`,
    "cache-control: no-store",
    "referrer-policy: no-referrer",
    "x-content-type-options: nosniff",
    "connection: close"
  ]
  socket.end(`${lines.join("\r\n")}\r\n\r\n${body}`)
}

/** How often a server that closes looks for connections that have become idle, in milliseconds. */
const closingLook = 50

/**
 * Lets a server that closes end with its last answer: a connection that is kept alive for another request, or that never
 * sent any, would hold it open until its time is over.
 */
const closeWithLastAnswer = (server: Server): void => {
  const sockets = new Set<Socket>()
  server.on("connection", (socket: Socket) => {
    sockets.add(socket)
    socket.once("close", () => sockets.delete(socket))
  })
  const close = server.close.bind(server)
  server.close = (done) => {
    const timer = setInterval(() => server.closeIdleConnections(), closingLook)
    server.once("close", () => clearInterval(timer))
    for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy()
    return close(done)
  }
}

/** For how long a refused client may pause while it sends the rest of its body, and for how long it may send, in milliseconds. */
const restPause = 500
const restTime = 10_000

/** A connection that is still sending a refused body closes once the client has sent everything, pauses or takes too long. */
const closeAfterTheRest = (request: IncomingMessage): void => {
  const { socket } = request
  const destroy = socket.destroy.bind(socket)
  const start = Date.now()
  let lastData = start
  request.on("data", () => (lastData = Date.now()))
  const isSending = () =>
    !request.complete && !socket.readableEnded && Date.now() - lastData < restPause && Date.now() - start < restTime
  // The HTTP layer closes the connection a fixed time after the response, also while the body still arrives.
  let timer: NodeJS.Timeout | undefined
  socket.once("close", () => clearInterval(timer))
  socket.destroy = (error) => {
    if (error !== undefined || !isSending()) return destroy(error)
    timer ??= setInterval(() => socket.destroy(), closingLook)
    return socket
  }
}

/**
 * Reads and discards what a client still sends after its request was refused: a client that sends all of its body before it
 * reads would otherwise find the connection broken instead of the refusal.
 */
const takeTheRest = (request: IncomingMessage, response: ServerResponse): void => {
  response.once("finish", () => {
    if (request.complete || request.destroyed) return
    closeAfterTheRest(request)
    request.resume()
  })
}

/** A Node server as the market wants it: bounded headers and waiting times, and an envelope for whatever is no HTTP. */
export const makeMarketServer = (): Server => {
  const server = createServer({
    maxHeaderSize: 16_384,
    headersTimeout: 15_000,
    requestTimeout: 60_000,
    keepAliveTimeout: 65_000,
    // The edge asks for it, so that its absence too is answered in an envelope.
    requireHostHeader: false
  })
  server.on("clientError", refuse)
  // Without a listener Node answers 417 by itself, past everything that stands before an answer.
  server.on("checkExpectation", (request, response) => server.emit("request", request, response))
  server.on("request", takeTheRest)
  closeWithLastAnswer(server)
  return server
}
