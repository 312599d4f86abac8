import { NodeHttpServerRequest } from "@effect/platform-node"
import type { HttpServerRequest } from "effect/http"
import { IncomingMessage } from "node:http"

/** How long a response may take to end, in milliseconds. */
const patience = 400

/** Breaks a response that does not end by itself, because its client does not read. Only a server of Node can. */
export const severResponse = (request: HttpServerRequest.HttpServerRequest): void => {
  if (!(request.source instanceof IncomingMessage)) return
  const response = NodeHttpServerRequest.toServerResponse(request)
  setTimeout(() => {
    if (!response.writableFinished) response.destroy()
  }, patience).unref()
}
