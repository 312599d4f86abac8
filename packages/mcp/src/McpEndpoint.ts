import type { Marketplace } from "@agent-marketplace/client"
import { Context, Effect, Layer } from "effect"
import type { Scope } from "effect"
import { Connections } from "./protocol/Connections.ts"
import type { Connection } from "./protocol/Connections.ts"
import { JsonRpc } from "./protocol/JsonRpc.ts"
import type { JsonRpcMessage } from "./protocol/JsonRpc.ts"
import { MarketMcpServer } from "./protocol/MarketMcpServer.ts"
import { version } from "./version.ts"

export interface McpEndpointOptions {
  /** Where pages may call from, `https://market.example.com`; requests that name another origin are refused. */
  readonly origins: ReadonlyArray<string>
}

export interface McpEndpoint {
  /** Answers one request of the streamable HTTP transport. `connect` makes the market of whoever's key the request carries. */
  readonly answer: (request: Request, connect: (apiKey: string) => Marketplace) => Effect.Effect<Response>
}

const [newest = ""] = MarketMcpServer.versions

const refused = (status: number, message: string, headers: Readonly<Record<string, string>> = {}): Response =>
  Response.json(JsonRpc.invalid(null, message), { status, headers })

const isSpoken = (asked: string): boolean => MarketMcpServer.versions.includes(asked)

/** `Authorization: Bearer`, once; the caller of this request and of no other (MCP-2). */
const keyOf = (request: Request): string | undefined =>
  /^bearer +([^\s,]+)$/i.exec(request.headers.get("authorization") ?? "")?.[1]

/** No browser page but our own may reach a server on a private network through a name that it controls. */
const objection = (request: Request, { origins }: McpEndpointOptions): Response | undefined => {
  const origin = request.headers.get("origin")
  if (origin !== null && !origins.includes(origin)) return refused(403, "This origin may not call")
  if (request.method !== "POST") return refused(405, "Messages are sent with POST", { allow: "POST" })
  const asked = request.headers.get("mcp-protocol-version")
  return asked === null || isSpoken(asked)
    ? undefined
    : Response.json(JsonRpc.unsupported(asked, MarketMcpServer.versions), { status: 400 })
}

/** As much as a SOUL's content may need, in bytes: 4 MiB. */
const maxBytes = 4 * 1_048_576

/** The body as text; undefined where it is longer than it may be. */
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

/** What the client has negotiated before is in its header: nothing of it is kept here. */
const speak = (connection: Connection, message: JsonRpcMessage, request: Request) =>
  message._tag === "Request" && message.method === "initialize"
    ? connection.exchange(message)
    : Effect.andThen(
        connection.exchange(initialize(request.headers.get("mcp-protocol-version") ?? newest)),
        connection.exchange(message)
      )

/**
 * The streamable HTTP transport of MCP without sessions: each request is a connection of its own that ends with its answer.
 * So nothing is kept for a caller, no caller can take another's place, and any process may answer.
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
        if (message._tag !== "Request") return new Response(null, { status: 202 })
        const connection = yield* connections.open(connect(apiKey))
        return Response.json((yield* speak(connection, message, request)) ?? JsonRpc.internal(message.id))
      }, Effect.scoped)

      return { answer }
    }).pipe(Effect.orDie)
}
