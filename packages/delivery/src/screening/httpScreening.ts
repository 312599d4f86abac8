import { Usdt } from "@agent-marketplace/core/money/Usdt"
import type { ScreenedTransfer, Screening } from "@agent-marketplace/core/screening/Screening"
import { ScreeningUnavailable } from "@agent-marketplace/core/screening/Screening"
import type { ScreeningEvidence } from "@agent-marketplace/core/screening/ScreeningEvidence"
import { Effect, Redacted, Result, Schema } from "effect"
import { Agent, request as httpsRequest } from "node:https"

/** A screening service (SCREENING-10). */
export interface ScreeningServiceSettings {
  /** Starts with https://. */
  readonly url: string
  readonly token: Redacted.Redacted
  /** The certificate of the authority that issued the service's, as PEM, if it is not a public one. */
  readonly authority?: string | undefined
}

/** The time limit of one request, in milliseconds. */
const requestLimit = 5_000

/** The maximum length of a response. */
const maxBody = 16_384

const Answer = Schema.fromJsonString(
  Schema.Struct({
    address: Schema.String,
    flagged: Schema.Boolean,
    reference: Schema.optionalKey(Schema.String)
  })
)

interface Exchange {
  readonly status: number
  readonly text: string
}

interface Connection {
  readonly agent: Agent
  readonly url: string
  readonly token: Redacted.Redacted
}

const post = ({ agent, token, url }: Connection, body: string, signal: AbortSignal): Promise<Exchange> =>
  new Promise((resolve, reject) => {
    const headers = {
      authorization: `Bearer ${Redacted.value(token)}`,
      accept: "application/json",
      "content-type": "application/json",
      "content-length": Buffer.byteLength(body)
    }
    // Redirects are not followed.
    const request = httpsRequest(url, { method: "POST", agent, headers, signal }, (response) => {
      const chunks: Array<Buffer> = []
      let size = 0
      response.on("error", reject)
      response.on("data", (chunk: Buffer) => {
        size += chunk.length
        if (size > maxBody) request.destroy(new Error("the response is too long"))
        else chunks.push(chunk)
      })
      response.on("end", () =>
        resolve({ status: response.statusCode ?? 0, text: Buffer.concat(chunks).toString("utf8") })
      )
    })
    request.on("error", reject)
    request.end(body)
  })

/** Codes of failed connections, such as ECONNREFUSED or CERT_HAS_EXPIRED; messages are not shown, since they may quote what was sent. */
const faultOf = (cause: unknown): string => {
  if (!(cause instanceof Error)) return "not reached"
  if (cause.name === "TimeoutError" || cause.cause instanceof DOMException) return "no answer in time"
  return "code" in cause && typeof cause.code === "string" && /^[A-Z0-9_]{1,60}$/.test(cause.code)
    ? `not reached (${cause.code})`
    : "no valid answer"
}

const requestOf = ({ address, amount, chain, kind, reference }: ScreenedTransfer): string =>
  JSON.stringify({ protocol: 1, kind, address, amount: Usdt.format(amount), currency: "USDT", chain, reference })

/**
 * Screens with a screening service (SCREENING-10). Only a complete answer that repeats the address counts; anything else is `ScreeningUnavailable`. The evidence
 * never contains the token, even if the service repeats it.
 */
export const httpScreening = (
  { authority, token, url }: ScreeningServiceSettings,
  timeLimit = requestLimit
): Screening["Service"] => {
  const name = new URL(url).host
  const agent = new Agent({
    ...(authority === undefined ? {} : { ca: authority }),
    maxSockets: 8,
    minVersion: "TLSv1.2"
  })
  const connection = { agent, url, token }
  const unavailable = (reason: string) => new ScreeningUnavailable({ reason: `${name}: ${reason}` })

  const evidenceOf = (
    address: string,
    { status, text }: Exchange
  ): Result.Result<ScreeningEvidence | null, ScreeningUnavailable> => {
    if (status !== 200) return Result.fail(unavailable(`status ${status}`))
    const decoded = Schema.decodeResult(Answer)(text)
    if (Result.isFailure(decoded)) return Result.fail(unavailable("not a valid answer"))
    const { flagged, reference = "no reference" } = decoded.success
    if (decoded.success.address !== address) return Result.fail(unavailable("an answer about another address"))
    if (!flagged) return Result.succeed(null)
    return Result.succeed({ source: name, reference: reference.replaceAll(Redacted.value(token), "***") })
  }

  return {
    screen: (transfer) =>
      Effect.tryPromise({
        try: (signal) =>
          post(connection, requestOf(transfer), AbortSignal.any([signal, AbortSignal.timeout(timeLimit)])),
        catch: (cause) => unavailable(faultOf(cause))
      }).pipe(Effect.flatMap((exchange) => Effect.fromResult(evidenceOf(transfer.address, exchange))))
  }
}
