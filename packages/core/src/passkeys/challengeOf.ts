import { Base64Url } from "effect/encoding"
import { Option, Result, Schema } from "effect"

const decode = Schema.decodeUnknownOption(Schema.fromJsonString(Schema.Struct({ challenge: Schema.String })))

/** The challenge in a browser's answer, not yet verified. */
export const challengeOf = (clientDataJSON: string): string | undefined => {
  const text = Base64Url.decodeString(clientDataJSON)
  const found = Result.isSuccess(text) ? decode(text.success) : Option.none()
  return Option.isSome(found) ? found.value.challenge : undefined
}
