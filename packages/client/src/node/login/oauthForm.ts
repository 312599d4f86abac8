/** The client of the command line, which every market knows (OAUTH-4). */
const clientId = "agent-marketplace-cli"

/** In milliseconds. */
const timeout = 20_000

/** Sends a form to one of the market's OAuth endpoints. Redirects are refused, because the form contains secrets. */
export const postOauthForm = (
  market: string,
  path: string,
  fields: Readonly<Record<string, string>>,
  fetch: typeof globalThis.fetch = globalThis.fetch
): Promise<Response> =>
  fetch(`${market}/oauth/${path}`, {
    method: "POST",
    headers: { accept: "application/json", "content-type": "application/x-www-form-urlencoded" },
    body: new URLSearchParams({ client_id: clientId, ...fields }).toString(),
    redirect: "error",
    signal: AbortSignal.timeout(timeout)
  })

/** The JSON object of a response; empty if it is anything else. */
export const oauthBody = async (response: Response): Promise<Readonly<Record<string, unknown>>> => {
  const body: unknown = await response.json().catch(() => undefined)
  return typeof body === "object" && body !== null ? (body as Readonly<Record<string, unknown>>) : {}
}
