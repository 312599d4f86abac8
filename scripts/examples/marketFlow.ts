import { deepStrictEqual, match, strictEqual } from "node:assert"
import { request } from "node:http"

const json = "application/json"

const content = "# SOUL\n\n## Identity\nA tutor that never hurries.\n"

interface Wish {
  readonly method?: string
  readonly key?: string
  readonly body?: unknown
  readonly raw?: BodyInit
}

const ask = async (url: string, { body, key, method = "GET", raw }: Wish = {}) => {
  const payload = raw ?? (body === undefined ? undefined : JSON.stringify(body))
  const response = await fetch(url, {
    method,
    headers: {
      ...(payload === undefined ? {} : { "content-type": json }),
      ...(key === undefined ? {} : { authorization: `Bearer ${key}` })
    },
    ...(payload === undefined ? {} : { body: payload, duplex: "half" })
  } as RequestInit)
  const text = await response.text()
  const isJson = response.headers.get("content-type")?.startsWith(json) === true && text !== ""
  return { status: response.status, headers: response.headers, text, body: isJson ? JSON.parse(text) : undefined }
}

/** The remaining rate limit of a client at that address of this machine; undefined if the machine has no such address. */
const remainingFor = (url: string, localAddress: string): Promise<number | undefined> =>
  new Promise((resolve, reject) => {
    const sent = request(url, { localAddress }, (response) => {
      response.resume()
      resolve(Number(response.headers["x-ratelimit-remaining"]))
    })
    sent.once("error", (error: NodeJS.ErrnoException) =>
      error.code === "EADDRNOTAVAIL" || error.code === "EINVAL" ? resolve(undefined) : reject(error)
    )
    sent.end()
  })

const register = async (url: string): Promise<string> => {
  const { body, status, text } = await ask(`${url}/api/v1/accounts`, { method: "POST", body: { name: "Ada" } })
  strictEqual(status, 201, text)
  return body.data.apiKey.key
}

const publishAndRead = async (url: string, key: string): Promise<void> => {
  const soul = { name: "Patient Tutor", description: "Explains in small steps.", content }
  const created = await ask(`${url}/api/v1/souls/create`, { method: "POST", key, body: soul })
  strictEqual(created.status, 201, created.text)
  const read = await ask(`${url}/api/souls/${created.body.slug}`, { key })
  strictEqual(read.body.soul.content, content)
  const list = await ask(`${url}/api/souls?limit=1`, { key })
  strictEqual(list.body.pagination.total, 1)
}

/** Documents, images and errors use the path at which the market is mounted. */
const standsWhereItIsMounted = async (url: string, key: string): Promise<void> => {
  const { origin, pathname } = new URL(url)
  const document = await ask(`${url}/openapi.json`)
  deepStrictEqual(document.body.servers ?? [], pathname === "/" ? [] : [{ url: pathname }])
  match((await ask(`${url}/docs`)).text, /^<!doctype html>/)
  const { body } = await ask(`${url}/api/v1/wallet/deposit`, { key })
  const picture = await ask(origin + new URL(body.data.qrCode).pathname)
  deepStrictEqual([picture.status, picture.headers.get("content-type")], [200, "image/png"])
  const nothing = await ask(`${url}/nothing`)
  deepStrictEqual([nothing.status, nothing.body.error.code], [404, "NOT_FOUND"])
  const wrong = await ask(`${url}/api/souls`, { method: "DELETE", key })
  deepStrictEqual([wrong.status, wrong.headers.get("allow")], [405, "HEAD, GET"])
  if (pathname !== "/") strictEqual((await ask(`${origin}/`)).text, "The rest of the site\n")
}

/** The host has no body parser that runs before the market's own limits. */
const boundsBodies = async (url: string): Promise<void> => {
  const account = (raw: BodyInit) => ask(`${url}/api/v1/accounts`, { method: "POST", raw })
  const broken = await account("{ no json")
  deepStrictEqual([broken.status, broken.body.error.details.issues[0].message], [400, "must be valid JSON"])
  const large = "x".repeat(1_100_000)
  const streamed = new ReadableStream({
    start(controller) {
      controller.enqueue(new TextEncoder().encode(large))
      controller.close()
    }
  })
  for (const body of [large, streamed]) {
    const answer = await account(body)
    deepStrictEqual([answer.status, answer.body?.error.code], [413, "PAYLOAD_TOO_LARGE"])
  }
}

/** Requests are counted separately for each client. */
const countsEachAddress = async (url: string): Promise<void> => {
  const path = `${url}/api/souls`
  const before = await remainingFor(path, "127.0.0.1")
  strictEqual(await remainingFor(path, "127.0.0.1"), (before ?? 0) - 1)
  const other = await remainingFor(path, "127.0.0.2")
  if (other !== undefined) strictEqual(other, 59)
}

/** Tests a running market at that URL with a short sequence of requests. */
export const marketFlow = async (url: string): Promise<void> => {
  strictEqual((await ask(`${url}/healthz`)).body.status, "ok")
  strictEqual((await ask(`${url}/healthz`, { method: "HEAD" })).status, 200)
  const key = await register(url)
  await publishAndRead(url, key)
  await standsWhereItIsMounted(url, key)
  await boundsBodies(url)
  await countsEachAddress(url)
}
