import { keptBody } from "@agent-marketplace/core/webhooks/Delivery"
import type { SendOutcome, SendRequest } from "@agent-marketplace/core/webhooks/WebhookTransport"
import type { ClientRequest, IncomingMessage } from "node:http"
import { request as plainRequest } from "node:http"
import { request as secureRequest } from "node:https"
import { isIP } from "node:net"
import { receiverFault } from "./receiverFault.ts"
import type { ReceiverAgents } from "./ReceiverAgents.ts"
import { hostOf } from "./ReceiverAddressRules.ts"

/** Enough bytes for the characters that are kept: a character has at most four. */
const readBytes = keptBody * 4

const userAgent = "agent-marketplace-webhooks/1"

const keptText = (chunks: ReadonlyArray<Buffer>): string => {
  const text = new TextDecoder().decode(Buffer.concat(chunks).subarray(0, readBytes), { stream: true })
  const characters = text.length > keptBody ? Array.from(text).slice(0, keptBody).join("") : text
  return characters.replaceAll("\0", "")
}

const open = (agents: ReceiverAgents, { body, headers, url: text }: SendRequest): ClientRequest => {
  const url = new URL(text)
  const agent = agents.agentFor(url)
  const host = hostOf(url)
  const send = url.protocol === "http:" ? plainRequest : secureRequest
  const request = send({
    method: "POST",
    agent,
    host,
    port: url.port === "" ? undefined : Number(url.port),
    path: `${url.pathname}${url.search}`,
    // The certificate is checked against the name in the URL, not against the address that is connected to.
    ...(isIP(host) === 0 ? { servername: host } : {}),
    headers: { host: url.host, "user-agent": userAgent, ...headers, "content-length": String(Buffer.byteLength(body)) }
  })
  request.end(body)
  return request
}

/** Collects the start of a response. A longer one is cut off and its connection closed. */
const readBeginning = (response: IncomingMessage, done: (text: string) => void): (() => string) => {
  const chunks: Array<Buffer> = []
  let length = 0
  const end = () => done(keptText(chunks))
  response.on("data", (chunk: Buffer) => {
    chunks.push(chunk)
    length += chunk.length
    if (length < readBytes) return
    end()
    response.destroy()
  })
  response.once("end", end)
  // The status has arrived, so a response that breaks off still counts.
  response.on("error", end)
  response.once("close", end)
  return () => keptText(chunks)
}

type Outcome = SendOutcome extends infer O ? (O extends SendOutcome ? Omit<O, "durationMs"> : never) : never

const answered = (response: IncomingMessage, body: string) => (): Outcome => ({
  _tag: "Answered",
  statusCode: response.statusCode ?? 0,
  retryAfter: response.headers["retry-after"] ?? null,
  body
})

/**
 * Posts once and reports one outcome; never fails. The status decides: a response that is too long, breaks off or has not ended at the
 * timeout counts with the part that arrived. Returns a function that cancels the request.
 */
export const postToReceiver = (
  agents: ReceiverAgents,
  options: SendRequest,
  answer: (outcome: SendOutcome) => void
): (() => void) => {
  const started = performance.now()
  let over = false
  let request: ClientRequest | undefined
  let response: IncomingMessage | undefined
  let soFar = (): string => ""

  const finish = (outcome: () => Outcome) => {
    if (over) return
    over = true
    clearTimeout(timer)
    answer({ ...outcome(), durationMs: Math.round(performance.now() - started) })
  }
  const fail = (error: string) => finish(() => ({ _tag: "Failed", error }))
  const timer = setTimeout(() => {
    if (response === undefined) fail(`no response within ${options.timeoutMs / 1000} s`)
    else finish(answered(response, soFar()))
    request?.destroy()
  }, options.timeoutMs)

  const attempt = (first: boolean) => {
    try {
      request = open(agents, options)
    } catch (error) {
      return fail(receiverFault(error))
    }
    const current = request
    current.once("response", (message) => {
      response = message
      soFar = readBeginning(message, (text) => finish(answered(message, text)))
    })
    current.on("error", (error: NodeJS.ErrnoException) => {
      if (over || response !== undefined) return
      // A receiver may close an idle connection at the very moment it is used again.
      const closedWhileIdle = current.reusedSocket && (error.code === "ECONNRESET" || error.code === "EPIPE")
      if (first && closedWhileIdle) attempt(false)
      else fail(receiverFault(error))
    })
  }
  attempt(true)
  return () => {
    over = true
    clearTimeout(timer)
    request?.destroy()
  }
}
