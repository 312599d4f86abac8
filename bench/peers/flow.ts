/** Drives a shop with `fetch`: shops answer few requests, so that the client costs little. */

export interface Shop {
  readonly detail: (n: number) => Promise<void>
  readonly list: (n: number) => Promise<void>
  /** A list of 50 from an index, if the shop has one. */
  readonly search?: (n: number) => Promise<void>
  readonly order: (n: number) => Promise<void>
}

export interface Answer<A> {
  readonly body: A
  readonly headers: Headers
}

export const request = async <A>(
  url: string,
  headers: Readonly<Record<string, string>>,
  body?: object
): Promise<Answer<A>> => {
  const response = await fetch(url, {
    method: body === undefined ? "GET" : "POST",
    headers: { ...headers, ...(body === undefined ? {} : { "content-type": "application/json" }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) })
  })
  const text = await response.text()
  if (!response.ok) throw new Error(`${url}: ${response.status} ${text.slice(0, 500)}`)
  return { body: JSON.parse(text) as A, headers: response.headers }
}

const concurrency = 16

/** Completed calls each second. */
export const ratePerSecond = async (call: (n: number) => Promise<void>, seconds: number): Promise<number> => {
  let [sent, done] = [0, 0]
  const started = performance.now()
  const isOver = () => performance.now() - started > seconds * 1000
  const loop = async () => {
    while (!isOver()) {
      await call(sent++)
      done += 1
    }
  }
  await Promise.all(Array.from({ length: concurrency }, loop))
  return done / ((performance.now() - started) / 1000)
}
