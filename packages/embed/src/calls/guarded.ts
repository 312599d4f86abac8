import type { IncomingMessage, ServerResponse } from "node:http"
import type { Duplex } from "node:stream"
import { toWire } from "@agent-marketplace/api/errors/WireError"
import { MarketplaceError } from "@agent-marketplace/client/MarketplaceError"
import { StoreUnavailable } from "@agent-marketplace/core/errors/MarketError"
import { randomUUID } from "node:crypto"
import { invalidOptions } from "../options/optionChecks.ts"
import type { Gate } from "./makeGate.ts"
import { untilRead } from "./untilRead.ts"

/** The response of a closed market to every request: 503 in the general envelope. */
const closedResponse = () => {
  const requestId = randomUUID()
  const { body, status } = toWire(new StoreUnavailable({}), requestId)
  const error = { ...body.error, message: "The market is closed" }
  return {
    status,
    headers: { "content-type": "application/json", "x-request-id": requestId },
    body: JSON.stringify({ ...body, error })
  }
}

/** The error with which calls of a closed market reject, the same as its 503. */
export const closedError = (): MarketplaceError =>
  new MarketplaceError({ message: "The market is closed", code: "SERVICE_UNAVAILABLE", statusCode: 503 })

type Fetch = (request: Request) => Promise<Response>
type UpgradeListener = (request: IncomingMessage, socket: Duplex, head: Buffer) => void
type Listener = (request: IncomingMessage, response: ServerResponse) => void

const noRequest = [{ path: "request", message: "must be a Request" }]

/** Frameworks may bring their own `Request` class. */
const isRequest = (request: unknown): request is Request =>
  typeof request === "object" && request !== null && "url" in request && "headers" in request

/** Wraps every entry point, so that none works after the gate is closed. */
export const guarded = (gate: Gate) => ({
  work: async (begin: () => Promise<void>): Promise<void> => {
    const leave = gate.enter()
    if (leave === undefined) throw closedError()
    await begin().finally(leave)
  },
  fetch: async (fetch: Fetch, request: Request): Promise<Response> => {
    const leave = gate.enter()
    if (leave === undefined) {
      const { body, ...init } = closedResponse()
      return new Response(body, init)
    }
    if (!isRequest(request)) {
      leave()
      throw invalidOptions("fetch", noRequest)
    }
    try {
      return untilRead(await fetch(request), leave)
    } catch (error) {
      leave()
      throw error
    }
  },
  upgrade:
    (listener: UpgradeListener): UpgradeListener =>
    (request, socket, head) => {
      const leave = gate.enter()
      if (leave === undefined) {
        const { body, headers } = closedResponse()
        const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
        socket.end(
          `HTTP/1.1 503 Service Unavailable\r\n${lines.join("")}content-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`
        )
        return
      }
      socket.once("close", leave)
      listener(request, socket, head)
    },
  node:
    (listener: Listener): Listener =>
    (request, response) => {
      const leave = gate.enter()
      if (leave === undefined) {
        const { body, headers, status } = closedResponse()
        response.writeHead(status, headers).end(body)
        return
      }
      response.once("close", leave)
      listener(request, response)
    }
})
