import { isIP } from "node:net"

/** The name of a `Host` header, without its port. */
const nameOf = (host: string): string => {
  const text = host.trim().toLowerCase()
  const bracketed = /^\[([^\]]*)\]/.exec(text)?.[1]
  return bracketed ?? text.replace(/:\d*$/, "").replace(/\.$/, "")
}

export const isLoopbackName = (name: string): boolean =>
  name === "localhost" || name.endsWith(".localhost") || name === "::1" || (isIP(name) === 4 && name.startsWith("127."))

/**
 * Whether a request names this service: by the host of `baseUrl`, by one of the further names, or by a loopback name where `loopback` is
 * set. The name of another site may resolve to this machine (DNS rebinding), and only the `Host` header shows it.
 */
export const makeNamesService = (
  baseUrl: string | undefined,
  further: ReadonlyArray<string>,
  loopback: boolean
): ((request: { readonly headers: Readonly<Record<string, string | undefined>> }) => boolean) => {
  const known = new Set(further.map(nameOf))
  if (baseUrl !== undefined) known.add(nameOf(new URL(baseUrl).host))
  return ({ headers }) => {
    const host = headers["host"]
    // The request of a fetch handler has its host in the URL.
    if (host === undefined) return true
    const name = nameOf(host)
    return known.has(name) || (loopback && isLoopbackName(name))
  }
}
