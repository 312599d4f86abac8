/** The body of a response, typed only as loosely as a script needs. */
// oxlint-disable-next-line typescript/no-explicit-any -- the demo prints responses and checks nothing
export type Body = any

/** Calls the market and fails unless the call succeeds. */
export class DemoClient {
  readonly baseUrl: string
  constructor(baseUrl: string) {
    this.baseUrl = baseUrl
  }

  async call(method: string, path: string, token?: string, body?: unknown): Promise<Body> {
    const response = await fetch(this.baseUrl + path, {
      method,
      headers: {
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...(body === undefined ? {} : { "content-type": "application/json" })
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) })
    })
    const answer: Body = await response.json()
    if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${JSON.stringify(answer)}`)
    return answer
  }

  /** The `data` of a general envelope. */
  async data(method: string, path: string, token?: string, body?: unknown): Promise<Body> {
    return (await this.call(method, path, token, body)).data
  }
}
