import { readdirSync, readFileSync } from "node:fs"

/** One response, and the request that it answers. */
interface Exchange {
  readonly url: string
  /** The credentials of the request: its `Authorization` and cookie. */
  readonly by: string
  /** All that the client sent. */
  readonly sent: string
  /** All that the client received: status, headers and body. */
  readonly got: string
}

const base64Forms = (bytes: Buffer): ReadonlyArray<string> =>
  [0, 1, 2].flatMap((shift) => {
    // Without the characters at both ends, which depend on the neighbours of the secret.
    const text = Buffer.concat([Buffer.alloc(shift), bytes])
      .toString("base64")
      .replace(/=+$/, "")
    const inner = text.slice(shift === 0 ? 0 : shift + 1, -1)
    return [inner, inner.replaceAll("+", "-").replaceAll("/", "_")]
  })

const percentForm = (bytes: Buffer): string =>
  [...bytes].map((byte) => `%${byte.toString(16).padStart(2, "0")}`).join("")

/** The secret as it may occur in a text: plain, in base64 at each offset, in hexadecimal, and encoded for URLs. Compared in lower case. */
const formsOf = (secret: string): ReadonlyArray<string> => {
  const bytes = Buffer.from(secret)
  const keys = [
    ...(/^[0-9a-f]{64}$/.test(secret) ? [Buffer.from(secret, "hex")] : []),
    ...(/^[\w+/-]{43}=?$/.test(secret) ? [Buffer.from(secret, "base64")] : [])
  ]
  const forms = [secret, encodeURIComponent(secret), percentForm(bytes)]
  for (const each of [bytes, ...keys]) forms.push(each.toString("hex"), ...base64Forms(each))
  return [...new Set(forms.map((form) => form.toLowerCase()))]
}

export const contains = (text: string, secret: string): boolean => {
  const lower = text.toLowerCase()
  return formsOf(secret).some((form) => lower.includes(form))
}

/** Where a secret occurs, with some characters before and after it. */
export const placesOf = (text: string, secret: string): ReadonlyArray<string> => {
  const lower = text.toLowerCase()
  return formsOf(secret).flatMap((form) => {
    const at = lower.indexOf(form)
    return at < 0 ? [] : [text.slice(Math.max(0, at - 160), at + form.length + 80)]
  })
}

const headersOf = (headers: Headers): string => [...headers].map(([name, value]) => `${name}: ${value}`).join("\n")

/** Records every request of this process to these origins until `stop`. */
export const recordExchanges = () => {
  const exchanges: Array<Exchange> = []
  const original = globalThis.fetch
  globalThis.fetch = async (input, init) => {
    const request = new Request(input, init)
    const body = await request.clone().text()
    const response = await original(input, init)
    const { headers, url } = request
    exchanges.push({
      url,
      by: `${headers.get("authorization") ?? ""} ${headers.get("cookie") ?? ""}`,
      sent: `${url}\n${headersOf(headers)}\n${body}`,
      got: `${response.status}\n${headersOf(response.headers)}\n${await response.clone().text()}`
    })
    return response
  }
  return { exchanges: exchanges as ReadonlyArray<Exchange>, stop: () => void (globalThis.fetch = original) }
}

/** The arguments of all processes that this user can see. */
export const commandLines = (): string =>
  readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map((pid) => {
      try {
        return readFileSync(`/proc/${pid}/cmdline`, "utf8")
      } catch {
        return ""
      }
    })
    .join("\n")
