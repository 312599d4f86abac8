import { Data } from "effect"

/** The codes of RFC 6749, 7591, 8628 and 8707 that are used. */
export type OauthErrorCode =
  | "access_denied"
  | "authorization_pending"
  | "expired_token"
  | "invalid_client"
  | "invalid_client_metadata"
  | "invalid_grant"
  | "invalid_redirect_uri"
  | "invalid_request"
  | "invalid_scope"
  | "invalid_target"
  | "request_not_supported"
  | "slow_down"
  | "unauthorized_client"
  | "unsupported_grant_type"
  | "unsupported_response_type"

/** A refusal in the form of OAuth's RFCs. The description is for developers and contains no input. */
export class OauthError extends Data.TaggedError("OauthError")<{
  readonly error: OauthErrorCode
  readonly description: string
}> {}

/** An error with its code and a description for developers. */
export const oauthError = (error: OauthErrorCode, description: string): OauthError =>
  new OauthError({ error, description })
