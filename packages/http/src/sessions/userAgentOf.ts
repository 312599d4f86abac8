import type { HttpServerRequest } from "effect/http"

const maxLength = 200

/** The browser as it names itself, for the list of sessions. */
export const userAgentOf = ({ headers }: HttpServerRequest.HttpServerRequest): string | null => {
  const text = (headers["user-agent"] ?? "").replace(/[^\x20-\x7e]/g, "").slice(0, maxLength)
  return text === "" ? null : text
}
