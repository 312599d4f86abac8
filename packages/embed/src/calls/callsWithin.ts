import { Marketplace } from "@agent-marketplace/client"
import { makeSend } from "@agent-marketplace/client/requests/makeSend"
import type { Send } from "@agent-marketplace/client/requests/Send"
import type { HostUser } from "@agent-marketplace/core/identity/HostUsers"
import type { Insider } from "@agent-marketplace/http/edge/InProcess"
import { invalidOptions } from "../options/optionChecks.ts"

/** A placeholder for the key: the caller is known without one. */
const noKey = "none"

/** One attempt: a failure in this process would repeat immediately. */
const direct = { maxRetries: 0, timeout: 120_000 } as const

const noCaller = [{ path: "caller", message: "must be an API key or a user of the host" }]

/** The market's fetch handler, bound to a caller. */
export type FetchWithin = (request: Request, insider: Insider) => Promise<Response>

/** The client library's operations, and requests of the operator, without a network. */
export const callsWithin = (
  fetchWithin: FetchWithin,
  baseUrl: string
): { readonly as: (caller: string | HostUser) => Marketplace; readonly sendAsOperator: (name?: string) => Send } => {
  const fetchAs = (insider: Insider) => async (input: string | URL | Request, init?: RequestInit) => {
    const request = new Request(input, init)
    const response = await fetchWithin(request, insider)
    request.signal.throwIfAborted()
    return response
  }
  return {
    as: (caller) => {
      if (typeof caller === "string" && caller !== "")
        return new Marketplace({ ...direct, apiKey: caller, baseUrl, fetch: fetchAs({ _tag: "Key" }) })
      if (typeof caller !== "object" || caller === null) throw invalidOptions("as", noCaller)
      return new Marketplace({ ...direct, apiKey: noKey, baseUrl, fetch: fetchAs({ _tag: "User", user: caller }) })
    },
    sendAsOperator: (name) =>
      makeSend({ ...direct, apiKey: noKey, agentId: undefined, baseUrl, fetch: fetchAs({ _tag: "Operator", name }) })
  }
}
