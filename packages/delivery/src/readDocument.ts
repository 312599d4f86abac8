import type { IncomingMessage } from "node:http"
import { request as plainRequest } from "node:http"
import { request as secureRequest } from "node:https"
import { isIP } from "node:net"
import { hostOf } from "./ReceiverAddressRules.ts"
import type { ReceiverAgents } from "./ReceiverAgents.ts"
import { receiverFault } from "./receiverFault.ts"

/** Milliseconds for the whole request, and the bytes that are read. */
const timeout = 5000
const maxBytes = 8192

/** The callbacks of a request for a document. */
export interface DocumentOutcome {
  readonly found: (document: unknown) => void
  /** Completes the sentence "the document …". */
  readonly failed: (reason: string) => void
}

const isJson = ({ headers }: IncomingMessage): boolean =>
  /^application\/(?:[a-z0-9.+-]+\+)?json(?:\s*;|$)/i.test(headers["content-type"] ?? "")

/** `text` is read whatever its media type is. */
type DocumentFormat = "json" | "text"

const parsed = (bytes: Buffer, format: DocumentFormat): { readonly document: unknown } | undefined => {
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes)
    return { document: format === "text" ? text : JSON.parse(text) }
  } catch {
    return undefined
  }
}

const open = (agents: ReceiverAgents, text: string, format: DocumentFormat) => {
  const url = new URL(text)
  const agent = agents.agentFor(url)
  const host = hostOf(url)
  return (url.protocol === "http:" ? plainRequest : secureRequest)({
    method: "GET",
    agent,
    host,
    port: url.port === "" ? undefined : Number(url.port),
    path: `${url.pathname}${url.search}`,
    // The certificate is checked against the name in the URL, not against the address that is connected to.
    ...(isIP(host) === 0 ? { servername: host } : {}),
    headers: {
      host: url.host,
      accept: format === "text" ? "text/plain" : "application/json",
      "user-agent": format === "text" ? "agent-marketplace-domains/1" : "agent-marketplace-oauth/1"
    }
  })
}

/** Reads the response; `done` gets the document or a reason. */
const read = (response: IncomingMessage, format: DocumentFormat, done: DocumentOutcome): void => {
  if (response.statusCode !== 200) return done.failed(`was answered with the status ${response.statusCode ?? 0}`)
  if (format === "json" && !isJson(response)) return done.failed("is not JSON")
  const chunks: Array<Buffer> = []
  let length = 0
  response.on("data", (chunk: Buffer) => {
    chunks.push(chunk)
    length += chunk.length
    if (length > maxBytes) done.failed(`is larger than ${maxBytes} bytes`)
  })
  response.once("end", () => {
    const found = parsed(Buffer.concat(chunks), format)
    if (found === undefined) done.failed(format === "text" ? "is not text" : "is not JSON")
    else done.found(found.document)
  })
  response.once("error", () => done.failed("ended early"))
}

/** Requests a document once. A redirect is a failure. Returns a function that cancels the request. */
export const readDocument = (
  agents: ReceiverAgents,
  url: string,
  outcome: DocumentOutcome,
  format: DocumentFormat = "json"
): (() => void) => {
  let over = false
  let request: ReturnType<typeof open> | undefined
  const finish = (report: () => void) => {
    if (over) return
    over = true
    clearTimeout(timer)
    report()
    request?.destroy()
  }
  const failed = (reason: string) => finish(() => outcome.failed(reason))
  const timer = setTimeout(() => failed(`did not arrive within ${timeout / 1000} s`), timeout)
  try {
    request = open(agents, url, format)
  } catch (error) {
    failed(`cannot be read: ${receiverFault(error)}`)
    return () => {}
  }
  request.once("response", (response) => {
    read(response, format, { found: (document) => finish(() => outcome.found(document)), failed })
  })
  request.on("error", (error) => failed(`cannot be read: ${receiverFault(error)}`))
  request.end()
  return () => finish(() => {})
}
