import type { Failure } from "@agent-marketplace/api/errors/WireError"
import { InvalidApiKey } from "@agent-marketplace/core/errors/MarketError"
import type { Follower } from "@agent-marketplace/core/live/Follower"
import type { FollowOptions } from "@agent-marketplace/core/live/Live"
import type { RawData, WebSocket } from "@effect/platform-node/NodeWS"
import { Deferred, Effect, Fiber, Queue, Result } from "effect"
import type { Scope } from "effect"
import type { EndReason, Holder } from "./LiveConnections.ts"
import type { LiveBounds } from "./LiveLimits.ts"
import type { ClientMessage, Topic } from "./SocketMessages.ts"
import { clientMessage, ServerMessage } from "./SocketMessages.ts"
import { closeCodes } from "./SocketServer.ts"

/** The most messages of a client in a window of this many milliseconds. */
const mostMessages = 100
const messageWindow = 10_000

/** How long a connection whose key ended may still take to close, in milliseconds. */
const severAfter = 400

/** The functions and limits of the service that a session needs. */
export interface SocketHost {
  readonly limits: Pick<LiveBounds, "authenticationMillis" | "pingMillis">
  readonly requestId: string
  /** The holder that the handshake presented; null without one. */
  readonly holder: Holder | null
  readonly identify: (key: string) => Effect.Effect<Holder, Failure>
  /** Assigns the connection to the holder, within the limit of the holder's key. */
  readonly hold: (holder: Holder) => Effect.Effect<void, Failure>
  readonly follow: (
    topic: Topic,
    holder: Holder,
    after: string | undefined,
    options: FollowOptions
  ) => Effect.Effect<Follower, Failure, Scope.Scope>
}

export interface SocketSession {
  /** Runs until the connection is closed. */
  readonly run: Effect.Effect<void>
  readonly end: (reason: EndReason) => void
}

/**
 * Resolves when the text is written to the connection, so that the sender waits for a client that does not read. On a connection that closes it never
 * resolves; the session ends with the connection.
 */
const send = (socket: WebSocket, text: string): Effect.Effect<void> =>
  Effect.callback((resume) => {
    if (socket.readyState !== socket.OPEN) return
    socket.send(text, (error) => {
      if (error === undefined || error === null) resume(Effect.void)
    })
  })

/** Closes the connection, which must be read for the answer of the client. */
const shut = (socket: WebSocket, code: number, reason: string): void => {
  socket.close(code, reason)
  socket.resume()
}

/** The messages of a client, one at a time: the connection is not read while one is handled. */
const inboxOf = (socket: WebSocket) => {
  const inbox = Queue.unbounded<string | null>()
  let count = 0
  let windowEnd = 0
  return Effect.tap(inbox, (queue) =>
    Effect.sync(() => {
      socket.on("message", (data: RawData, isBinary: boolean) => {
        const now = performance.now()
        if (now > windowEnd) [count, windowEnd] = [0, now + messageWindow]
        count += 1
        if (count > mostMessages) return shut(socket, closeCodes.tooManyMessages, "too many messages")
        socket.pause()
        Queue.offerUnsafe(queue, isBinary ? null : String(data))
      })
    })
  )
}

/** Pings the client, and breaks a connection without an answer. Returns how to stop. */
const keepAlive = (socket: WebSocket, pingMillis: number): (() => void) => {
  let answered = true
  socket.on("pong", () => {
    answered = true
  })
  const timer = setInterval(() => {
    if (!answered) return socket.terminate()
    answered = false
    socket.ping()
  }, pingMillis)
  return () => clearInterval(timer)
}

