const parts = /^([^/?#]*@)?([^/?#]*)(.*)$/s

const specials =
  "must have the special characters of its user name and password percent-encoded, such as %2F for /, %23 for #, %3F for ? and %25 for %"

const isPort = (text: string): boolean => /^\d{1,5}$/.test(text) && Number(text) >= 1 && Number(text) <= 65_535

const isDecodable = (text: string): boolean => {
  try {
    decodeURIComponent(text)
    return true
  } catch {
    return false
  }
}

/**
 * What is wrong with a URL that may name a user and a password (CONFIG-30); undefined if nothing is. The message never contains a part of the URL, because a
 * password that is not encoded can be anywhere in it.
 */
export const faultOfUrl = (value: string, schemes: ReadonlyArray<string>): string | undefined => {
  const scheme = schemes.find((candidate) => value.toLowerCase().startsWith(`${candidate}//`))
  if (scheme === undefined)
    return `must be a URL that starts with ${schemes.map((candidate) => `${candidate}//`).join(" or ")}`
  const [, login = "", host = "", rest = ""] = parts.exec(value.slice(scheme.length + 2)) ?? []
  const [path = "", ...query] = rest.split("?")
  // An @ after the host is that of a login whose password has a /, # or ?.
  if (login === "" && (path.includes("@") || (path === "" && query.join("?").split("&")[0]?.includes("@"))))
    return specials
  if (rest.includes("#") || !isDecodable(login)) return specials
  const [, port] = /:([^:\]]*)$/.exec(host) ?? []
  if (port !== undefined && port !== "" && !isPort(port)) return "must have a port from 1 to 65535 after its host"
  return URL.canParse(value) ? undefined : "must name a host by its name or address"
}
