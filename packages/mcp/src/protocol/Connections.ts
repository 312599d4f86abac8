import type { Marketplace } from "@agent-marketplace/client"
import { Context, Deferred, Effect, Layer, Queue } from "effect"
import type { Scope } from "effect"
import { RpcMessage, RpcSerialization, RpcServer } from "effect/rpc"
import { JsonRpc } from "./JsonRpc.ts"
import { revisionOf } from "./RequestMetadata.ts"
import { skillMethod } from "../skills/skillMethods.ts"
import type { JsonRpcAnswer, JsonRpcFault, JsonRpcId, JsonRpcMessage } from "./JsonRpc.ts"

/** The connection of one client to the MCP server. */
export interface Connection {
  /** The response to a message; undefined for a notification and for a request that a later message cancels. Responses may come out of order. */
  readonly exchange: (message: JsonRpcMessage) => Effect.Effect<JsonRpcAnswer | void>
}

interface Pending {
  /** The client's id; the server gets an id that is never reused. */
  readonly id: JsonRpcId
  readonly answered: Deferred.Deferred<JsonRpcAnswer | void>
}

interface Client {
  readonly market: Marketplace
  readonly baseUrl: string | undefined
  isInitialized: boolean
  readonly pending: Map<unknown, Pending>
}

type Write = (clientId: number, message: RpcMessage.FromClientEncoded) => Effect.Effect<void>

const cancelled = "notifications/cancelled"

const isFault = (value: unknown): value is JsonRpcFault =>
  typeof value === "object" && value !== null && "code" in value && "message" in value

const answerOf = (id: JsonRpcId, exit: RpcMessage.ResponseExitEncoded["exit"]): JsonRpcAnswer => {
  if (exit._tag === "Success") return JsonRpc.succeeded(id, exit.value)
  const failure = exit.cause.find((reason) => reason._tag === "Fail")
  if (failure === undefined || !isFault(failure.error)) return JsonRpc.internal(id)
  const { code, data, message } = failure.error
  return JsonRpc.failed(id, data === undefined ? { code, message } : { code, message, data })
}

const settle = ({ answered }: Pending, answer?: JsonRpcAnswer): void =>
  void Deferred.doneUnsafe(answered, Effect.succeed(answer))

/** Messages that the server initiates have no receiver. */
const deliver = (client: Client | undefined, response: RpcMessage.FromServerEncoded): void => {
  if (client === undefined) return
  if (response._tag === "Exit") {
    const pending = client.pending.get(response.requestId)
    if (pending !== undefined) settle(pending, answerOf(pending.id, response.exit))
  } else if (response._tag === "Defect") {
    for (const pending of client.pending.values()) settle(pending, JsonRpc.internal(pending.id))
  }
}

/** The protocol of Effect's MCP server, over clients in this process. */
const makeProtocol = (clients: ReadonlyMap<number, Client>, disconnects: Queue.Dequeue<number>) => {
  let write: Write = () => Effect.void
  const protocol = RpcServer.Protocol.make((writeRequest) => {
    write = writeRequest
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
      supportsNotifications: false,
      codecFor: RpcSerialization.jsonRpc().codecFor
    })
  })
  return Effect.map(protocol, (made) => ({ protocol: made, write: ((...args) => write(...args)) satisfies Write }))
}

const notification = (tag: string, params: unknown): RpcMessage.FromClientEncoded => ({
  _tag: "Request",
  id: "",
  tag,
  payload: params ?? null,
  headers: [],
  isNotification: true
})

/** Cancels a request, by the server's id. */
const cancel = (client: Client, clientId: number, params: unknown, write: Write) => {
  const id = (params as { readonly requestId?: unknown } | null | undefined)?.requestId
  const matching = [...client.pending].filter(([, pending]) => pending.id === id)
  return Effect.forEach(
    matching,
    ([requestId, pending]) =>
      Effect.andThen(
        write(clientId, notification(cancelled, { requestId })),
        Effect.sync(() => settle(pending))
      ),
    { discard: true }
  )
}

