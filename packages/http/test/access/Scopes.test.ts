import { readFileSync } from "node:fs"
import { afterAll, assert, describe, it } from "vitest"
import { adminToken, startMarket } from "../fixtures/startMarket.ts"

const baseUrl = "https://market.test"
const market = startMarket({ http: { baseUrl } })
afterAll(() => market.stop())

const scopes = ["READ", "BUYER", "SELLER", "FULL"] as const

const agentOf = async (owner: string): Promise<string> =>
  (await market.send("POST", "/api/v1/agents", { key: owner, body: { name: "Helper" } })).body.data.id

/** A key with each scope, by `name` and scope. */
const eachScope = async (name: string, owner: string, more: object = {}): Promise<Record<string, string>> =>
  Object.fromEntries(
    await Promise.all(
      scopes.map(async (scope) => [`${name}${scope}`, await market.keyOf(owner, { scope, ...more })] as const)
    )
  )

const owner = await market.account({ seller: true })
const agentId = await agentOf(owner.key)
const stray = await market.send("POST", "/api/v1/agents/register", { body: { name: "Stray" } })

const froze = await market.account({ seller: true })
const frozenAgent = await agentOf(owner.key)
const retired = await agentOf(owner.key)
const plain = await market.account()
const erased = await market.account()

const full = (more: object = {}) => market.keyOf(owner.key, { scope: "FULL", ...more })

const deactivated = await market.send("POST", "/api/v1/keys", { key: owner.key, body: { name: "Key", scope: "FULL" } })
const [rotated, outlived] = [await full(), await full()]

/** The key of each column of docs/access.md. */
const keys: Record<string, string | undefined> = {
  ...(await eachScope("", owner.key)),
  "FULL, no seller": plain.key,
  "FULL, rotated": rotated,
  ...(await eachScope("agent ", owner.key, { agentId })),
  unclaimed: stray.body.data.apiKey.key as string,
  ...(await eachScope("frozen account ", froze.key)),
  ...(await eachScope("frozen account's agent ", froze.key, { agentId: await agentOf(froze.key) })),
  ...(await eachScope("frozen agent ", owner.key, { agentId: frozenAgent })),
  none: undefined,
  deactivated: deactivated.body.data.key as string,
  expired: await full({ expiresAt: new Date(Date.now() + 60_000).toISOString() }),
  "rotated, after the grace": outlived,
  "retired agent": await full({ agentId: retired }),
  "erased account": erased.key,
  "erased account's agent": await market.keyOf(erased.key, { scope: "FULL", agentId: await agentOf(erased.key) }),
  operator: adminToken
}

const done = async (method: string, path: string, key: string | undefined, body?: object): Promise<void> => {
  const { status, text } = await market.send(method, path, { key, ...(body === undefined ? {} : { body }) })
  assert.include([200, 201], status, text)
}

for (const key of Object.values(keys)) if (key !== undefined && key !== adminToken) await done("GET", "/api/souls", key)
await done("POST", "/api/v1/keys/refresh", rotated)
await done("POST", "/api/v1/keys/refresh", outlived, { graceSeconds: 60 })
await done("DELETE", `/api/v1/keys/${deactivated.body.data.id}`, owner.key)
await done("DELETE", `/api/v1/agents/${retired}`, owner.key)
await done("POST", `/api/v1/agents/${frozenAgent}/freeze`, owner.key)
await done("POST", `/api/v1/admin/accounts/${froze.id}/freeze`, adminToken, { reason: "a test" })
await done("DELETE", "/api/v1/account", erased.key)
await done("POST", "/api/v1/admin/clock", adminToken, { advanceSeconds: 120 })

type Credential = Readonly<Record<string, string>>

/** The headers of a page of the service in a browser that has signed in. */
const signIn = async (credential: Credential): Promise<Credential> => {
  const { headers, status, text } = await market.send("POST", "/api/v1/sessions", { body: credential })
  assert.strictEqual(status, 201, text)
  return { cookie: headers.get("set-cookie")?.split(";")[0] ?? "", origin: baseUrl, "x-requested-with": "console" }
}

const operators = await market.account({ seller: true })
await market.send("PATCH", `/api/v1/admin/accounts/${operators.id}`, { key: adminToken, body: { operator: true } })

/** The credentials that sign in for each column of docs/access.md. */
const people: Readonly<Record<string, Credential>> = {
  session: { apiKey: owner.key },
  "session, no seller": { apiKey: plain.key },
  "frozen account's session": { apiKey: froze.key },
  "session of an operator's account": { apiKey: operators.key },
  "session of the operator's token": { adminToken }
}

/** The headers of a session by its column; some operations end it. */
const sessions = new Map<string, Credential>()

const headersOf = async (kind: string, credential: Credential): Promise<Credential> => {
  const known = sessions.get(kind)
  if (known !== undefined) return known
  const headers = await signIn(credential)
  sessions.set(kind, headers)
  return headers
}

const cells = (line: string): ReadonlyArray<string> =>
  line
    .split("|")
    .slice(1, -1)
    .map((cell) => cell.trim())

/** The tables, each with its columns and its rows. */
const tables = readFileSync(new URL("../../../../docs/access.md", import.meta.url), "utf8")
  .split("\n## ")
  .slice(1)
  .map((section) => {
    const [title = "", ...lines] = section.split("\n")
    const [header = "", , ...rows] = lines.filter((line) => line.startsWith("|"))
    return { title, columns: cells(header).slice(1), rows }
  })

