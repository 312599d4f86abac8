import type { StorePosition } from "@agent-marketplace/core/consistency/ReadPoint"
import { isStorePosition, ReadPoint, startOfStore, StorePositions } from "@agent-marketplace/core/consistency/ReadPoint"
import type { Issue } from "@agent-marketplace/core/errors/MarketError"
import { Effect } from "effect"
import type { HttpServerRequest } from "effect/http"
import { HttpOptions } from "../options/HttpOptions.ts"
import type { RequestRecord } from "./CurrentRequest.ts"

/** The position of the caller's last write, in responses and in requests (DATABASE-9). */
export const positionHeader = "x-market-position"

const malformed: Issue = {
  path: `headers.${positionHeader}`,
  message: "must be the value of an earlier response's X-Market-Position, 16 hexadecimal digits, once"
}

/** The position that a request names, in upper or lower case. */
const givenPosition = ({ headers }: HttpServerRequest.HttpServerRequest): string | undefined =>
  headers[positionHeader]?.toLowerCase()

/** A header whose value cannot have come from a market. */
export const positionIssues = (request: HttpServerRequest.HttpServerRequest): ReadonlyArray<Issue> => {
  const given = givenPosition(request)
  return given === undefined || isStorePosition(given) ? [] : [malformed]
}

/** The cookie that keeps the position of a session in the browser, with the protection of the session's own cookie (SESSION-2). */
const makeCookie = (baseUrl: string | undefined) => {
  const secure = baseUrl?.startsWith("https:") === true
  const name = secure ? "__Host-position" : "position"
  const attributes = `Path=/; HttpOnly; SameSite=Strict${secure ? "; Secure" : ""}`
  const form = new RegExp(`(?:^|;) *${name}=([0-9a-f]{16}) *(?:;|$)`)
  return {
    read: ({ headers }: HttpServerRequest.HttpServerRequest): StorePosition =>
      form.exec(headers["cookie"] ?? "")?.[1] ?? startOfStore,
    set: (position: StorePosition, seconds: number) => `${name}=${position}; Max-Age=${seconds}; ${attributes}`
  }
}

/** Whether a `Set-Cookie` header keeps a position. */
export const isPositionCookie = (header: string): boolean => /^(?:__Host-)?position=/.test(header)

/** The most callers whose last position is remembered. */
const most = 10_000

interface Remembered {
  readonly position: StorePosition
  readonly until: number
}

/** The last positions of callers, for clients that do not send the header. They expire when every replica in use has reached them. */
const makeMemory = (lifetime: number) => {
  const callers = new Map<string, Remembered>()
  return {
    of: (caller: string | undefined): StorePosition => {
      const found = caller === undefined ? undefined : callers.get(caller)
      return found === undefined || found.until < performance.now() ? startOfStore : found.position
    },
    note: (caller: string, position: StorePosition) => {
      callers.delete(caller)
      const [oldest] = callers.keys()
      if (callers.size >= most && oldest !== undefined) callers.delete(oldest)
      callers.set(caller, { position, until: performance.now() + lifetime })
    }
  }
}

const callerOf = ({ admin, caller, session }: RequestRecord): string | undefined =>
  session?.session.id ?? caller?.keyId ?? (admin ? "operator" : undefined)

const latest = (...positions: ReadonlyArray<StorePosition>): StorePosition =>
  positions.reduce((most, position) => (position > most ? position : most), startOfStore)

/**
 * Lets the handlers of GET read from replicas that have what the caller has written, and reports the position of a write to its caller (DATABASE-8,
 * DATABASE-9). All other methods read from the primary alone. Does nothing for a store without replicas.
 */
export const makeReadPositions = Effect.gen(function* () {
  const positions = yield* StorePositions
  const { baseUrl } = yield* HttpOptions
  if (positions === null) return <A, E, R>(handler: Effect.Effect<A, E, R>) => handler
  const cookie = makeCookie(baseUrl)
  const memory = makeMemory(positions.lifetime)
  const seconds = Math.ceil(positions.lifetime / 1000)

  const note = (record: RequestRecord, position: StorePosition): void => {
    record.headers[positionHeader] = position
    const caller = callerOf(record)
    if (caller !== undefined) memory.note(caller, position)
    if (record.session !== null) record.headers["set-cookie"] ??= cookie.set(position, seconds)
  }

  const readPoint = (request: HttpServerRequest.HttpServerRequest, record: RequestRecord): StorePosition => {
    const given = givenPosition(request)
    return latest(
      given !== undefined && isStorePosition(given) ? given : startOfStore,
      memory.of(callerOf(record)),
      record.session === null ? startOfStore : cookie.read(request)
    )
  }

  return <A, E, R>(
    handler: Effect.Effect<A, E, R>,
    request: HttpServerRequest.HttpServerRequest,
    record: RequestRecord
  ): Effect.Effect<A, E, R> =>
    record.method === "GET" || record.method === "HEAD"
      ? Effect.provideService(handler, ReadPoint, readPoint(request, record))
      : Effect.tap(handler, () =>
          record.delegated
            ? Effect.void
            : Effect.map(positions.current, (position) => (position === null ? undefined : note(record, position)))
        )
})
