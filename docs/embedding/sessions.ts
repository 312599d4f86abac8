// A host's sessions in signed cookies, which identify the user. A token (JWT) or a table of sessions works too.
import type { RecogniseUser } from "@agent-marketplace/embed/options/MarketplaceOptions"
import { createHmac, timingSafeEqual } from "node:crypto"

export interface Sessions {
  /** The cookie of a session that ends after this many seconds, as a browser returns it. */
  readonly begin: (user: { readonly id: string; readonly name: string }, seconds: number) => string
  /** The `Set-Cookie` header that gives a browser that cookie: for this host only, over HTTPS, hidden from scripts, and not sent by other sites. */
  readonly setCookie: (cookie: string, seconds: number) => string
  readonly recognise: RecogniseUser
}

export const makeSessions = (secret: string): Sessions => {
  const sign = (text: string) => createHmac("sha256", secret).update(text).digest("base64url")

  const isOurs = (text: string, signature: string) => {
    const [expected, given] = [Buffer.from(sign(text)), Buffer.from(signature)]
    return expected.length === given.length && timingSafeEqual(expected, given)
  }
  return {
    begin: ({ id, name }, seconds) => {
      const until = Date.now() + seconds * 1000
      const text = Buffer.from(JSON.stringify({ id, name, until })).toString("base64url")
      return `session=${text}.${sign(text)}`
    },
    setCookie: (cookie, seconds) => `__Host-${cookie}; Path=/; Max-Age=${seconds}; Secure; HttpOnly; SameSite=Lax`,
    recognise: ({ cookie = "" }) => {
      const [, text = "", signature = ""] = /(?:^|; )(?:__Host-)?session=([\w-]+)\.([\w-]+)(?:;|$)/.exec(cookie) ?? []
      if (!isOurs(text, signature)) return null
      const { id, name, until } = JSON.parse(Buffer.from(text, "base64url").toString())
      return until > Date.now() ? { id, name, seller: true } : null
    }
  }
}
