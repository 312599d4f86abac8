import { Text } from "../text/Text.ts"

const maxLength = 2000

/** A program on the person's own machine listens on a port that the system chooses (RFC 8252, 7.3). */
const loopbackHosts = new Set(["127.0.0.1", "[::1]", "localhost"])

const isLoopback = (url: URL): boolean => url.protocol === "http:" && loopbackHosts.has(url.hostname)

/** A scheme that an app owns is a reversed domain name (RFC 8252, 7.1), so `javascript:` and `data:` are none. */
const privateScheme = /^[a-z][a-z0-9+-]*(?:\.[a-z0-9+-]+)+:$/

const portless = (url: URL): string => {
  const copy = new URL(url.href)
  copy.port = ""
  return copy.href
}

/** The URI at which an application receives authorization codes (OAUTH-5). */
export const RedirectUri = {
  /** The violation of a URI that a client registers; undefined if it is valid. */
  violation: (text: string): string | undefined => {
    if (text.length > maxLength) return `must be at most ${maxLength} characters`
    if (!URL.canParse(text) || !Text.isClean(text) || /[\s\\*]/.test(text))
      return "must be an absolute URI without wildcards"
    const url = new URL(text)
    if (text.includes("#")) return "must not have a fragment"
    if (url.username !== "" || url.password !== "") return "must not carry credentials"
    if (url.protocol === "https:" || isLoopback(url) || privateScheme.test(url.protocol)) return undefined
    return "must be an HTTPS URL, an HTTP URL of a loopback address, or have a scheme such as com.example.app"
  },
  /** Whether a requested URI is a registered one: equal character for character, apart from the port of a loopback address. */
  matches: (registered: ReadonlyArray<string>, requested: string): boolean =>
    registered.includes(requested) ||
    (RedirectUri.violation(requested) === undefined &&
      isLoopback(new URL(requested)) &&
      registered.some((uri) => isLoopback(new URL(uri)) && portless(new URL(uri)) === portless(new URL(requested)))),
  /** The part of the URI that people see: the host, or the scheme of an app. */
  hostOf: (text: string): string => {
    const url = new URL(text)
    return url.host === "" ? url.protocol : url.host
  },
  /** The URI with further parameters. */
  withParameters: (text: string, parameters: Readonly<Record<string, string | null>>): string => {
    const added = Object.entries(parameters).flatMap(([name, value]) =>
      value === null ? [] : [`${encodeURIComponent(name)}=${encodeURIComponent(value)}`]
    )
    return `${text}${text.includes("?") ? "&" : "?"}${added.join("&")}`
  }
}
