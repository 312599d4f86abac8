import type { IncomingMessage, ServerResponse } from "node:http"
import { closedAnswer } from "./closedAnswer.ts"
import { closedError } from "./closedError.ts"
import type { Gate } from "./makeGate.ts"

type Fetch = (request: Request) => Promise<Response>
type Listener = (request: IncomingMessage, response: ServerResponse) => void

/** Every way in, for as long as the gate is open. */
export const guarded = (gate: Gate) => ({
  work: async (begin: () => Promise<void>): Promise<void> => {
    const leave = gate.enter()
    if (leave === undefined) throw closedError()
    await begin().finally(leave)
  },
  fetch: async (fetch: Fetch, request: Request): Promise<Response> => {
    const leave = gate.enter()
    if (leave === undefined) {
      const { body, ...init } = closedAnswer()
      return new Response(body, init)
    }
    try {
      return await fetch(request)
    } finally {
      leave()
    }
  },
  node:
    (listener: Listener): Listener =>
    (request, response) => {
      const leave = gate.enter()
      if (leave === undefined) {
        const { body, headers, status } = closedAnswer()
        response.writeHead(status, headers).end(body)
        return
      }
      response.once("close", leave)
      listener(request, response)
    }
})
