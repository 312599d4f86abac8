import * as NodeHttpServerRequest from "@effect/platform-node/NodeHttpServerRequest"
import type { HttpServerRequest } from "effect/http"
import { IncomingMessage } from "node:http"

/** How long a response may take to end, in milliseconds. */
const patience = 400

/** Destroys the connection of a response that does not end because its client does not read. Has an effect only on a Node server. */
export const severResponse = (request: HttpServerRequest.HttpServerRequest): void => {
  if (!(request.source instanceof IncomingMessage)) return
  const response = NodeHttpServerRequest.toServerResponse(request)
  setTimeout(() => {
    if (!response.writableFinished) response.destroy()
  }, patience).unref()
}
