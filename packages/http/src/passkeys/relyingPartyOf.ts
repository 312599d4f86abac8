import { isIP } from "node:net"
import { isLoopbackName } from "../edge/TrustedHost.ts"

/** The host and origin of passkeys, or the reason why they are off (PASSKEY-8). */
export type RelyingPartyPlace =
  | { readonly _tag: "On"; readonly id: string; readonly origin: string }
  | { readonly _tag: "Off"; readonly rule: string }

const off = (rule: string): RelyingPartyPlace => ({ _tag: "Off", rule })

const nameOf = ({ hostname }: URL): string => hostname.replace(/^\[|\]$/g, "")

const isAddress = (url: URL): boolean => isIP(nameOf(url)) !== 0

/** The URL at which people open the service. A loopback address becomes `localhost`, because browsers bind passkeys to names only. */
export const pagesUrl = (baseUrl: string): string => {
  if (!URL.canParse(baseUrl)) return baseUrl
  const url = new URL(baseUrl)
  if (isAddress(url) && isLoopbackName(nameOf(url))) url.hostname = "localhost"
  return url.href.replace(/\/+$/, "")
}

/**
 * The host that passkeys are bound to, and the origin of the pages that use them. Browsers accept only domain names, and only pages over HTTPS
 * or on localhost.
 */
export const relyingPartyOf = (baseUrl: string | undefined): RelyingPartyPlace => {
  if (baseUrl === undefined) return off("BASE_URL is not set")
  const url = new URL(pagesUrl(baseUrl))
  if (isAddress(url)) return off("passkeys need a domain name, and BASE_URL has an IP address")
  if (url.protocol !== "https:" && !isLoopbackName(url.hostname)) {
    return off("browsers use passkeys only on pages over HTTPS or on localhost, and BASE_URL has plain HTTP")
  }
  return { _tag: "On", id: url.hostname, origin: url.origin }
}