const codes: Readonly<Record<string, readonly [status: number, codes: ReadonlyArray<string>]>> = {
  "401": [401, ["INVALID_API_KEY"]],
  "403": [403, ["INSUFFICIENT_PERMISSIONS"]],
  unclaimed: [403, ["AGENT_NOT_CLAIMED"]],
  frozen: [403, ["ACCOUNT_FROZEN", "AGENT_FROZEN"]]
}

/** What a request gets that the table does not say, if anything. */
const wrong = async (operation: string, kind: string, wanted: string): Promise<string | undefined> => {
  const [method = "", path = ""] = operation.split(" ")
  const url = path.replace(/:[A-Za-z]+/g, "nothing")
  // An erasure that is allowed ends its account, which the following rows need: it gets one of its own.
  const erases = operation === "DELETE /api/v1/account" && wanted === "yes"
  const key = erases ? (await market.account({ seller: !kind.endsWith(", no seller") })).key : keys[kind]
  const person = people[kind]
  const caller =
    person === undefined
      ? { key }
      : { headers: erases ? await signIn({ apiKey: key ?? "" }) : await headersOf(kind, person) }
  const { body, status, text } = await market.send(method, url, {
    ...caller,
    body: method === "GET" ? undefined : {}
  })
  if (operation === "DELETE /api/v1/sessions/current") sessions.delete(kind)
  const refusal = codes[wanted]
  if (refusal === undefined) {
    // The following rows use the renewed key.
    if (status === 201 && path.endsWith("/keys/refresh") && kind !== "FULL, rotated") keys[kind] = body.data.key
    const isAllowed = wanted === "yes" && status < 500 && ![401, 403, 405, 413, 415, 429].includes(status)
    return isAllowed ? undefined : `${kind}: ${status} ${text}`
  }
  const isSoulError = typeof body?.error === "string" && Object.keys(body).length === 1
  const isRefused = status === refusal[0] && (isSoulError || refusal[1].includes(body?.error.code))
  return isRefused ? undefined : `${kind}: ${status} ${text}`
}

describe("access to operations (SCOPE-1 to SCOPE-6, AGENT-12, AGENT-14, ACCOUNT-12): every cell of docs/access.md", () => {
  it("has a column for each kind of key and each kind of session (SESSION-3, SESSION-15, SESSION-16)", () => {
    assert.deepStrictEqual(
      tables.flatMap(({ columns }) => columns),
      [...Object.keys(keys), ...Object.keys(people)]
    )
  })

  for (const { columns, rows, title } of tables) {
    it.each(rows.map(cells))(`%s: ${title}`, async (name, ...wanted) => {
      const found: Array<string> = []
      for (const [i, kind] of columns.entries()) {
        const difference = await wrong(name!.replaceAll("`", ""), kind, wanted[i] ?? "")
        if (difference !== undefined) found.push(difference)
      }
      assert.deepStrictEqual(found, [])
    })
  }
})

describe("the body of a refusal (ERROR-3, ERROR-5)", () => {
  const refusal = async (method: string, path: string, kind: string) => {
    const { body } = await market.send(method, path, { key: keys[kind], body: method === "GET" ? undefined : {} })
    return [body.error.code, body.error.details]
  }
  it("names the scopes, the owner or the operator", async () => {
    assert.deepStrictEqual(await refusal("POST", "/v1/listings", "READ"), [
      "INSUFFICIENT_PERMISSIONS",
      { required: ["SELLER", "FULL"] }
    ])
    assert.deepStrictEqual(await refusal("POST", "/api/v1/keys", "agent FULL"), [
      "INSUFFICIENT_PERMISSIONS",
      { required: ["owner"] }
    ])
    assert.deepStrictEqual(await refusal("POST", "/api/v1/keys", "BUYER"), [
      "INSUFFICIENT_PERMISSIONS",
      { required: ["FULL"] }
    ])
    assert.deepStrictEqual(await refusal("GET", "/api/v1/wallet/balance", "unclaimed"), ["AGENT_NOT_CLAIMED", {}])
  })

  it("a READ key may renew itself (KEY-8, SCOPE-4)", async () => {
    assert.strictEqual((await market.send("POST", "/api/v1/keys/refresh", { key: keys.READ })).status, 201)
  })

  it("an account that is not a seller cannot create a listing, whatever it sends (ACCOUNT-4)", async () => {
    const plain = await market.account()
    const listing = {
      name: "CSV",
      description: "Cleans CSV files.",
      price: 2,
      category: "data",
      installUrl: "https://a.b/c"
    }
    for (const path of ["/v1/listings", "/api/v1/listings", "/api/v1/skills"]) {
      for (const sent of [listing, {}]) {
        const { body, status } = await market.send("POST", path, { key: plain.key, body: sent })
        assert.deepStrictEqual([status, body.error.details], [403, { required: ["seller account"] }])
      }
    }
  })
})

describe("SIGNUP=admin (ACCOUNT-1, CONFIG-6)", () => {
  it("only the operator's token can create accounts", async () => {
    const closed = startMarket({ http: { signup: "admin" } })
    const signUp = async (key?: string) => {
      const { status } = await closed.send("POST", "/api/v1/accounts", { key, body: { name: "Ada" } })
      return status
    }
    assert.strictEqual(await signUp(), 401)
    assert.strictEqual(await signUp("nonsense"), 401)
    assert.strictEqual(await signUp(adminToken), 201)
    const { key } = await closed.account()
    assert.strictEqual(await signUp(key), 403)
    await closed.stop()
  })
})
