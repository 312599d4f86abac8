import type { Marketplace } from "@agent-marketplace/client"
import { Context, Effect, Layer } from "effect"
import type { Scope } from "effect"
import { Connections } from "./protocol/Connections.ts"
import type { Connection } from "./protocol/Connections.ts"
import { JsonRpc } from "./protocol/JsonRpc.ts"
import type { JsonRpcAnswer, JsonRpcMessage } from "./protocol/JsonRpc.ts"
import { MarketMcpServer } from "./protocol/MarketMcpServer.ts"
import { headerViolation, revisionOf } from "./protocol/RequestMetadata.ts"
import { version } from "./version.ts"

export interface McpEndpointOptions {
  /** Origins whose pages may call, such as `https://market.example.com`; requests from other origins are refused. */
  readonly origins: ReadonlyArray<string>
  /** The market's address for people, where its page of an approval is; undefined if it has no pages. */
  readonly baseUrl?: string | undefined
}

export interface McpEndpoint {
  /** Answers one request of the streamable HTTP transport. `connect` creates the client for the request's key. */
  readonly answer: (request: Request, connect: (apiKey: string) => Marketplace) => Effect.Effect<Response>
}

/** The revision of a client that states none: the newest one whose clients initialize. */
const [newestInitialized = ""] = MarketMcpServer.initializedVersions

const refused = (status: number, message: string, headers: Readonly<Record<string, string>> = {}): Response =>
  Response.json(JsonRpc.invalid(null, message), { status, headers })

type Message = Extract<JsonRpcMessage, { readonly _tag: "Request" }>

const isSupported = (version: string): boolean => MarketMcpServer.versions.includes(version)

/** The key of `Authorization: Bearer`, which is valid for this request only (MCP-2). */
const keyOf = (request: Request): string | undefined =>
  /^bearer +([^\s,]+)$/i.exec(request.headers.get("authorization") ?? "")?.[1]

/** Otherwise a page of another origin could reach a server on a private network by DNS rebinding. */
const objection = (request: Request, { origins }: McpEndpointOptions): Response | undefined => {
  const origin = request.headers.get("origin")
  if (origin !== null && !origins.includes(origin)) return refused(403, "This origin is not allowed")
  return request.method === "POST" ? undefined : refused(405, "Messages are sent with POST", { allow: "POST" })
}

/** The reason to refuse a message: its revision is not supported, or its headers contradict it. */
const violation = (message: JsonRpcMessage, { headers }: Request): JsonRpcAnswer | undefined => {
  const id = message._tag === "Request" ? message.id : null
  const revision = message._tag === "Request" ? revisionOf(message.params) : undefined
  const unsupported = [headers.get("mcp-protocol-version"), revision].find(
    (stated) => typeof stated === "string" && !isSupported(stated)
  )
  if (typeof unsupported === "string") return JsonRpc.unsupported(id, unsupported, MarketMcpServer.versions)
  if (message._tag !== "Request") return undefined
  const contradiction = headerViolation(message, headers)
  return contradiction === undefined ? undefined : JsonRpc.headerMismatch(message.id, contradiction)
}

/** Large enough for a SOUL's content: 4 MiB. */
const maxBytes = 4 * 1_048_576

/** The body as text; undefined if it is too large. */
const bodyOf = async ({ body }: Request): Promise<string | undefined> => {
  const decoder = new TextDecoder()
  let text = ""
  let size = 0
  for await (const chunk of body ?? []) {
    size += chunk.byteLength
    if (size > maxBytes) return undefined
    text += decoder.decode(chunk, { stream: true })
  }
  return text + decoder.decode()
}

const initialize = (protocolVersion: string): JsonRpcMessage => ({
  _tag: "Request",
  id: "initialize",
  method: "initialize",
  params: { protocolVersion, capabilities: {}, clientInfo: { name: "http", version } }
})

/** Since 2026-07-28 a request needs no initialization. The clients of older revisions send the negotiated one with each request; the server stores none. */
const speak = (connection: Connection, message: Message, request: Request) =>
  message.method === "initialize" || revisionOf(message.params) !== undefined
    ? connection.exchange(message)
    : Effect.andThen(
        connection.exchange(initialize(request.headers.get("mcp-protocol-version") ?? newestInitialized)),
        connection.exchange(message)
      )

const methodNotFound = -32601

/** Since 2026-07-28 errors of the protocol have a status of their own (MCP-8). */
const statusOf = (answer: JsonRpcAnswer, { params }: Message): number => {
  if (revisionOf(params) === undefined || !("error" in answer)) return 200
  return answer.error.code === methodNotFound ? 404 : 400
}

/**
 * The streamable HTTP transport of MCP without sessions: each request opens a connection that ends with its response.
 * So no state is kept for a caller, callers cannot be confused, and any process may respond.
 */
export const McpEndpoint = {
  make: (options: McpEndpointOptions): Effect.Effect<McpEndpoint, never, Scope.Scope> =>
    Effect.gen(function* () {
      const connections = Context.get(yield* Layer.build(MarketMcpServer.layer), Connections)

      const answer: McpEndpoint["answer"] = Effect.fnUntraced(function* (request, connect) {
        const against = objection(request, options)
        if (against !== undefined) return against
        const apiKey = keyOf(request)
        if (apiKey === undefined) return refused(401, "An API key is required", { "www-authenticate": "Bearer" })
        const text = yield* Effect.promise(() => bodyOf(request))
        if (text === undefined) return refused(413, `The message is longer than ${maxBytes} bytes`)
        const message = JsonRpc.read(text)
        if (message._tag === "Invalid") return Response.json(message.answer, { status: 400 })
        const invalid = violation(message, request)
        if (invalid !== undefined) return Response.json(invalid, { status: 400 })
        if (message._tag !== "Request") return new Response(null, { status: 202 })
        const connection = yield* connections.open(connect(apiKey), options.baseUrl)
        const answered = (yield* speak(connection, message, request)) ?? JsonRpc.internal(message.id)
        return Response.json(answered, { status: statusOf(answered, message) })
      }, Effect.scoped)

      return { answer }
    }).pipe(Effect.orDie)
}
