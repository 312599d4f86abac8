import { InstallError } from "../InstallError.ts"
import { shown } from "../tree/shown.ts"

const schemes = (allowLoopback: boolean) => (allowLoopback ? /^https?:\/\//i : /^https:\/\//i)

/**
 * A source that may be fetched, read strictly: what a URL parser would repair silently (line breaks, blanks, backslashes) is refused,
 * and so is all that git would take for an option, a command, a file or another protocol.
 */
export const sourceUrl = (text: string, allowLoopback: boolean): URL => {
  const refused = (rule: string) => new InstallError(`the source ${shown(text)} ${rule}`)
  if (text.length > 2048) throw refused("has more than 2,048 characters")
  if (!schemes(allowLoopback).test(text)) throw refused("must be an HTTPS URL")
  if (/[\s\\]|[^\P{C}\p{Cn}]/u.test(text))
    throw refused("must not have blanks, line breaks, backslashes or control characters")
  if (!URL.canParse(text)) throw refused("must be a valid URL")
  const url = new URL(text)
  if (url.username !== "" || url.password !== "") throw refused("must not carry credentials")
  return url
}
