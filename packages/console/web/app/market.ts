import { Marketplace } from "@agent-marketplace/client"
import { MarketplaceError } from "@agent-marketplace/client/MarketplaceError"
import type { EndpointName, Operation, Traits } from "@agent-marketplace/client/operations/operation"
import { operation } from "@agent-marketplace/client/operations/operation"
import { makeSend } from "@agent-marketplace/client/requests/makeSend"
import { startAuthentication } from "@simplewebauthn/browser"
import { watchedFetch } from "./connection.ts"

/** The path below which the market is mounted. */
export const base = document.body.dataset["base"] ?? ""

/** Requests are authorized by the cookie of the session, and say that they come from the console (SESSION-9). */
const sessionFetch: typeof fetch = (url, init) => {
  const headers = new Headers(init?.headers)
  headers.delete("authorization")
  headers.set("x-requested-with", "console")
  return watchedFetch(url, { ...init, headers, credentials: "same-origin" })
}

/** How the pages reach the market: with the cookie of the session. */
export const connection = { apiKey: "session", baseUrl: location.origin + base, fetch: sessionFetch }
const send = makeSend({ ...connection, agentId: undefined, timeout: 30_000, maxRetries: 2 })

/** The client library, signed in with the cookie of the session. */
export const market = new Marketplace({ ...connection, maxRetries: 2 })

/** Calls an endpoint that the client library does not name, such as those of sessions, passkeys and the operator. */
export const call = <E extends EndpointName>(
  endpoint: E,
  ...traits: unknown extends Traits<E> ? [] : [traits: Traits<E>]
): Operation<E> => operation(endpoint, ...traits)(send)

const stepUpOptions = call("POST /api/v1/sessions/current/step-up/options")
const stepUp = call("POST /api/v1/sessions/current/step-up", { input: true })

/** Confirms with a passkey that the person is present. */
const confirmPresence = async (): Promise<void> => {
  const optionsJSON = (await stepUpOptions()) as unknown as Parameters<typeof startAuthentication>[0]["optionsJSON"]
  const response = await startAuthentication({ optionsJSON })
  await stepUp(response as unknown as Parameters<typeof stepUp>[0])
}

/** Repeats a call after the person has confirmed with a passkey, where the market requires that (SESSION-17). */
export const confirmed = async <A>(attempt: () => Promise<A>): Promise<A> => {
  try {
    return await attempt()
  } catch (error) {
    if (!(error instanceof MarketplaceError) || error.code !== "STEP_UP_REQUIRED") throw error
    await confirmPresence()
    return attempt()
  }
}

interface Issue {
  readonly path: string
  readonly message: string
}

/** Whether the error says that the session has ended. */
export const isSignedOut = (error: unknown): boolean => error instanceof MarketplaceError && error.statusCode === 401

/** Whether a write may have been done although it failed: its answer was lost, or did not come from the market. */
export const hasUnknownResult = (error: unknown): boolean =>
  error instanceof MarketplaceError &&
  (error.statusCode === 0 || error.statusCode === 408 || error.statusCode >= 500 || error.code === "INVALID_RESPONSE")

/** Whether the market refused a write for good, so that it was not done. A refusal of the caller says nothing about an earlier attempt. */
export const isRefused = (error: unknown): boolean =>
  error instanceof MarketplaceError && [400, 402, 404, 409, 422].includes(error.statusCode)

/** What a person reads about a failed write: what is wrong, and what to do. */
export const messageOf = (error: unknown): string => {
  if (!(error instanceof MarketplaceError)) {
    const isCancelled = error instanceof Error && error.name === "NotAllowedError"
    return isCancelled
      ? "The passkey was not confirmed. Nothing was changed."
      : "Something went wrong in this page. Load it again."
  }
  if (isSignedOut(error)) return "Your session has ended, and nothing was done. Sign in, then send it again."
  if (hasUnknownResult(error))
    return navigator.onLine
      ? "No answer came from the market, so it may have been done. Nothing you typed is lost: look whether it was done before you send it again. A payment is made only once."
      : "You are offline. Nothing you typed is lost; send it again when you are back."
  const issues = error.details["issues"] as ReadonlyArray<Issue> | undefined
  if (issues !== undefined && issues.length > 0)
    return issues.map(({ message, path }) => `${path} ${message}`).join("; ")
  return error.message
}

/** What a person reads about a page or list that could not be read. */
export const readFailure = (error: unknown): string => {
  if (isSignedOut(error)) return "Your session has ended. Sign in again."
  return error instanceof MarketplaceError && error.statusCode === 0
    ? "The market cannot be reached. Check your connection."
    : messageOf(error)
}

/** The issues of a refused form, by field. */
export const issuesOf = (error: unknown): ReadonlyMap<string, string> => {
  const issues =
    error instanceof MarketplaceError ? (error.details["issues"] as ReadonlyArray<Issue> | undefined) : undefined
  return new Map((issues ?? []).map(({ message, path }) => [path, message]))
}
