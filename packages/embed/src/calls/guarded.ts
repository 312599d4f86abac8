import type { IncomingMessage, ServerResponse } from "node:http"
import { invalidOptions } from "../options/optionChecks.ts"
import { closedResponse, closedError } from "./closedMarket.ts"
import type { Gate } from "./makeGate.ts"
import { untilRead } from "./untilRead.ts"

type Fetch = (request: Request) => Promise<Response>
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
