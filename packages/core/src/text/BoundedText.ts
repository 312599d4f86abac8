import { Schema, SchemaTransformation } from "effect"
import { Text } from "./Text.ts"

const lengthRule = (min: number, max: number): string => {
  if (min === 0) return `must be at most ${max} characters`
  return min === max ? `must be ${min} characters` : `must be ${min} to ${max} characters`
}

/**
 * A text that, after trimming, has `min` to `max` Unicode code points and no NUL or unpaired surrogates (TEXT-1). Every broken rule is
 * reported.
 */
export const boundedText = ({ min, max }: { readonly min: number; readonly max: number }) =>
  Schema.String.annotate({ message: "must be a string" })
    .check(
      Schema.makeFilter(
        (value) => {
          const length = Text.codePoints(value.trim())
          const issues: Array<string> = []
          if (length < min || length > max) issues.push(lengthRule(min, max))
          if (!Text.isClean(value)) issues.push("must not contain NUL or unpaired surrogates")
          return issues
        },
        { toJsonSchema: () => ({ ...(min > 0 ? { minLength: min } : {}), maxLength: max }) }
      )
    )
    .pipe(Schema.decodeTo(Schema.String, SchemaTransformation.trim()))
    .annotateKey({ messageMissingKey: "is required" })
