import { randomUUID } from "node:crypto"
import { createServer, IncomingMessage } from "node:http"
import type { Server, ServerResponse } from "node:http"
import type { Socket } from "node:net"
import type { Duplex } from "node:stream"
import { acceptSeveral } from "./acceptSeveral.ts"

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

/** Headers of every response that this module writes itself. */
const ownHeaders = (body: string): Readonly<Record<string, string | number>> => ({
  "content-type": "application/json",
  "content-length": Buffer.byteLength(body),
  "x-request-id": randomUUID(),
  "cache-control": "no-store",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
  connection: "close"
})

/** The general envelope for requests that Node's parser refuses (ERROR-1). */
const refuse = (error: NodeJS.ErrnoException, socket: Duplex): void => {
  if (error.code === "ECONNRESET" || !socket.writable) {
    socket.destroy()
    return
  }
  const { code, message, status } = refusals[error.code ?? ""] ?? unreadable
  const details = { issues: [{ path: "request", message: "must be a valid HTTP request" }] }
  const body = JSON.stringify({ success: false, error: { code, message, details } })
  const lines = Object.entries(ownHeaders(body)).map(([name, value]) => `${name}: ${value}`)
  socket.end(`${[`HTTP/1.1 ${status}`, ...lines].join("\r\n")}\r\n\r\n${body}`)
}

/** The server listens before the market can answer; until then, a request would wait for ever (ERROR-21). */
const refuseWhileStarting = (server: Server, response: ServerResponse): void => {
  if (server.listenerCount("request") > 1) return
  const error = { code: "SERVICE_UNAVAILABLE", message: "The service is starting; try again in a moment", details: {} }
  const body = JSON.stringify({ success: false, error })
  response.writeHead(503, { ...ownHeaders(body), "retry-after": "1" }).end(body)
}

/** The interval at which a closing server checks its connections, in milliseconds. */
const connectionCheckInterval = 50

/** A server that closes breaks the connections that are still open after this time, in milliseconds. */
const defaultPatience = 15_000

/**
 * Lets a closing server end with its last response. A connection that is kept alive for another request, or that never
 * sent one, would keep it open until a timeout. A client that sends its body slowly would keep it open for ever, because a
 * closing server no longer checks `requestTimeout`; its connection is closed after `patience`.
 */
const closeAfterLastResponse = (server: Server, patience: number): void => {
  const sockets = new Set<Socket>()
  server.on("connection", (socket: Socket) => {
    sockets.add(socket)
    socket.once("close", () => sockets.delete(socket))
  })
  const listeners = acceptSeveral(server)
  const close = server.close.bind(server)
  server.close = (done) => {
    const look = setInterval(() => server.closeIdleConnections(), connectionCheckInterval).unref()
    const end = setTimeout(() => server.closeAllConnections(), patience).unref()
    listeners.stop()
    let open = listeners.all.length + 1
    // A listener ends with the last of the connections that it accepted.
    const ended = (error?: Error) => {
      if (--open > 0) return
      clearInterval(look)
      clearTimeout(end)
      done?.(error)
    }
    for (const listener of listeners.all) listener.close(() => ended())
    for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy()
    return close(ended)
  }
}

/**
 * The bounds for a refused client that sends the rest of its body: how long it may pause and how long it may take, in milliseconds, and
 * how many bytes it may send.
 */
const restPause = 500
const restTime = 10_000
const restBytes = 67_108_864

/**
 * A connection that is still sending a refused body closes once the client has sent everything, pauses, exceeds a bound, or the server
 * closes. The HTTP layer destroys the socket a fixed time after the response, also while the body still arrives; this postpones it.
 */
const closeAfterRest = (server: Server, request: IncomingMessage): void => {
  const { socket } = request
  const destroy = socket.destroy
  const end = Date.now() + restTime
  let [pauseEnd, received] = [Date.now() + restPause, 0]
  request.on("data", (chunk: Buffer) => {
    pauseEnd = Date.now() + restPause
    received += chunk.length
  })
  const isSending = () =>
    server.listening &&
    !request.complete &&
    !socket.readableEnded &&
    received < restBytes &&
    Date.now() < Math.min(end, pauseEnd)
  let timer: NodeJS.Timeout | undefined
  const postponed: Socket["destroy"] = (error) => {
    if (error !== undefined || !isSending()) {
      clearInterval(timer)
      return destroy.call(socket, error)
    }
    timer ??= setInterval(() => postponed(), connectionCheckInterval)
    return socket
  }
  socket.destroy = postponed
  // Do not postpone the end of the next request on the connection.
  request.once("end", () => {
    if (socket.destroy === postponed && timer === undefined) socket.destroy = destroy
  })
}

/** A request without these headers ends with its headers (RFC 9112, 6.3). */
const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers["content-length"] !== undefined || headers["transfer-encoding"] !== undefined

/**
 * Reads and discards what a client still sends after its request was refused: a client that sends all of its body before it
 * reads would otherwise find the connection broken instead of the refusal.
 */
const discardRest = (server: Server, request: IncomingMessage, response: ServerResponse): void => {
  if (!hasBody(request)) return
  response.once("finish", () => {
    if (request.complete || request.destroyed) return
    closeAfterRest(server, request)
    request.resume()
  })
}

/**
 * Drops a request that arrives on a connection whose last response has been sent. It may directly follow a refused body; executing it
 * could move money without anybody being able to read the response.
 */
const dropAfterLastResponse = (server: Server): void => {
  const emit: (event: string, ...args: ReadonlyArray<unknown>) => boolean = server.emit.bind(server)
  server.emit = (event: string, ...args: ReadonlyArray<unknown>) => {
    const [request] = args
    return request instanceof IncomingMessage && request.socket.writableEnded ? true : emit(event, ...args)
  }
}

/**
 * A Node server with bounded headers and timeouts, and an envelope for requests that are not valid HTTP. When it
 * closes, it breaks the connections that are still open after `patience` milliseconds.
 */
export const makeMarketServer = (patience = defaultPatience): Server => {
  const server = createServer({
    maxHeaderSize: 16_384,
    headersTimeout: 15_000,
    requestTimeout: 60_000,
    keepAliveTimeout: 65_000,
    // The request context checks it, so that a request without it gets an envelope too.
    requireHostHeader: false
  })
  server.on("clientError", refuse)
  // Without a listener Node responds with 417 itself, without envelope and request id.
  server.on("checkExpectation", (request, response) => server.emit("request", request, response))
  server.on("request", (request, response) => {
    discardRest(server, request, response)
    refuseWhileStarting(server, response)
  })
  closeAfterLastResponse(server, patience)
  dropAfterLastResponse(server)
  return server
}
