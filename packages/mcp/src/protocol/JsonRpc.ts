/** An id of JSON-RPC; null is not one. */
export type JsonRpcId = string | number

/** A message from an MCP client, parsed but not yet interpreted. */
export type JsonRpcMessage =
  | { readonly _tag: "Request"; readonly id: JsonRpcId; readonly method: string; readonly params: unknown }
  | { readonly _tag: "Notification"; readonly method: string; readonly params: unknown }
  /** The response to a request of the server. This server sends no requests. */
  | { readonly _tag: "Response" }
  | { readonly _tag: "Invalid"; readonly answer: JsonRpcAnswer }

export interface JsonRpcFault {
  readonly code: number
  readonly message: string
  readonly data?: unknown
}

export type JsonRpcAnswer =
  | { readonly jsonrpc: "2.0"; readonly id: JsonRpcId; readonly result: unknown }
  | { readonly jsonrpc: "2.0"; readonly id: JsonRpcId | null; readonly error: JsonRpcFault }

const faulty = (id: JsonRpcId | null, code: number, message: string): JsonRpcAnswer => ({
  jsonrpc: "2.0",
  id,
  error: { code, message }
})

/** JSON.parse turns numbers such as 1e400 into infinity, which no response can contain. */
const isId = (value: unknown): value is JsonRpcId => typeof value === "string" || Number.isFinite(value)

const readValue = (value: unknown): JsonRpcMessage => {
  const invalid = (message: string, id: JsonRpcId | null = null): JsonRpcMessage => ({
    _tag: "Invalid",
    answer: JsonRpc.invalid(id, message)
  })
  if (Array.isArray(value)) return invalid("Batches are not supported: send one message at a time")
  if (typeof value !== "object" || value === null) return invalid("A message must be a JSON object")
  const { id, jsonrpc, method, params } = value as Readonly<Record<string, unknown>>
  const known = isId(id) ? id : null
  if (jsonrpc !== "2.0") return invalid('jsonrpc must be "2.0"', known)
  if (method === undefined && ("result" in value || "error" in value)) return { _tag: "Response" }
  if (typeof method !== "string") return invalid("method must be a string", known)
  if (!("id" in value)) return { _tag: "Notification", method, params }
  return isId(id) ? { _tag: "Request", id, method, params } : invalid("id must be a string or a number")
}

export const JsonRpc = {
  /** Never fails: an invalid message yields its error response. */
  read: (text: string): JsonRpcMessage => {
    let value: unknown
    try {
      value = JSON.parse(text)
    } catch {
      return { _tag: "Invalid", answer: faulty(null, -32700, "The message is not valid JSON") }
    }
    return readValue(value)
  },
  invalid: (id: JsonRpcId | null, message: string): JsonRpcAnswer => faulty(id, -32600, message),
  /** Lists the supported revisions of MCP. */
  unsupported: (id: JsonRpcId | null, requested: string, supported: ReadonlyArray<string>): JsonRpcAnswer => ({
    jsonrpc: "2.0",
    id,
    error: {
      code: -32022,
      message: `MCP-Protocol-Version must be one of ${supported.join(", ")}`,
      data: { supported, requested }
    }
  }),
  /** The headers of an HTTP request contradict its message. */
  headerMismatch: (id: JsonRpcId, message: string): JsonRpcAnswer => faulty(id, -32020, message),
  /** Contains no internals. */
  internal: (id: JsonRpcId): JsonRpcAnswer => faulty(id, -32603, "Internal error"),
  succeeded: (id: JsonRpcId, result: unknown): JsonRpcAnswer => ({ jsonrpc: "2.0", id, result }),
  failed: (id: JsonRpcId, error: JsonRpcFault): JsonRpcAnswer => ({ jsonrpc: "2.0", id, error })
} as const
