import { Context, Effect, Result } from "effect"
import { request as plainRequest } from "node:http"
import type { ClientRequest, IncomingMessage } from "node:http"
import { request as secureRequest } from "node:https"
import { gunzip } from "node:zlib"

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

/** The maximum length of a response, in bytes. The results of a full block take a few million. */
export const longestResponse = 16 * 2 ** 20

const retryAfter = (value: unknown): number | undefined => {
  const seconds = Number(value)
  return Number.isFinite(seconds) && seconds > 0 ? seconds * 1000 : undefined
}

/** A longer response is not an error message. */
const longestMessage = 500

/** TRON's message for too many requests is sent with status 200. */
const isOverloaded = (bytes: Buffer) =>
  bytes.length < longestMessage && bytes[0] === 0x7b && bytes.includes("lack of computing resources")

/** A node's response, with any status. */
export interface NodeResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, string | ReadonlyArray<string> | undefined>>
  readonly bytes: Buffer
}

/** The body of a successful response, or the fault that the response reports. */
export const bytesOf = ({ bytes, headers, status }: NodeResponse): Result.Result<Buffer, NodeFault> => {
  if (status !== 200) return Result.fail(new NodeFault(`status ${status}`, status, retryAfter(headers["retry-after"])))
  return isOverloaded(bytes) ? Result.fail(new NodeFault("overloaded", 503)) : Result.succeed(bytes)
}

type Done = (bytes: Buffer) => void
type Fail = (reason: string) => void

const tooLong = `the response has more than ${longestResponse / 2 ** 20} MB`

/** The code of a failed connection, such as ECONNREFUSED. Messages are not shown: they may quote the URL. */
const unreached = (cause: unknown): string =>
  cause instanceof Error && "code" in cause && typeof cause.code === "string" && /^[A-Z0-9_]{1,60}$/.test(cause.code)
    ? `not reached (${cause.code})`
    : "not reached"

/** A failed response has no body that is used, so its body is not decompressed. */
const decompressed = ({ headers, statusCode }: IncomingMessage, bytes: Buffer, done: Done, fail: Fail): void => {
  const encoding = headers["content-encoding"]?.toLowerCase() ?? "identity"
  if (statusCode !== 200 || encoding === "identity") return done(bytes)
  if (encoding !== "gzip" && encoding !== "x-gzip") return fail("the response has an unknown content-encoding")
  gunzip(bytes, { maxOutputLength: longestResponse }, (error, found) => {
    if (error === null) done(found)
    else fail("code" in error && error.code === "ERR_BUFFER_TOO_LARGE" ? tooLong : "the response is not valid gzip")
  })
}

/** Calls `done` with the complete body, or `fail` with the reason why there is none. */
const read = (response: IncomingMessage, done: Done, fail: Fail): void => {
  const chunks: Array<Buffer> = []
  let length = 0
  response.on("error", () => fail("the response broke off"))
  response.on("data", (chunk: Buffer) => {
    length += chunk.length
    if (length <= longestResponse) chunks.push(chunk)
    else fail(tooLong)
  })
  response.on("end", () => decompressed(response, Buffer.concat(chunks, length), done, fail))
}

/** Sends the request. Throws if the URL or a header is invalid. */
const send = (text: string, body: string, headers: Record<string, string>): ClientRequest => {
  const url = new URL(text)
  const request = url.protocol === "https:" ? secureRequest : plainRequest
  const own = { accept: "application/json", "accept-encoding": "gzip", "user-agent": "agent-marketplace" }
  const length = { "content-length": Buffer.byteLength(body) }
  return request(url, { method: "POST", headers: { ...own, ...headers, ...length } }).end(body)
}

/**
 * Posts a JSON body. Redirects are not followed. `limit`: the time limit for the complete response, in milliseconds. For large responses `node:http`
 * takes half the processor time of `fetch`, which matters while a scanner catches up.
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
    const timer = setTimeout(() => fail("no response in time"), limit)
    try {
      request = send(url, JSON.stringify(body), headers)
    } catch {
      return fail("the URL or a header is invalid")
    }
    request.on("error", (cause) => fail(unreached(cause)))
    request.on("upgrade", () => fail("status 101"))
    request.on("response", (response) => {
      const done = (bytes: Buffer) => {
        clearTimeout(timer)
        const found = Effect.succeed({ status: response.statusCode ?? 0, headers: response.headers, bytes })
        // A moment later, when the connection can be used again.
        process.nextTick(() => resume(found))
      }
      read(response, done, fail)
    })
    return Effect.sync(stop)
  })

/** Sends requests to nodes. Tests that send millions of requests replace it. */
export const NodeTransport = Context.Reference<typeof postToNode>("@agent-marketplace/tron/nodes/NodeTransport", {
  defaultValue: () => postToNode
})
