import { Data } from "effect"

/** No operation has this path. */
export class RouteNotFound extends Data.TaggedError("RouteNotFound")<{}> {}

/** The path exists for other methods: `allow` lists them. */
export class MethodNotAllowed extends Data.TaggedError("MethodNotAllowed")<{ readonly allow: ReadonlyArray<string> }> {}

/** The body is larger than `maxBytes`. */
export class PayloadTooLarge extends Data.TaggedError("PayloadTooLarge")<{ readonly maxBytes: number }> {}

/** The `Host` of the request is not a name of this service. */
export class Misdirected extends Data.TaggedError("Misdirected")<{}> {}

/** A body that is not JSON. */
export class UnsupportedMediaType extends Data.TaggedError("UnsupportedMediaType")<{
  /** The media types of an upload; absent if the body must be JSON. */
  readonly allowed?: ReadonlyArray<string>
}> {}

/** `resetAt` in milliseconds since the epoch; `window` as in RATE_LIMIT_EXCEEDED (ERROR-19): `1m`, `1h`. */
export class RateLimited extends Data.TaggedError("RateLimited")<{
  readonly resetAt: number
  readonly limit: number
  readonly window: string
}> {}

/** The process has as many open streams as it serves. */
export class Overloaded extends Data.TaggedError("Overloaded")<{}> {}

/** The process has more requests than it can answer in time (LOAD-5). The request has had no effect. */
export class ServiceOverloaded extends Data.TaggedError("ServiceOverloaded")<{}> {}

/** A defect. Its cause is only in the log, under the request's id. */
export class InternalFault extends Data.TaggedError("InternalFault")<{}> {}

/** What can go wrong with a request before or beside the market itself. */
export type HttpFault =
  | RouteNotFound
  | MethodNotAllowed
  | Misdirected
  | PayloadTooLarge
  | UnsupportedMediaType
  | RateLimited
  | Overloaded
  | ServiceOverloaded
  | InternalFault
