import { hostUsersContract } from "@agent-marketplace/testkit/identity/HostUsersContract"
import { exportJWK, generateKeyPair, SignJWT, UnsecuredJWT } from "jose"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { once } from "node:events"
import { afterAll, assert, describe, it } from "vitest"
import { createMarketplace } from "../../src/createMarketplace.ts"
import { issuedUsers } from "../../src/identity/issuedUsers.ts"
import { hostUserSource } from "../../src/marketLayer.ts"
import { memoryStorage } from "../../src/storage/memoryStorage.ts"

const own = await generateKeyPair("ES256")
const foreign = await generateKeyPair("ES256")
const publicKey = { ...(await exportJWK(own.publicKey)), kid: "one", alg: "ES256" }

let keysAreAway = false
const server = createServer((_request, response) => {
  if (keysAreAway) return void response.writeHead(500).end()
  response.setHeader("content-type", "application/json").end(JSON.stringify({ keys: [publicKey] }))
})
server.listen(0, "127.0.0.1")
await once(server, "listening")
afterAll(() => void server.close())

const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
const audience = "https://market.example"

const unsigned = (claims: object, subject = "17", kid = "one") =>
  new SignJWT({ name: "Alice", ...claims })
    .setProtectedHeader({ alg: "ES256", kid })
    .setSubject(subject)
    .setIssuer(issuer)
    .setAudience(audience)
    .setExpirationTime("1h")

const bearer = (token: string) => ({ authorization: `Bearer ${token}` })
const tokenOf = async (claims: object = {}, subject?: string) =>
  bearer(await unsigned(claims, subject).sign(own.privateKey))

const recognise = issuedUsers([{ issuer, audience }])

hostUsersContract("tokens of an outside issuer", hostUserSource(recognise), {
  one: await tokenOf(),
  again: await tokenOf({ jti: "another" }),
  other: await tokenOf({}, "18"),
  ended: bearer(await unsigned({}).setExpirationTime("-1h").sign(own.privateKey))
})

describe("trusted issuers (EMBED-9)", () => {
  it("a token acts for the account of its subject, with the scope that the host derives from its claims", async () => {
    const users = issuedUsers([
      { issuer, audience, scope: ({ role }) => (role === "buyer" ? "BUYER" : role === "none" ? null : "READ") }
    ])
    const market = await createMarketplace({ storage: memoryStorage(), users })
    const get = async (headers: Readonly<Record<string, string>>, method = "GET", path = "/api/v1/account") =>
      market.fetch(
        new Request(`http://localhost:3000${path}`, {
          method,
          headers: { ...headers, "content-type": "application/json" },
          ...(method === "GET" ? {} : { body: JSON.stringify({ skillId: "lst_nothing" }) })
        })
      )
    const account = async (headers: Readonly<Record<string, string>>) =>
      ((await (await get(headers)).json()) as { data: { id: string; name: string } }).data
    const alice = await account(await tokenOf())
    assert.strictEqual(alice.name, "Alice")
    assert.strictEqual((await account(await tokenOf({ role: "buyer" }))).id, alice.id)
    assert.notStrictEqual((await account(await tokenOf({}, "18"))).id, alice.id)
    assert.strictEqual((await get(await tokenOf(), "POST", "/api/v1/purchases")).status, 403)
    assert.strictEqual((await get(await tokenOf({ role: "buyer" }), "POST", "/api/v1/purchases")).status, 404)
    assert.strictEqual((await get(await tokenOf({ role: "none" }))).status, 401)
    await market.close()
  })

  it("tokens of other issuers, audiences and keys, without end or subject, and not yet valid, are refused", async () => {
    const signed = (token: SignJWT, key = own.privateKey) => token.sign(key)
    const refused = [
      signed(unsigned({}).setIssuer("https://evil.example")),
      signed(unsigned({}).setIssuer(`${issuer}/`)),
      signed(unsigned({}).setAudience("https://other.example")),
      signed(unsigned({}), foreign.privateKey),
      signed(unsigned({}, "17", "two")),
      signed(unsigned({}, "")),
      signed(unsigned({}).setNotBefore("1h")),
      signed(
        new SignJWT({ name: "Alice" })
          .setProtectedHeader({ alg: "ES256", kid: "one" })
          .setSubject("17")
          .setIssuer(issuer)
          .setAudience(audience)
      ),
      new UnsecuredJWT({ name: "Alice" })
        .setSubject("17")
        .setIssuer(issuer)
        .setAudience(audience)
        .setExpirationTime("1h")
        .encode(),
      // The public key as a shared secret.
      new SignJWT({})
        .setProtectedHeader({ alg: "HS256", kid: "one" })
        .setSubject("17")
        .setIssuer(issuer)
        .setAudience(audience)
        .setExpirationTime("1h")
        .sign(new TextEncoder().encode(JSON.stringify(publicKey)))
    ]
    for (const token of refused) assert.isNull(await recognise(bearer(await token)), await token)
    assert.isNotNull(await recognise(await tokenOf()))
  })

  it("subjects of two issuers are two users, and an e-mail address counts only if the issuer verified it", async () => {
    const user = await recognise(await tokenOf({ email: "a@example.com" }))
    assert.strictEqual(user?.id, `${issuer} 17`)
    assert.isNull(user?.email)
    const verified = await recognise(await tokenOf({ email: "a@example.com", email_verified: true }))
    assert.strictEqual(verified?.email, "a@example.com")
    const long = await recognise(await tokenOf({ name: "x".repeat(300) }, "s".repeat(300)))
    assert.isAtMost(long?.id.length ?? 0, 255)
    assert.strictEqual(long?.name.length, 100)
  })

  it("while the keys cannot be read, a request gets 503 and not 401", async () => {
    keysAreAway = true
    const market = await createMarketplace({ storage: memoryStorage(), users: issuedUsers([{ issuer, audience }]) })
    const request = new Request("http://localhost:3000/api/v1/account", { headers: await tokenOf() })
    assert.strictEqual((await market.fetch(request)).status, 503)
    keysAreAway = false
    await market.close()
  })

  it("wrong issuers are reported together, each with its rule", () => {
    assert.throws(
      () =>
        issuedUsers([
          { issuer: "http://issuer.example", audience: "" },
          { issuer: "https://user:secret@issuer.example", audience: "a", jwksUri: "keys" }
        ]),
      /issuers\[0\]\.issuer: must be an HTTPS URL\nissuers\[0\]\.audience: must not be empty\nissuers\[1\]\.issuer: must not contain credentials\nissuers\[1\]\.jwksUri: must be a URL$/
    )
    assert.throws(() => issuedUsers([]), /at least one issuer/)
  })
})