/** One WebSocket connection (LIVE-14, LIVE-15, LIVE-16). */
export const makeSocketSession = (socket: WebSocket, host: SocketHost): SocketSession => {
  let { holder } = host
  const subscriptions = new Map<Topic, Fiber.Fiber<void>>()

  const close = (code: number, reason: string) => Effect.sync(() => shut(socket, code, reason))

  /** A request is not interruptible by default, and neither is what it forks. */
  const fork = <A>(work: Effect.Effect<A, never, Scope.Scope>) => Effect.forkScoped(Effect.interruptible(work))

  const pump = (topic: Topic, follower: Follower) =>
    Effect.forever(
      Effect.flatMap(follower.take, ({ messages }) =>
        Effect.forEach(messages, (message) => send(socket, ServerMessage.event(topic, message)), {
          concurrency: "unbounded",
          discard: true
        })
      )
    )

  const authenticate = (key: string) =>
    Effect.gen(function* () {
      const found = yield* host.identify(key)
      yield* host.hold(found)
      holder = found
      yield* send(socket, ServerMessage.authenticated)
    }).pipe(
      Effect.catch((failure: Failure) => {
        const code = failure._tag === "RateLimited" ? closeCodes.tooManyStreams : closeCodes.unauthenticated
        return Effect.andThen(
          send(socket, ServerMessage.failed(failure, host.requestId)),
          failure._tag === "StoreUnavailable" ? Effect.void : close(code, failure._tag)
        )
      })
    )

  /** The subscription runs until it ends; it is confirmed before its first message. */
  const subscribe = Effect.fnUntraced(function* (topic: Topic, after: string | undefined, by: Holder) {
    const onOverrun = () => shut(socket, closeCodes.overrun, "too slow: continue from the last id")
    const started = yield* Deferred.make<void, Failure>()
    const fiber = yield* fork(
      Effect.scoped(
        Effect.flatMap(host.follow(topic, by, after, { onOverrun }), (follower) =>
          Effect.andThen(
            Effect.tap(send(socket, ServerMessage.subscribed(topic)), () => Deferred.succeed(started, undefined)),
            pump(topic, follower)
          )
        )
      ).pipe(Effect.catch((failure: Failure) => Effect.asVoid(Deferred.fail(started, failure))))
    )
    subscriptions.set(topic, fiber)
    yield* Effect.catch(Deferred.await(started), (failure) => {
      subscriptions.delete(topic)
      return send(socket, ServerMessage.failed(failure, host.requestId))
    })
  })

  const unsubscribe = Effect.fnUntraced(function* (topic: Topic) {
    const fiber = subscriptions.get(topic)
    subscriptions.delete(topic)
    if (fiber !== undefined) yield* Fiber.interrupt(fiber)
    yield* send(socket, ServerMessage.unsubscribed(topic))
  })

  const handle = (message: ClientMessage): Effect.Effect<void, never, Scope.Scope> => {
    if (message.type === "auth") {
      return holder === null ? authenticate(message.key) : send(socket, ServerMessage.conflict("Already authenticated"))
    }
    if (holder === null) {
      return send(socket, ServerMessage.failed(new InvalidApiKey({ reason: "missing" }), host.requestId))
    }
    if (message.type === "unsubscribe") return unsubscribe(message.topic)
    return subscriptions.has(message.topic)
      ? send(socket, ServerMessage.conflict(`Already subscribed to ${message.topic}`))
      : subscribe(message.topic, message.after, holder)
  }

  const receive = (text: string | null): Effect.Effect<void, never, Scope.Scope> =>
    text === null
      ? send(socket, ServerMessage.invalid("The message must be text"))
      : Result.match(clientMessage(text), {
          onFailure: (reason) => send(socket, ServerMessage.invalid(reason)),
          onSuccess: handle
        })

  const closed = Effect.callback<void>((resume) => {
    socket.once("close", () => resume(Effect.void))
  })

  const run = Effect.gen(function* () {
    const stop = keepAlive(socket, host.limits.pingMillis)
    yield* Effect.addFinalizer(() =>
      Effect.sync(() => {
        stop()
        socket.terminate()
      })
    )
    const inbox = yield* inboxOf(socket)
    yield* fork(
      Effect.forever(
        Effect.flatMap(Queue.take(inbox), (text) => Effect.tap(receive(text), () => Effect.sync(() => socket.resume())))
      )
    )
    if (holder !== null) yield* send(socket, ServerMessage.authenticated)
    const late = Effect.suspend(() =>
      holder === null ? close(closeCodes.unauthenticated, "not authenticated in time") : Effect.void
    )
    yield* fork(Effect.delay(late, host.limits.authenticationMillis))
    if (socket.readyState !== socket.CLOSED) yield* Effect.interruptible(closed)
  }).pipe(Effect.scoped)

  return {
    run,
    end: (reason) => {
      for (const fiber of subscriptions.values()) fiber.interruptUnsafe()
      shut(socket, reason === "revoked" ? closeCodes.unauthenticated : closeCodes.stopping, reason)
      setTimeout(() => socket.terminate(), severAfter).unref()
    }
  }
}
