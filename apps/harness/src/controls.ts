import type { IncomingMessage, ServerResponse } from "node:http"
import type { Harness, RequestFault, WebhookFault } from "./Harness.ts"

/** Routes beside those of the market, with which tests in other languages control the harness (HARNESS-3). */
const prefix = "/harness/"

export const isControl = ({ url = "" }: IncomingMessage): boolean => url.startsWith(prefix)

const bodyOf = async (request: IncomingMessage): Promise<Readonly<Record<string, unknown>>> => {
  let text = ""
  for await (const chunk of request.setEncoding("utf8")) text += String(chunk)
  const body = text === "" ? {} : parsed(text)
  if (typeof body === "object" && body !== null && !Array.isArray(body)) return body as Record<string, unknown>
  throw new RangeError("the body must be a JSON object")
}

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const describe = async (harness: Harness) => ({
  baseUrl: harness.baseUrl,
  keys: harness.keys,
  items: harness.items,
  now: await harness.clock.now()
})

const isRecord = (value: unknown): value is object =>
  typeof value === "object" && value !== null && !Array.isArray(value)

const faultNames = ["requests", "webhooks", "chain"]

/** `{ requests?: RequestFault, webhooks?: WebhookFault, chain?: "stalled" | "running" }` */
const setFaults = async ({ faults }: Harness, body: Readonly<Record<string, unknown>>): Promise<object> => {
  const { chain, requests, webhooks } = body
  const unknown = Object.keys(body).find((name) => !faultNames.includes(name))
  if (unknown !== undefined) throw new RangeError(`${unknown} is not one of ${faultNames.join(", ")}`)
  if (chain !== undefined && chain !== "stalled" && chain !== "running")
    throw new RangeError("chain must be stalled or running")
  if (requests !== undefined && !isRecord(requests)) throw new RangeError("requests must be a JSON object")
  if (webhooks !== undefined && !isRecord(webhooks)) throw new RangeError("webhooks must be a JSON object")
  if (requests !== undefined) faults.failRequests(requests as RequestFault)
  if (webhooks !== undefined) faults.failWebhooks(webhooks as WebhookFault)
  if (chain === "stalled") await faults.stallChain()
  if (chain === "running") await faults.resumeChain()
  return {}
}

const controls: Readonly<
  Record<string, (harness: Harness, body: Readonly<Record<string, unknown>>) => Promise<object>>
> = {
  "GET state": describe,
  "POST clock": async (harness, { seconds }) => ({ now: await harness.clock.advance(Number(seconds)) }),
  "POST deposits": async (harness, { address, amount }) => {
    await harness.chain.deposit(String(address), String(amount))
    return {}
  },
  "POST faults": setFaults,
  "DELETE faults": async ({ faults }) => {
    await faults.clear()
    return {}
  },
  "POST reset": async (harness) => {
    await harness.reset()
    return describe(harness)
  }
}

const answer = (response: ServerResponse, status: number, body: object): void => {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body))
}

/** Responds with 404 to an unknown route and with 400 and the reason to an invalid body. */
export const answerControl = async (
  harness: Harness,
  request: IncomingMessage,
  response: ServerResponse
): Promise<void> => {
  const control = controls[`${request.method} ${(request.url ?? "").slice(prefix.length)}`]
  if (control === undefined)
    return answer(response, 404, { error: `the controls are ${Object.keys(controls).join(", ")}` })
  try {
    answer(response, 200, await control(harness, await bodyOf(request)))
  } catch (cause) {
    answer(response, 400, { error: cause instanceof Error ? cause.message : String(cause) })
  }
}