/**
 * The transport below Effect's MCP server: connections in this process, each for one caller. No state remains after the
 * scope of a connection has closed.
 */
export class Connections extends Context.Service<
  Connections,
  {
    /** `baseUrl` is the market's address for people. */
    readonly open: (market: Marketplace, baseUrl?: string) => Effect.Effect<Connection, never, Scope.Scope>
    /** The caller's client, by the connection's id in the context of a request. */
    readonly marketOf: (clientId: number) => Marketplace | undefined
    readonly baseUrlOf: (clientId: number) => string | undefined
  }
>()("@agent-marketplace/mcp/protocol/Connections") {
  static readonly layer: Layer.Layer<Connections | RpcServer.Protocol> = Layer.effectContext(
    Effect.gen(function* () {
      const clients = new Map<number, Client>()
      const disconnects = yield* Queue.make<number>()
      // Otherwise the server would use headers of the caller's HTTP request for its transport and open a session.
      const services = yield* Effect.context<never>()
      const { protocol, write: writeHere } = yield* makeProtocol(clients, disconnects)
      const write: Write = (...args) => Effect.updateContext(writeHere(...args), () => services)
      let opened = 0
      let requests = 0

      const ask = (clientId: number, client: Client, id: JsonRpcId, method: string, params: unknown) =>
        Effect.suspend(() => {
          if (method === "initialize") client.isInitialized = true
          // MCP-7: requests that state their revision need no initialization.
          if (!client.isInitialized && method !== "ping" && revisionOf(params) === undefined) {
            return Effect.succeed(JsonRpc.invalid(id, "Send initialize first"))
          }
          const skills = skillMethod(method)
          if (skills !== undefined) return skills(client.market, id, params)
          requests += 1
          const requestId = RpcMessage.RequestId(requests)
          const pending: Pending = { id, answered: Deferred.makeUnsafe() }
          client.pending.set(requestId, pending)
          return write(clientId, {
            _tag: "Request",
            id: requests,
            tag: method,
            payload: params ?? null,
            headers: []
          }).pipe(
            Effect.andThen(Deferred.await(pending.answered)),
            Effect.onInterrupt(() => write(clientId, { _tag: "Interrupt", requestId })),
            Effect.ensuring(Effect.sync(() => client.pending.delete(requestId)))
          )
        })

      const close = (clientId: number) =>
        Effect.suspend(() => {
          clients.delete(clientId)
          // The end makes the server drop the connection; the disconnect interrupts its running requests.
          return Effect.andThen(write(clientId, { _tag: "Eof" }), Queue.offer(disconnects, clientId))
        })

      const open = Effect.fnUntraced(function* (
        market: Marketplace,
        baseUrl?: string
      ): Effect.fn.Return<Connection, never, Scope.Scope> {
        opened += 1
        const clientId = opened
        const client: Client = { market, baseUrl, isInitialized: false, pending: new Map() }
        clients.set(clientId, client)
        yield* Effect.addFinalizer(() => close(clientId))
        const exchange: Connection["exchange"] = (message) => {
          switch (message._tag) {
            case "Request":
              return ask(clientId, client, message.id, message.method, message.params)
            case "Notification":
              return message.method === cancelled
                ? cancel(client, clientId, message.params, write)
                : write(clientId, notification(message.method, message.params))
            case "Invalid":
              return Effect.succeed(message.answer)
            case "Response":
              return Effect.void
          }
        }
        return { exchange }
      })

      const connections = Connections.of({
        open,
        marketOf: (clientId) => clients.get(clientId)?.market,
        baseUrlOf: (clientId) => clients.get(clientId)?.baseUrl
      })
      return Context.make(Connections, connections).pipe(Context.add(RpcServer.Protocol, protocol))
    })
  )
}
