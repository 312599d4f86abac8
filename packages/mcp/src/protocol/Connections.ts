import type { Marketplace } from "@agent-marketplace/client"
import { Context, Deferred, Effect, Layer, Queue } from "effect"
import type { Scope } from "effect"
import { RpcMessage, RpcSerialization, RpcServer } from "effect/rpc"
import { JsonRpc } from "./JsonRpc.ts"
import type { JsonRpcAnswer, JsonRpcFault, JsonRpcId, JsonRpcMessage } from "./JsonRpc.ts"

/** One client's conversation with the MCP server. */
export interface Connection {
  /** Answers a message; with nothing where it wants no answer, or was cancelled by a later one. Answers need not come in order. */
  readonly exchange: (message: JsonRpcMessage) => Effect.Effect<JsonRpcAnswer | void>
}

interface Client {
  readonly market: Marketplace
  isInitialized: boolean
  readonly pending: Map<string, Deferred.Deferred<JsonRpcAnswer | void>>
}

/** The ids 1 and "1" are two. */
const keyOf = (id: unknown): string => `${typeof id}:${String(id)}`

const cancelled = "notifications/cancelled"

const isFault = (value: unknown): value is JsonRpcFault =>
  typeof value === "object" && value !== null && "code" in value && "message" in value

const answerOf = ({ exit, requestId }: RpcMessage.ResponseExitEncoded): JsonRpcAnswer => {
  const id = requestId as JsonRpcId
  if (exit._tag === "Success") return JsonRpc.succeeded(id, exit.value)
  const failure = exit.cause.find((reason) => reason._tag === "Fail")
  if (failure === undefined || !isFault(failure.error)) return JsonRpc.internal(id)
  const { code, data, message } = failure.error
  return JsonRpc.failed(id, data === undefined ? { code, message } : { code, message, data })
}

/** Who has to be told, and what; what the server sends unasked goes to nobody. */
const deliver = (client: Client | undefined, response: RpcMessage.FromServerEncoded): void => {
  if (client === undefined) return
  if (response._tag === "Exit") {
    const waiting = client.pending.get(keyOf(response.requestId))
    if (waiting !== undefined) Deferred.doneUnsafe(waiting, Effect.succeed(answerOf(response)))
  } else if (response._tag === "Defect") {
    for (const [key, waiting] of client.pending) {
      const [kind, ...rest] = key.split(":")
      const id = kind === "number" ? Number(rest.join(":")) : rest.join(":")
      Deferred.doneUnsafe(waiting, Effect.succeed(JsonRpc.internal(id)))
    }
  }
}

/**
 * The transport below effect's MCP server: connections in this process, each for one caller, that hold nothing once their
 * scope has closed.
 */
export class Connections extends Context.Service<
  Connections,
  {
    readonly open: (market: Marketplace) => Effect.Effect<Connection, never, Scope.Scope>
    /** The caller's market, by the id that a request's context names its connection with. */
    readonly marketOf: (clientId: number) => Marketplace | undefined
  }
>()("@agent-marketplace/mcp/protocol/Connections") {
  static readonly layer: Layer.Layer<Connections | RpcServer.Protocol> = Layer.effectContext(
    Effect.gen(function* () {
      const clients = new Map<number, Client>()
      const disconnects = yield* Queue.make<number>()
      // Else the server would take what a caller's own HTTP request brings along for its transport, and open a session on it.
      const services = yield* Effect.context<never>()
      let write: (clientId: number, message: RpcMessage.FromClientEncoded) => Effect.Effect<void> = () => Effect.void
      let opened = 0

      const protocol = yield* RpcServer.Protocol.make((writeRequest) => {
        write = (clientId, message) => Effect.updateContext(writeRequest(clientId, message), () => services)
        return Effect.succeed({
          disconnects,
          send: (clientId: number, response: RpcMessage.FromServerEncoded) =>
            Effect.sync(() => deliver(clients.get(clientId), response)),
          end: () => Effect.void,
          clientIds: Effect.sync(() => new Set(clients.keys())),
          initialMessage: Effect.succeedNone,
          supportsAck: false,
          supportsTransferables: false,
          supportsSpanPropagation: false,
          supportsNotifications: true,
          codecFor: RpcSerialization.jsonRpc().codecFor
        })
      })

      const ask = (clientId: number, client: Client, id: JsonRpcId, method: string, params: unknown) =>
        Effect.suspend(() => {
          const { pending } = client
          const key = keyOf(id)
          if (method === "initialize") client.isInitialized = true
          else if (!client.isInitialized && method !== "ping") {
            return Effect.succeed(JsonRpc.invalid(id, "Send initialize first"))
          }
          if (pending.has(key)) return Effect.succeed(JsonRpc.invalid(id, "A request with this id is under way"))
          const waiting = Deferred.makeUnsafe<JsonRpcAnswer | void>()
          pending.set(key, waiting)
          return write(clientId, { _tag: "Request", id, tag: method, payload: params ?? null, headers: [] }).pipe(
            Effect.andThen(Deferred.await(waiting)),
            Effect.onInterrupt(() => write(clientId, { _tag: "Interrupt", requestId: RpcMessage.RequestId(id) })),
            Effect.ensuring(Effect.sync(() => pending.delete(key)))
          )
        })

      const tell = (clientId: number, { pending }: Client, method: string, params: unknown) =>
        write(clientId, {
          _tag: "Request",
          id: "",
          tag: method,
          payload: params ?? null,
          headers: [],
          isNotification: true
        }).pipe(
          Effect.andThen(
            Effect.sync(() => {
              const id = (params as { readonly requestId?: unknown } | undefined)?.requestId
              const waiting = method === cancelled ? pending.get(keyOf(id)) : undefined
              if (waiting !== undefined) Deferred.doneUnsafe(waiting, Effect.void)
            })
          )
        )

      const open = (market: Marketplace) =>
        Effect.gen(function* () {
          opened += 1
          const clientId = opened
          const client: Client = { market, isInitialized: false, pending: new Map() }
          clients.set(clientId, client)
          yield* Effect.addFinalizer(() =>
            Effect.suspend(() => {
              clients.delete(clientId)
              // The end lets the server forget the connection; the disconnect stops what it still does for it.
              return Effect.andThen(write(clientId, { _tag: "Eof" }), Queue.offer(disconnects, clientId))
            })
          )
          const exchange = (message: JsonRpcMessage): Effect.Effect<JsonRpcAnswer | void> => {
            switch (message._tag) {
              case "Request":
                return ask(clientId, client, message.id, message.method, message.params)
              case "Notification":
                return tell(clientId, client, message.method, message.params)
              case "Invalid":
                return Effect.succeed(message.answer)
              case "Response":
                return Effect.void
            }
          }
          return { exchange }
        })

      return Context.make(
        Connections,
        Connections.of({ open, marketOf: (clientId) => clients.get(clientId)?.market })
      ).pipe(Context.add(RpcServer.Protocol, protocol))
    })
  )
}
