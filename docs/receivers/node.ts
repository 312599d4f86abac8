import { verifyWebhook, WebhookError } from "@agent-marketplace/client/verifyWebhook"
import { createServer } from "node:http"
import type { IncomingMessage } from "node:http"
import type { AddressInfo } from "node:net"

const secret = process.env["WEBHOOK_SECRET"] ?? ""
const largestBody = 1024 * 1024

/** Ids of handled deliveries. A real receiver stores them in the same transaction as the effects of its handlers. */
const handled = new Set<unknown>()

const bodyOf = async (request: IncomingMessage): Promise<Uint8Array> => {
  const chunks: Array<Buffer> = []
  let length = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    length += chunk.length
    if (length > largestBody) throw new WebhookError(400, "the body is too large")
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

const receive = async (request: IncomingMessage): Promise<number> => {
  const id = request.headers["webhook-id"]
  try {
    const event = await verifyWebhook(await bodyOf(request), request.headers, secret)
    if (id !== undefined && handled.has(id)) return 200
    if (event.event === "purchase.completed") console.log(id, event.event, event.data.purchaseId)
    else console.log(id, event.event)
    handled.add(id)
    return 200
  } catch (error) {
    console.log(id, String(error))
    return error instanceof WebhookError ? error.statusCode : 500
  }
}

const server = createServer((request, response) => {
  void receive(request).then((status) => response.writeHead(status).end())
})
server.listen(Number(process.env["PORT"] ?? 8080), "127.0.0.1", () => {
  console.log(`listening on http://127.0.0.1:${(server.address() as AddressInfo).port}`)
})
