import { Context, Effect, Result } from "effect"
import { request as plainRequest } from "node:http"
import type { ClientRequest, IncomingMessage } from "node:http"
import { request as secureRequest } from "node:https"
import { createGunzip } from "node:zlib"

const overloadedStatus = new Set([403, 429, 503])

/** A failed request to a node. `rest` is the pause that the node requested, in milliseconds; undefined for the default. */
export class NodeFault {
  readonly reason: string
  readonly status: number | undefined
  readonly rest: number | undefined
  readonly overloaded: boolean
  constructor(reason: string, status?: number, rest?: number) {
    this.reason = reason
    this.status = status
    this.rest = rest
    this.overloaded = status !== undefined && overloadedStatus.has(status)
  }
}

/** The maximum length of an answer, in bytes. The results of a full block have a few million. */
export const longestAnswer = 64 * 2 ** 20

const retryAfter = (value: unknown): number | undefined => {
  const seconds = Number(value)
  return Number.isFinite(seconds) && seconds > 0 ? seconds * 1000 : undefined
}

/** A longer response is not an error message. */
const longestMessage = 500

/** TRON's message for too many requests is sent with status 200. */
const isOverloaded = (bytes: Buffer) =>
  bytes.length < longestMessage && bytes[0] === 0x7b && bytes.includes("lack of computing resources")

/** A response of a node, whatever its status. */
export interface NodeResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, string | ReadonlyArray<string> | undefined>>
  readonly bytes: Buffer
}

/** The body of a response that is not an error. */
export const bytesOf = ({ bytes, headers, status }: NodeResponse): Result.Result<Buffer, NodeFault> => {
  if (status !== 200) return Result.fail(new NodeFault(`status ${status}`, status, retryAfter(headers["retry-after"])))
  return isOverloaded(bytes) ? Result.fail(new NodeFault("overloaded", 503)) : Result.succeed(bytes)
}

/** Passes on the whole body, or why it did not arrive. */
const read = (response: IncomingMessage, done: (bytes: Buffer) => void, fail: (reason: string) => void): void => {
  const broken = () => fail("not reached")
  response.on("error", broken)
  const isCompressed = response.headers["content-encoding"] === "gzip"
  const body = isCompressed ? response.pipe(createGunzip()).on("error", broken) : response
  const chunks: Array<Buffer> = []
  let length = 0
  body.on("data", (chunk: Buffer) => {
    length += chunk.length
    if (length <= longestAnswer) chunks.push(chunk)
    else fail("the answer is too long")
  })
  body.on("end", () => done(Buffer.concat(chunks, length)))
}

/** Throws for a URL or a header that no request can have. */
const open = (url: string, text: string, headers: Record<string, string>): ClientRequest => {
  const send = url.startsWith("https:") ? secureRequest : plainRequest
  const length = { "accept-encoding": "gzip", "content-length": Buffer.byteLength(text) }
  return send(url, { method: "POST", headers: { ...headers, ...length } }).end(text)
}

/**
 * Posts a JSON body. Redirects are not followed. `limit`: the time until the response must be complete, in
 * milliseconds. `fetch` would take twice the processor time for the megabytes of a scanner that catches up.
 */
export const postToNode = (
  url: string,
  body: object,
  headers: Record<string, string>,
  limit: number
): Effect.Effect<NodeResponse, NodeFault> =>
  Effect.callback((resume) => {
    let request: ClientRequest | undefined
    const stop = () => {
      clearTimeout(timer)
      request?.destroy()
    }
    const fail = (reason: string) => {
      stop()
      resume(Effect.fail(new NodeFault(reason)))
    }
    const timer = setTimeout(() => fail("no answer"), limit)
    try {
      request = open(url, JSON.stringify(body), headers)
    } catch {
      return fail("not reached")
    }
    request.on("error", () => fail("not reached"))
    request.on("response", (response) => {
      const done = (bytes: Buffer) => {
        clearTimeout(timer)
        resume(Effect.succeed({ status: response.statusCode ?? 0, headers: response.headers, bytes }))
      }
      read(response, done, fail)
    })
    return Effect.sync(stop)
  })

/** How nodes are reached; tests replace it where they have millions of requests. */
export const NodeTransport = Context.Reference<typeof postToNode>("@agent-marketplace/tron/nodes/NodeTransport", {
  defaultValue: () => postToNode
})
