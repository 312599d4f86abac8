import { verifyWebhook, WebhookError } from "@agent-marketplace/client/verifyWebhook"

/** Ids of handled deliveries. A real receiver stores them in the same transaction as the effects of its handlers. */
const handled = new Set<string>()

/** For every platform that serves `(request) => response`: Bun, Deno, workers, Next.js and Hono routes. */
export const receive =
  (secret: string) =>
  async (request: Request): Promise<Response> => {
    const id = request.headers.get("webhook-id")
    try {
      const event = await verifyWebhook(await request.arrayBuffer(), request.headers, secret)
      if (id === null || !handled.has(id)) {
        if (event.event === "purchase.completed") console.log(id, event.event, event.data.purchaseId)
        else console.log(id, event.event)
        if (id !== null) handled.add(id)
      }
      return new Response(null, { status: 200 })
    } catch (error) {
      if (!(error instanceof WebhookError)) throw error
      console.log(id, error.statusCode, error.message)
      return new Response(error.message, { status: error.statusCode })
    }
  }
