import { GraphQLError } from "graphql"
import type { OwnRoutes } from "@agent-marketplace/http/mount/OwnRoutes"
import type { Call, CalledPage, StreamedEvent } from "./GraphQLContext.ts"
import type { Operation } from "./JsonSchema.ts"

const base = "http://market"

interface Envelope {
  readonly success?: boolean
  readonly data?: unknown
  readonly meta?: { readonly total?: number; readonly nextCursor?: string | null }
  readonly error?: string | { readonly code: string; readonly message: string; readonly details: unknown }
}

/** The codes of failures without the general envelope, which have only a message (WIRE-3). */
const codes: Readonly<Record<number, string>> = {
  400: "VALIDATION_ERROR",
  401: "INVALID_API_KEY",
  403: "INSUFFICIENT_PERMISSIONS",
  404: "SOUL_NOT_FOUND",
  413: "PAYLOAD_TOO_LARGE",
  415: "UNSUPPORTED_MEDIA_TYPE",
  429: "RATE_LIMIT_EXCEEDED",
  503: "SERVICE_UNAVAILABLE"
}

/** A failure of an operation, with its code and details in `extensions` (GRAPHQL-3). */
const failureOf = (status: number, { error }: Envelope): GraphQLError => {
  if (typeof error === "object") {
    return new GraphQLError(error.message, { extensions: { code: error.code, details: error.details } })
  }
  return new GraphQLError(error ?? "The request failed", {
    extensions: { code: codes[status] ?? "INTERNAL_ERROR", details: {} }
  })
}

const textOf = (value: unknown): string => (typeof value === "string" ? value : String(value))

const isGiven = (value: unknown): boolean => value !== undefined && value !== null

/** The issue of an argument that a path, a query or a header cannot carry; undefined if there is none. */
const issueOf = (place: string, text: string): string | undefined => {
  if (/\p{Surrogate}/u.test(text)) return "must not contain an unpaired surrogate"
  if (place === "path" && ["", ".", ".."].includes(text)) return "must be an id"
  if (place === "header" && !/^[\x20-\x7e]*$/.test(text)) return "must consist of printable ASCII characters"
  return undefined
}

/** Refuses such arguments, because building the request would fail or give another path (GRAPHQL-13). */
const assertSendable = ({ parameters = [] }: Operation, { idempotencyKey, parameters: given }: Call): void => {
  const header = { name: "idempotencyKey", place: "header", value: idempotencyKey as unknown }
  const all = [...parameters.map(({ in: place, name }) => ({ name, place, value: given[name] })), header]
  const issues = all.flatMap(({ name, place, value }) => {
    const message = isGiven(value) ? issueOf(place, textOf(value)) : undefined
    return message === undefined ? [] : [{ path: name, message }]
  })
  const [first] = issues
  if (first === undefined) return
  const extensions = { code: "VALIDATION_ERROR", details: { issues } }
  throw new GraphQLError(`${first.path} ${first.message}`, { extensions })
}

/** The path and query of a call. */
const urlOf = ({ parameters = [], path }: Operation, given: Call["parameters"]): string => {
  const names = parameters.filter(({ name }) => isGiven(given[name]))
  const filled = names
    .filter(({ in: place }) => place === "path")
    .reduce((url, { name }) => url.replace(`{${name}}`, encodeURIComponent(textOf(given[name]))), path)
  const query = new URLSearchParams(
    names.filter(({ in: place }) => place === "query").map(({ name }): [string, string] => [name, textOf(given[name])])
  ).toString()
  return query === "" ? filled : `${filled}?${query}`
}

const totalOf = (data: unknown, { meta }: Envelope): number =>
  meta?.total ?? (data as { readonly pagination?: { readonly total?: number } } | null)?.pagination?.total ?? 0

/** Calls operations of the market in process, with the credentials of the request (GRAPHQL-2). Aborting `ended` ends the streams. */
export const makeCalls = (
  own: OwnRoutes,
  parseCatalogue: (url: string, text: string) => unknown,
  ended: AbortSignal
) => ({
  call: async (operation: Operation, call: Call): Promise<CalledPage> => {
    assertSendable(operation, call)
    const { body, idempotencyKey, isCatalogue, parameters } = call
    const url = base + urlOf(operation, parameters)
    const { status, text } = await own.call({
      method: operation.method,
      url,
      ...(idempotencyKey === undefined ? {} : { headers: { "idempotency-key": idempotencyKey } }),
      ...(body === undefined ? {} : { body: JSON.stringify(body) })
    })
    const answered = (isCatalogue === true ? parseCatalogue(url, text) : JSON.parse(text)) as Envelope
    if (status >= 300) throw failureOf(status, answered)
    const data = answered.success === true ? answered.data : answered
    return { data, total: totalOf(data, answered), nextCursor: answered.meta?.nextCursor ?? null }
  },
  stream: async (
    path: string,
    isShown: (event: StreamedEvent) => boolean = () => true
  ): Promise<AsyncIterable<StreamedEvent>> => {
    const response = await own.fetch(base + path, { headers: { accept: "text/event-stream" }, signal: ended })
    if (!response.ok || response.body === null) throw failureOf(response.status, (await response.json()) as Envelope)
    return streamedEvents(response.body, isShown, ended)
  }
})

/** The events of a server-sent stream that `isShown` selects, until the stream ends. */
const eventsOf = async function* (
  reader: ReadableStreamDefaultReader<Uint8Array>,
  isShown: (event: StreamedEvent) => boolean
): AsyncGenerator<StreamedEvent> {
  const decoder = new TextDecoder()
  let text = ""
  for (let read = await reader.read(); !read.done; read = await reader.read()) {
    const blocks = (text + decoder.decode(read.value, { stream: true })).split("\n\n")
    text = blocks.pop() ?? ""
    for (const block of blocks) {
      const event = eventOf(block)
      if (event !== undefined && isShown(event)) yield event
    }
  }
}

/** The events of a server-sent stream. The end of the iteration or of the request ends the stream, even if it has not sent an event (GRAPHQL-14). */
const streamedEvents = (
  body: ReadableStream<Uint8Array>,
  isShown: (event: StreamedEvent) => boolean,
  ended: AbortSignal
): AsyncIterableIterator<StreamedEvent> => {
  const reader = body.getReader()
  const events = eventsOf(reader, isShown)
  const close = () => reader.cancel().catch(() => undefined)
  if (ended.aborted) void close()
  ended.addEventListener("abort", close, { once: true })
  return {
    [Symbol.asyncIterator]() {
      return this
    },
    next: () => events.next(),
    // A generator returns only after its next value, so the stream is closed first.
    return: async () => {
      await close()
      return events.return(undefined)
    }
  }
}

/** An event of a stream; undefined for a comment. */
const eventOf = (block: string): StreamedEvent | undefined => {
  const fields = new Map(
    block.split("\n").flatMap((line): ReadonlyArray<[string, string]> => {
      const at = line.indexOf(":")
      return at < 1 ? [] : [[line.slice(0, at), line.slice(at + 1).replace(/^ /, "")]]
    })
  )
  const data = fields.get("data")
  return data === undefined
    ? undefined
    : { id: fields.get("id") ?? "", event: fields.get("event") ?? "message", data: JSON.parse(data) as unknown }
}
