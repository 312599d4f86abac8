import type { Sha256 } from "@agent-marketplace/core/blobs/Sha256"
import { StoreUnavailable } from "@agent-marketplace/core/errors/MarketError"
import { AwsV4Signer } from "aws4fetch"
import { Duration, Effect, Redacted, Schedule, Stream } from "effect"
import type { Scope } from "effect"
import { HttpBody, HttpClientRequest } from "effect/http"
import type { HttpClient, HttpClientResponse } from "effect/http"

/** Storage that speaks the protocol of Amazon S3. */
export interface S3Settings {
  /** Without a path: `https://s3.eu-central-1.amazonaws.com`. */
  readonly endpoint: string
  readonly region: string
  readonly bucket: string
  /** What the key of every object starts with; may be empty. */
  readonly prefix: string
  readonly accessKeyId: string
  readonly secretAccessKey: Redacted.Redacted
}

/** The digest of no bytes. */
const emptyDigest = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"

/** How long a storage may take to answer, without the time that a body takes. */
const patience = Duration.seconds(5)

/** How often an attempt that failed is repeated, and the pauses between. */
const retryTimes = 2
const pauses = Schedule.exponential("100 millis", 3)

const maxErrorText = 2000

const unavailable = (cause: string) => new StoreUnavailable({ cause: `the storage of blobs ${cause}` })

/** The error for the operator's log: the status and the code that the storage gave, never headers. */
export const refusedWith = (status: number, code: string | undefined) =>
  unavailable(`answered ${status}${code === undefined ? "" : ` ${code}`}`)

export interface S3Request<E> {
  readonly method: "GET" | "HEAD" | "PUT" | "DELETE"
  /** Undefined: the bucket itself. */
  readonly key: Sha256 | undefined
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: { readonly bytes: Stream.Stream<Uint8Array, E>; readonly size: number; readonly sha256: Sha256 }
}

/** The code in an error's XML, such as `NoSuchBucket`. */
const codeIn = (text: string): string | undefined => /<Code>(\w{1,64})<\/Code>/.exec(text)?.[1]

/** The code of a response that reports an error. */
export const errorCode = (response: HttpClientResponse.HttpClientResponse): Effect.Effect<string | undefined> =>
  response.stream.pipe(
    Stream.decodeText,
    Stream.runFold(
      () => "",
      (text, more) => (text.length > maxErrorText ? text : text + more)
    ),
    Effect.map(codeIn),
    Effect.timeout(patience),
    Effect.orElseSucceed(() => undefined)
  )

/**
 * Signs requests (AWS Signature Version 4) and sends them. The signature covers the digest of the body, so the storage refuses bytes that were
 * changed on the way. Redirects are not followed.
 */
export const s3Requests = (client: HttpClient.HttpClient, settings: S3Settings) => {
  const base = `${settings.endpoint.replace(/\/+$/, "")}/${settings.bucket}`
  const urlOf = (key: Sha256 | undefined) => (key === undefined ? base : `${base}/${settings.prefix}${key}`)
  const sign = <E>({ body, headers = {}, key, method }: S3Request<E>) =>
    Effect.promise(() =>
      new AwsV4Signer({
        method,
        url: urlOf(key),
        headers: { ...headers, "x-amz-content-sha256": body?.sha256 ?? emptyDigest },
        accessKeyId: settings.accessKeyId,
        secretAccessKey: Redacted.value(settings.secretAccessKey),
        service: "s3",
        region: settings.region
      }).sign()
    )

  /** One attempt. The response is read within the scope; closing it ends the connection if it was not read whole. */
  return Effect.fnUntraced(function* <E>(
    request: S3Request<E>
  ): Effect.fn.Return<HttpClientResponse.HttpClientResponse, StoreUnavailable, Scope.Scope> {
    const signed = yield* sign(request)
    const { body } = request
    const plain = HttpClientRequest.make(request.method)(signed.url, { headers: Object.fromEntries(signed.headers) })
    const complete =
      body === undefined
        ? plain
        : HttpClientRequest.setBody(plain, HttpBody.stream(body.bytes, "application/octet-stream", body.size))
    const allowed = body === undefined ? patience : Duration.seconds(30 + (2 * body.size) / 1_048_576)
    return yield* client.execute(complete).pipe(
      Effect.mapError(() => unavailable("cannot be reached")),
      Effect.timeoutOrElse({ duration: allowed, orElse: () => Effect.fail(unavailable("did not answer in time")) })
    )
  })
}

/** Tries again after a failure of the network or of the storage. A failure of the body's source is final. */
export const retried = <A, E, R>(
  effect: Effect.Effect<A, E | StoreUnavailable, R>
): Effect.Effect<A, E | StoreUnavailable, R> =>
  Effect.retry(effect, { schedule: pauses, times: retryTimes, while: (error) => error instanceof StoreUnavailable })
