import { pushSubscription } from "@agent-marketplace/fixtures/notifications/pushSubscription"
import { importJWK, jwtVerify } from "jose"
import type { IncomingHttpHeaders } from "node:http"
import { assert, describe, it } from "vitest"
import { listen } from "../fixtures/listen.ts"
import { buyerOf, withMarket } from "../fixtures/market.ts"

interface Received {
  readonly url: string
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
}

/** A receiver on loopback that responds with the given status. */
const receiver = async () => {
  const received: Array<Received> = []
  const state = { status: 201 }
  const { stop, url } = await listen((request, response) => {
    const chunks: Array<Buffer> = []
    request.on("data", (chunk: Buffer) => chunks.push(chunk))
    request.on("end", () => {
      received.push({ url: request.url ?? "", headers: request.headers, body: Buffer.concat(chunks) })
      response.writeHead(state.status).end("secret words of the receiver")
    })
  })
  return { stop, url, received, state }
}

const baseUrl = "http://localhost:3000"

const depositOf = async (client: Awaited<ReturnType<typeof buyerOf>>) => (await client.wallet.deposit()).address

const issuesOf = async (call: Promise<unknown>): Promise<string> =>
  await call.then(
    () => assert.fail("it was accepted"),
    ({ code, details }: { code: string; details: unknown }) => `${code} ${JSON.stringify(details)}`
  )

describe("push messages", () => {
  it("are encrypted for the browser and signed with the market's key; 410 removes the channel (NOTIFY-13, NOTIFY-15, NOTIFY-16)", async () => {
    const service = await receiver()
    try {
      await withMarket(
        async (market) => {
          const ada = await buyerOf(market, "1")
          const { publicKey } = await ada.notifications.pushKey()
          const { auth, decrypt, p256dh } = pushSubscription()
          const endpoint = `${service.url}/send/1`
          const channel = await ada.notifications.channels.add({ kind: "push", endpoint, p256dh, auth })
          assert.isTrue(channel.verified)
          const address = await depositOf(ada)
          await market.simulation.deposit(address, "2")
          await market.simulation.advance(4)
          const [message, ...more] = service.received
          assert.lengthOf(more, 0)
          assert.isDefined(message)
          assert.strictEqual(message.headers["content-encoding"], "aes128gcm")
          assert.match(String(message.headers["topic"]), /^[A-Za-z0-9_-]{32}$/)
          assert.isAbove(Number(message.headers["ttl"]), 0)
          const { id, ...shown } = JSON.parse(decrypt(message.body)) as Record<string, unknown>
          assert.match(String(id), /^ntc_/)
          const text = "A deposit of 2.00 USDT has arrived"
          assert.deepStrictEqual(shown, { urgent: false, title: text, body: text, url: baseUrl })

          const [, token = "", key = ""] =
            /^vapid t=([^,]+), ?k=(\S+)$/.exec(message.headers["authorization"] ?? "") ?? []
          assert.strictEqual(key, publicKey)
          const point = Buffer.from(key, "base64url")
          const x = point.subarray(1, 33).toString("base64url")
          const y = point.subarray(33).toString("base64url")
          const verified = await jwtVerify(token, await importJWK({ kty: "EC", crv: "P-256", x, y }, "ES256"))
          assert.strictEqual(verified.payload.aud, service.url)
          assert.match(String(verified.payload.sub), /^mailto:|^https:/)

          service.state.status = 410
          await market.simulation.deposit(address, "2")
          await market.simulation.advance(4)
          assert.lengthOf(await ada.notifications.channels.list(), 0)
        },
        { baseUrl }
      )
    } finally {
      await service.stop()
    }
  })

  it("go to public addresses only, and need the keys of a browser (NOTIFY-9)", () =>
    withMarket(async (market) => {
      const ada = market.as({ id: "ada", name: "Ada" })
      const { auth, p256dh } = pushSubscription()
      const add = (fields: object) =>
        issuesOf(
          ada.notifications.channels.add({ kind: "push", endpoint: "https://push.ada.dev/1", p256dh, auth, ...fields })
        )
      assert.match(await add({ endpoint: "https://10.0.0.1/1" }), /VALIDATION_ERROR.*"endpoint"/)
      assert.match(await add({ endpoint: "http://push.ada.dev/1" }), /VALIDATION_ERROR.*"endpoint"/)
      assert.match(await add({ p256dh: "short" }), /VALIDATION_ERROR.*"p256dh"/)
      assert.match(await add({ auth: "short" }), /VALIDATION_ERROR.*"auth"/)
      for (const [kind, fields] of [
        ["slack", {}],
        ["discord", {}],
        ["telegram", { chatId: "1" }]
      ] as const) {
        const refused = ada.notifications.channels.add({ kind, url: "https://169.254.169.254/latest", ...fields })
        assert.match(await issuesOf(refused), /VALIDATION_ERROR.*"url"/)
      }
      const chat = ada.notifications.channels.add({ kind: "telegram", url: "https://api.ada.dev/x", chatId: "a b" })
      assert.match(await issuesOf(chat), /VALIDATION_ERROR.*"chatId"/)
    }))
})

