import type { ClientRequest, IncomingMessage } from "node:http"
import { request as plainRequest } from "node:http"
import { request as secureRequest } from "node:https"
import { isIP } from "node:net"
import { receiverFault } from "./receiverFault.ts"
import type { ReceiverAgents } from "./ReceiverAgents.ts"
import { hostOf } from "./TargetRules.ts"

export interface ReceiverRequest {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  /** What connection and answer together may take. */
  readonly timeoutMillis: number
}

/** What came back. `statusCode` is null where no answer began in time; then `error` says why. */
export interface ReceiverAnswer {
  readonly statusCode: number | null
  readonly error: string | null
  readonly retryAfter: string | null
  /** The first 2,048 characters, as far as they came; null where no answer began. */
  readonly responseBody: string | null
  readonly durationMillis: number
}

/** Contract 6. */
const keptCharacters = 2048

/** Enough bytes for the characters that are kept, whatever they are. */
const readBytes = keptCharacters * 4

const userAgent = "agent-marketplace-webhooks/1"

/** A NUL is no text to a database, and half a character none at all. */
const keptText = (chunks: ReadonlyArray<Buffer>): string => {
  const text = new TextDecoder().decode(Buffer.concat(chunks).subarray(0, readBytes), { stream: true })
  const characters = text.length > keptCharacters ? Array.from(text).slice(0, keptCharacters).join("") : text
  return characters.replaceAll("\0", "\uFFFD")
}

const begin = (agents: ReceiverAgents, { body, headers, url: text }: ReceiverRequest): ClientRequest => {
  const url = new URL(text)
  const agent = agents.agentFor(url)
  const host = hostOf(url)
  const open = url.protocol === "http:" ? plainRequest : secureRequest
  const request = open({
    method: "POST",
    agent,
    host,
    port: url.port === "" ? undefined : Number(url.port),
    path: `${url.pathname}${url.search}`,
    // The certificate is held to the name of the URL, not to the address that is connected to.
    ...(isIP(host) === 0 ? { servername: host } : {}),
    headers: { host: url.host, "user-agent": userAgent, ...headers, "content-length": String(Buffer.byteLength(body)) }
  })
  request.end(body)
  return request
}

/** Gathers the beginning of an answer; what is longer is cut off, and its connection closed. */
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
  // Whatever ends an answer early, its status has been said.
  response.on("error", end)
  response.once("close", end)
  return () => keptText(chunks)
}

/**
 * Posts once and answers once; never fails. The status decides: an answer that is too long, breaks off or has not ended when the time
 * is over counts with what came of it. Redirects are not followed. The result cancels.
 */
export const postToReceiver = (
  agents: ReceiverAgents,
  options: ReceiverRequest,
  answer: (answer: ReceiverAnswer) => void
): (() => void) => {
  const started = performance.now()
  let over = false
  let request: ClientRequest | undefined
  let response: IncomingMessage | undefined
  let soFar = (): string => ""

  const finish = (error: string | null, responseBody: string | null) => {
    if (over) return
    over = true
    clearTimeout(timer)
    const retryAfter = response?.headers["retry-after"] ?? null
    const statusCode = response?.statusCode ?? null
    answer({ statusCode, error, retryAfter, responseBody, durationMillis: performance.now() - started })
  }
  const cancel = () => {
    over = true
    clearTimeout(timer)
    request?.destroy()
  }
  const timer = setTimeout(() => {
    if (response === undefined) finish(`no answer within ${options.timeoutMillis / 1000} s`, null)
    else finish(null, soFar())
    request?.destroy()
  }, options.timeoutMillis)

  const attempt = (first: boolean) => {
    try {
      request = begin(agents, options)
    } catch (error) {
      return finish(receiverFault(error), null)
    }
    const current = request
    current.once("response", (message) => {
      response = message
      soFar = readBeginning(message, (text) => finish(null, text))
    })
    current.on("error", (error: NodeJS.ErrnoException) => {
      if (over || response !== undefined) return
      // A receiver may close an idle connection at the very moment it is used again.
      const closedWhileIdle = current.reusedSocket && (error.code === "ECONNRESET" || error.code === "EPIPE")
      if (first && closedWhileIdle) attempt(false)
      else finish(receiverFault(error), null)
    })
  }
  attempt(true)
  return cancel
}
