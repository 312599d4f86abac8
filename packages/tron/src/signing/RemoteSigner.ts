import type { Signer, SignerFailure } from "@agent-marketplace/core/chain/Signer"
import { SignaturePending, SignerRefused, SignerUnavailable } from "@agent-marketplace/core/chain/Signer"
import { Clock, Effect, Redacted, Result, Schedule, Schema } from "effect"
import { Agent, request as httpsRequest } from "node:https"

/** How a signing server is reached: HTTPS, where both sides have a certificate (SIGNER-2). */
export interface RemoteSignerSettings {
  /** A base URL that starts with https://. */
  readonly url: string
  /** The market's own certificate and its private key, and the certificate of the authority that issued the server's, as PEM. */
  readonly certificate: string
  readonly key: Redacted.Redacted
  readonly authority: string
}

/** In milliseconds. */
export interface RemoteSignerTimings {
  /** The time limit of one request. */
  readonly timeout: number
  /** The pause before the second attempt; doubled before each further one. */
  readonly retry: number
  /** After this pause a signer that failed in all attempts is used again. */
  readonly rest: number
}

const remoteSignerTimings: RemoteSignerTimings = { timeout: 10_000, retry: 250, rest: 5_000 }

/** The maximum number of requests for one signature. */
const attempts = 3

/** The maximum length of a response. */
const maxBody = 16_384

/** The maximum number of characters of a signer's message that is shown. */
const maxMessage = 200

const Signed = Schema.fromJsonString(
  Schema.Struct({
    transactionId: Schema.String,
    signature: Schema.String.check(Schema.isPattern(/^[0-9a-f]{130}$/i))
  })
)

const Refusal = Schema.fromJsonString(
  Schema.Struct({
    error: Schema.Struct({
      code: Schema.String.check(Schema.isPattern(/^[A-Z0-9_]{1,40}$/)),
      message: Schema.optionalKey(Schema.String)
    })
  })
)

interface Exchange {
  readonly status: number
  readonly text: string
}

const post = (agent: Agent, url: string, body: string, signal: AbortSignal): Promise<Exchange> =>
  new Promise((resolve, reject) => {
    const headers = { "content-type": "application/json", "content-length": Buffer.byteLength(body) }
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

/** The code of a failed connection, such as ECONNREFUSED or CERT_HAS_EXPIRED. Messages are not shown: they may quote a certificate. */
const faultOf = (cause: unknown): string => {
  if (!(cause instanceof Error)) return "not reached"
  if (cause.name === "TimeoutError" || cause.cause instanceof DOMException) return "no answer in time"
  return "code" in cause && typeof cause.code === "string" && /^[A-Z0-9_]{1,60}$/.test(cause.code)
    ? `not reached (${cause.code})`
    : "no valid answer"
}

const printable = (text: string): string => text.replace(/[^\x21-\x7e]+/g, " ").slice(0, maxMessage)

/** Only a refusal that follows the protocol is one: any other answer leaves the decision open. */
const refusalOf = (name: string, text: string): SignerFailure => {
  const decoded = Schema.decodeResult(Refusal)(text)
  if (Result.isFailure(decoded)) return new SignerUnavailable({ reason: `${name}: a refusal that is not valid` })
  const { code, message } = decoded.success.error
  const reason = message === undefined ? code : `${code}: ${printable(message)}`
  return new SignerRefused({ reason: `the signer ${name} refused: ${reason}` })
}

const signatureOf = (
  name: string,
  id: string,
  { status, text }: Exchange
): Result.Result<Uint8Array, SignerFailure> => {
  if (status === 202) return Result.fail(new SignaturePending({ reason: `the signer ${name} has not decided yet` }))
  if (status === 403) return Result.fail(refusalOf(name, text))
  if (status !== 200) return Result.fail(new SignerUnavailable({ reason: `${name}: status ${status}` }))
  const decoded = Schema.decodeResult(Signed)(text)
  return Result.isSuccess(decoded) && decoded.success.transactionId === id
    ? Result.succeed(Buffer.from(decoded.success.signature, "hex"))
    : Result.fail(new SignerUnavailable({ reason: `${name}: not the signature of this transaction` }))
}

/**
 * Signs through a signing server (SIGNER-2). A server that fails is asked at most three times, always for the same transaction, and then rests, so
 * that many withdrawals do not wait for it one after the other (SIGNER-4). `docs/signer/server.ts` is such a server (SIGNER-8).
 */
export const remoteSigner = (
  address: string,
  { authority, certificate, key, url }: RemoteSignerSettings,
  timings: RemoteSignerTimings = remoteSignerTimings
): Signer["Service"] => {
  const agent = new Agent({
    ca: authority,
    cert: certificate,
    key: Redacted.value(key),
    keepAlive: true,
    maxSockets: 8,
    minVersion: "TLSv1.2"
  })
  const name = new URL(url).host
  let rests: { readonly until: number; readonly failure: SignerUnavailable } | undefined

  const attempt = (id: string, body: string) =>
    Effect.tryPromise({
      try: (signal) =>
        post(agent, `${url}/v1/sign`, body, AbortSignal.any([signal, AbortSignal.timeout(timings.timeout)])),
      catch: (cause) => new SignerUnavailable({ reason: `${name}: ${faultOf(cause)}` })
    }).pipe(Effect.flatMap((exchange) => Effect.fromResult(signatureOf(name, id, exchange))))

  return {
    address,
    sign: Effect.fnUntraced(function* ({ hash, signatures, transaction }) {
      if (rests !== undefined && (yield* Clock.currentTimeMillis) < rests.until) return yield* rests.failure
      const id = Buffer.from(hash).toString("hex")
      const body = JSON.stringify({
        version: 1,
        transactionId: id,
        transaction: Buffer.from(transaction).toString("hex"),
        address,
        signatures: signatures.map((each) => Buffer.from(each).toString("hex"))
      })
      return yield* attempt(id, body).pipe(
        Effect.retry({
          times: attempts - 1,
          schedule: Schedule.exponential(timings.retry),
          while: ({ _tag }) => _tag === "SignerUnavailable"
        }),
        Effect.tapError((failure) =>
          Effect.map(Clock.currentTimeMillis, (now) => {
            if (failure._tag === "SignerUnavailable") rests = { until: now + timings.rest, failure }
          })
        )
      )
    })
  }
}