describe("chat messages", () => {
  it("have the body that each service expects, and mention nobody (NOTIFY-3, NOTIFY-8)", async () => {
    const service = await receiver()
    try {
      await withMarket(
        async (market) => {
          const seller = market.as({ id: "seller", name: "Seller", seller: true })
          const buyer = await buyerOf(market, "100")
          const secret = "T0-B0-secret"
          const { channels } = seller.notifications
          const added = [
            await channels.add({ kind: "slack", url: `${service.url}/slack/${secret}` }),
            await channels.add({ kind: "discord", url: `${service.url}/discord/${secret}` }),
            await channels.add({ kind: "telegram", url: `${service.url}/bot${secret}/sendMessage`, chatId: "-100123" })
          ]
          assert.notInclude(JSON.stringify([added, await channels.list()]), secret)
          const skill = await seller.skills.create({
            name: "<!channel> @everyone **Sale** & more",
            description: "Sorts a day's mail.",
            price: 10
          })
          await buyer.skills.buy({ skillId: skill.id })
          await market.simulation.advance(1)
          assert.lengthOf(service.received, 3)
          const bodyOf = (path: string) => {
            const found = service.received.find(({ url }) => url.startsWith(path)) ?? assert.fail(`nothing at ${path}`)
            assert.strictEqual(found.headers["content-type"], "application/json")
            return JSON.parse(found.body.toString("utf8")) as Record<string, unknown>
          }
          const slack = bodyOf("/slack")
          assert.include(slack["text"], "You sold &lt;!channel&gt; @everyone **Sale** &amp; more for 10.00 USDT.")
          const discord = bodyOf("/discord")
          assert.include(discord["content"], "\\<!channel\\> \\@everyone \\*\\*Sale\\*\\* & more")
          assert.deepStrictEqual(discord["allowed_mentions"], { parse: [] })
          const telegram = bodyOf("/bot")
          assert.strictEqual(telegram["chat_id"], "-100123")
          assert.notProperty(telegram, "parse_mode")
          for (const text of [slack["text"], discord["content"], telegram["text"]]) {
            assert.include(text, `${baseUrl}/notifications/unsubscribe?token=`)
          }

          const next = await seller.skills.create({
            name: "httpful **Sale**",
            description: "Sorts a day's mail.",
            price: 5
          })
          await buyer.skills.buy({ skillId: next.id })
          await buyer.skills.review(next.id, { rating: 5, comment: "Good." })
          await market.simulation.advance(1)
          const written = service.received
            .filter(({ url }) => url.startsWith("/discord"))
            .map(({ body }) => String(body))
          assert.isTrue(written.some((text) => text.includes("httpful \\\\*\\\\*Sale\\\\*\\\\* has a new review")))

          service.state.status = 404
          await buyer.skills.buy({
            skillId: (await seller.skills.create({ name: "Other", description: "Sorts a day's mail.", price: 5 })).id
          })
          await market.simulation.advance(1)
          for (const channel of await channels.list()) {
            assert.deepInclude(channel, { enabled: false, problem: "the receiver responded with HTTP 404" })
          }
          const again = await channels.update(added[0]?.id ?? "", { enabled: true })
          assert.deepInclude(again, { enabled: true, problem: null })
        },
        { baseUrl }
      )
    } finally {
      await service.stop()
    }
  })
})
