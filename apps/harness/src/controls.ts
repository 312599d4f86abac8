import type { IncomingMessage, ServerResponse } from "node:http"
import type { Harness } from "./Harness.ts"

/** What tests in other languages do to a harness, over HTTP, beside the market's own routes. */
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

const controls: Readonly<
  Record<string, (harness: Harness, body: Readonly<Record<string, unknown>>) => Promise<object>>
> = {
  "GET state": describe,
  "POST clock": async (harness, { seconds }) => ({ now: await harness.clock.advance(Number(seconds)) }),
  "POST deposits": async (harness, { address, amount }) => {
    await harness.chain.deposit(String(address), String(amount))
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

/** Answers 404 to what is no control, and 400 with the reason to what it cannot do. */
export const answerControl = async (
  harness: Harness,
  request: IncomingMessage,
  response: ServerResponse
): Promise<void> => {
  const control = controls[`${request.method} ${(request.url ?? "").slice(prefix.length)}`]
  if (control === undefined) return answer(response, 404, { error: `there are ${Object.keys(controls).join(", ")}` })
  try {
    answer(response, 200, await control(harness, await bodyOf(request)))
  } catch (cause) {
    answer(response, 400, { error: cause instanceof Error ? cause.message : String(cause) })
  }
}
