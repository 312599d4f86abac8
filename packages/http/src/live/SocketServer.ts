import type { WebSocket } from "@effect/platform-node/NodeWS"
import { WebSocketServer } from "@effect/platform-node/NodeWS"
import { Effect } from "effect"
import type { HttpServerRequest } from "effect/http"
import { IncomingMessage } from "node:http"

/** The largest message of a client in bytes; a larger one closes the connection with 1009 (LIVE-16). */
const largestMessage = 65_536

/** Codes with which the service closes a connection (LIVE-16). */
export const closeCodes = {
  stopping: 1001,
  tooManyMessages: 1008,
  unauthenticated: 4401,
  overrun: 4408,
  tooManyStreams: 4429
} as const

const server = new WebSocketServer({
  noServer: true,
  clientTracking: false,
  perMessageDeflate: false,
  maxPayload: largestMessage,
  maxFragments: 64
})

const noBytes = Buffer.alloc(0)

/** Whether the request comes from a Node server that gives access to its connection, which a WebSocket needs (LIVE-14). */
export const isUpgrade = ({ source }: HttpServerRequest.HttpServerRequest): boolean =>
  source instanceof IncomingMessage &&
  (source as { readonly upgrade?: boolean }).upgrade === true &&
  source.headers.upgrade?.toLowerCase() === "websocket"

/** Completes the handshake. If `ws` refuses it, this is interrupted when the connection has closed. */
export const openSocket = ({ source }: HttpServerRequest.HttpServerRequest): Effect.Effect<WebSocket> =>
  Effect.callback((resume) => {
    const request = source as IncomingMessage
    const refused = () => resume(Effect.interrupt)
    request.socket.once("close", refused)
    server.handleUpgrade(request, request.socket, noBytes, (socket) => {
      // Without a listener an invalid frame would end the process. `ws` closes the connection.
      socket.on("error", () => {})
      request.socket.off("close", refused)
      resume(Effect.succeed(socket))
    })
  })
