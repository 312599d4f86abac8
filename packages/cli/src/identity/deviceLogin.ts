import { isMarketUrl } from "@agent-marketplace/client/requests/isMarketUrl"
import { oauthBody, postOauthForm } from "@agent-marketplace/client/node/login/oauthForm"
import { storedTokensOf } from "@agent-marketplace/client/node/login/storedTokensOf"
import { Clock, Effect, Result } from "effect"
import { CommandFailure, exitCodes } from "../errors/CommandFailure.ts"
import { plain } from "../terminal/text.ts"

type Body = Readonly<Record<string, unknown>>

const deviceGrant = "urn:ietf:params:oauth:grant-type:device_code"

/** A request for access that waits for the person in the browser (RFC 8628). */
export interface Device {
  readonly deviceCode: string
  readonly userCode: string
  readonly verificationUrl: string
  /** Contains the code. */
  readonly completeUrl: string
  /** In milliseconds. */
  readonly interval: number
  readonly lifetime: number
}

const text = (value: unknown): string => (typeof value === "string" ? value : "")

const milliseconds = (seconds: unknown, otherwise: number): number =>
  typeof seconds === "number" && seconds >= 0 ? Math.min(seconds * 1000, 86_400_000) : otherwise

const unreachable = (market: string) =>
  new CommandFailure({
    code: "NETWORK_ERROR",
    message: `no response from ${new URL(market).origin}`,
    hint: "Is the market running there? --base-url or MARKETPLACE_URL sets its address.",
    exitCode: exitCodes.unreachable
  })

const refusals: Readonly<Record<string, readonly [code: string, message: string, hint: string]>> = {
  access_denied: ["ACCESS_DENIED", "the request was refused in the browser", "Nothing was stored."],
  expired_token: ["LOGIN_EXPIRED", "nobody decided before the code expired", "Run `agent-marketplace login` again."]
}

const refusalOf = (status: number, { error, error_description: description }: Body): CommandFailure => {
  const known = refusals[text(error)]
  if (known !== undefined) {
    const [code, message, hint] = known
    return new CommandFailure({ code, message, hint, exitCode: exitCodes.key, statusCode: status })
  }
  return new CommandFailure({
    code: error === undefined ? "INVALID_RESPONSE" : "LOGIN_REFUSED",
    message: plain.line(text(description)) || `the response was HTTP ${status}`,
    hint: "`agent-marketplace login --key` stores an API key instead.",
    exitCode: exitCodes.failure,
    statusCode: status
  })
}

const send = (market: string, path: string, fields: Readonly<Record<string, string>>) =>
  Effect.tryPromise({
    try: async () => {
      const response = await postOauthForm(market, path, fields)
      return { ok: response.ok, status: response.status, body: await oauthBody(response) }
    },
    catch: () => unreachable(market)
  })

/** Requests access for this machine. */
export const startDevice = (market: string, scope: string) =>
  Effect.gen(function* () {
    const { body, ok, status } = yield* send(market, "device_authorization", { scope })
    const deviceCode = text(body["device_code"])
    const verificationUrl = text(body["verification_uri"])
    if (!ok || deviceCode === "" || !isMarketUrl(verificationUrl)) return yield* refusalOf(status, body)
    return {
      deviceCode,
      userCode: plain.line(text(body["user_code"])),
      verificationUrl,
      completeUrl: text(body["verification_uri_complete"]) || verificationUrl,
      interval: milliseconds(body["interval"], 5000),
      lifetime: milliseconds(body["expires_in"], 600_000)
    } satisfies Device
  })

/** In milliseconds: how much longer the market asks to wait with `slow_down` (RFC 8628, 3.5). */
const slowDown = 5000

/** In milliseconds: the longest wait after requests without a response. */
const longestWait = 60_000

/**
 * Waits for the decision. A market that does not respond, or has too much to do, is asked again at growing intervals until the code has
 * expired.
 */
export const awaitTokens = Effect.fnUntraced(function* (
  market: string,
  { deviceCode, interval: first, lifetime }: Device
) {
  const end = (yield* Clock.currentTimeMillis) + lifetime
  let interval = first
  while (true) {
    yield* Effect.sleep(interval)
    if ((yield* Clock.currentTimeMillis) >= end) return yield* refusalOf(400, { error: "expired_token" })
    const reply = yield* Effect.result(send(market, "token", { grant_type: deviceGrant, device_code: deviceCode }))
    if (Result.isFailure(reply) || reply.success.status === 429 || reply.success.status >= 500) {
      interval = Math.max(first, Math.min(longestWait, Math.max(interval, 1000) * 2))
      continue
    }
    const { body, ok, status } = reply.success
    const tokens = ok ? storedTokensOf(body) : undefined
    if (tokens !== undefined) return tokens
    if (body["error"] === "slow_down") interval += slowDown
    else if (body["error"] !== "authorization_pending") return yield* refusalOf(status, body)
  }
})
