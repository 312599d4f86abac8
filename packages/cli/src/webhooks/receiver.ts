import { verifyWebhook, WebhookError } from "@agent-marketplace/client/verifyWebhook"
import type { WebhookEvent } from "@agent-marketplace/client/verifyWebhook"
import { Effect, Queue } from "effect"
import { once } from "node:events"
import type { IncomingMessage, Server, ServerResponse } from "node:http"
import { createServer } from "node:http"
import { CommandFailure, exitCodes } from "../errors/CommandFailure.ts"

/** A delivery: a verified event, or the reason for refusing it. */
export type Received = { readonly event: WebhookEvent } | { readonly refused: string; readonly statusCode: number }

const mostBytes = 1_048_576

const bodyOf = async (request: IncomingMessage): Promise<Uint8Array> => {
  const parts: Array<Buffer> = []
  let size = 0
  for await (const part of request as AsyncIterable<Buffer>) {
    size += part.length
    if (size > mostBytes) throw new WebhookError(400, "the body is too large")
    parts.push(part)
  }
  return Buffer.concat(parts)
}

const read = async (request: IncomingMessage, secret: () => string): Promise<Received> => {
  try {
    if (request.method !== "POST") return { refused: `deliveries use POST, not ${request.method}`, statusCode: 405 }
    return { event: await verifyWebhook(await bodyOf(request), request.headers, secret()) }
  } catch (cause) {
    if (cause instanceof WebhookError) return { refused: cause.message, statusCode: cause.statusCode }
    return { refused: "the body could not be read", statusCode: 400 }
  }
}

const listening = async (server: Server, host: string, port: number): Promise<number> => {
  server.listen(port, host)
  await once(server, "listening")
  const address = server.address()
  return typeof address === "object" && address !== null ? address.port : port
}

const taken = (host: string, port: number, cause: unknown) =>
  new CommandFailure({
    code: "CANNOT_LISTEN",
    message: `cannot listen on ${host}:${port}: ${cause instanceof Error ? cause.message : String(cause)}`,
    hint: "Choose another port with --port; 0 uses a free one.",
    exitCode: exitCodes.failure
  })

/**
 * A local receiver: responds to each delivery by the rules of DELIVERY-14 and passes on the result. `secret` is read for each delivery,
 * because the subscription is created after the receiver listens.
 */
export const receiver = (host: string, port: number, secret: () => string) =>
  Effect.gen(function* () {
    const received = yield* Queue.unbounded<Received>()
    const answer = async (request: IncomingMessage, response: ServerResponse) => {
      const outcome = await read(request, secret)
      const statusCode = "event" in outcome ? 200 : outcome.statusCode
      response.writeHead(statusCode, { "content-type": "text/plain", connection: "close" })
      response.end("event" in outcome ? "ok" : outcome.refused)
      Queue.offerUnsafe(received, outcome)
    }
    const server = createServer((request, response) => void answer(request, response))
    yield* Effect.addFinalizer(() =>
      Effect.sync(() => {
        server.close()
        server.closeAllConnections()
      })
    )
    const bound = yield* Effect.tryPromise({
      try: () => listening(server, host, port),
      catch: (cause) => taken(host, port, cause)
    })
    return { port: bound, received }
  })
