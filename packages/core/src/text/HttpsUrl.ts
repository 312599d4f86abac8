import { Schema } from "effect"

const maxLength = 2048

const isHttpsUrl = (value: string): boolean => {
  // The URL parser accepts blanks, backslashes and missing slashes, but only well-formed URLs may be stored and shown.
  if (!/^https:\/\/[^\s\\/?#@][^\s\\]*$/i.test(value) || /[\p{Cc}\p{Cs}]/u.test(value)) return false
  if (!URL.canParse(value)) return false
  const url = new URL(value)
  return url.protocol === "https:" && url.username === "" && url.password === ""
}

/** A valid HTTPS URL of at most 2048 characters, without credentials (LISTING-9). Stored as sent. */
export const httpsUrl = Schema.String.annotate({ message: "must be a string" })
  .check(
    Schema.makeFilter(
      (value) => {
        if (value.length > maxLength) return `must be at most ${maxLength} characters`
        return isHttpsUrl(value) ? undefined : "must be a valid HTTPS URL"
      },
      { toJsonSchema: () => ({ format: "uri", pattern: "^[hH][tT][tT][pP][sS]://", maxLength }) }
    )
  )
  .annotateKey({ messageMissingKey: "is required" })
