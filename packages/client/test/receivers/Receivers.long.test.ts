import { spawnSync } from "node:child_process"
import { createHmac } from "node:crypto"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, assert, beforeAll, describe, it, vi } from "vitest"
import { signedDelivery } from "../webhooks/fixtures/signedDelivery.ts"
import type { RunningReceiver } from "./startReceiver.ts"
import { isInstalled, receiverFile, startReceiver } from "./startReceiver.ts"

const secrets = ["a secret that is plain text", `whsec_${Buffer.alloc(25, 7).toString("base64")}`] as const

const scratch = mkdtempSync(join(tmpdir(), "receivers-"))
afterAll(() => rmSync(scratch, { recursive: true }))

const builtGo = (): string => {
  const binary = join(scratch, "receiver")
  const { status, stderr } = spawnSync("go", ["build", "-o", binary, receiverFile("receiver.go")], {
    env: { HOME: process.env["HOME"], PATH: process.env["PATH"], GOCACHE: join(scratch, "cache"), GOFLAGS: "-mod=mod" },
    encoding: "utf8"
  })
  assert.strictEqual(status, 0, stderr)
  return binary
}

/** The fetch handler as other runtimes call it. */
const inProcess = async (secret: string): Promise<RunningReceiver> => {
  const { receive } = (await import(receiverFile("fetch.ts"))) as {
    readonly receive: (secret: string) => (request: Request) => Promise<Response>
  }
  const handle = receive(secret)
  const log: Array<string> = []
  const spy = vi.spyOn(console, "log").mockImplementation((...words) => void log.push(words.join(" ")))
  const post: RunningReceiver["post"] = async (body, headers) =>
    (await handle(new Request("https://receiver.example/", { method: "POST", body, headers }))).status
  return { post, log, stop: async () => spy.mockRestore() }
}

interface Language {
  readonly name: string
  readonly installed: boolean
  readonly start: (secret: string) => RunningReceiver | Promise<RunningReceiver>
}

const languages: ReadonlyArray<Language> = [
  { name: "fetch.ts", installed: true, start: inProcess },
  {
    name: "node.ts",
    installed: true,
    start: (secret) => startReceiver(process.execPath, [receiverFile("node.ts")], secret)
  },
  {
    name: "receiver.py",
    installed: isInstalled("python3", "--version"),
    start: (secret) => startReceiver("python3", [receiverFile("receiver.py")], secret)
  },
  {
    name: "receiver.go",
    installed: isInstalled("go", "version"),
    start: (secret) => startReceiver(builtGo(), [], secret)
  }
]

const pick = (headers: Readonly<Record<string, string>>, prefix: string) =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => name === "content-type" || name.startsWith(prefix)))

const minutes = 60_000

describe.each(languages)("the receiver $name of the documents (DELIVERY-14)", ({ installed, name, start }) => {
  if (!installed) {
    it.skip(`is not run: its language is not installed here`, () => {})
    process.stderr.write(`docs/receivers/${name} is not tested: its language is not installed here\n`)
    return
  }

  describe.each(secrets)("with the secret %s", (secret) => {
    let receiver: RunningReceiver
    beforeAll(async () => {
      receiver = await start(secret)
    })
    afterAll(() => receiver?.stop())

    it("accepts the service's signatures, with all headers or one family of them, and during a rotation", async () => {
      const { body, headers } = await signedDelivery({ secret, at: Date.now() })
      for (const sent of [headers, pick(headers, "x-service"), pick(headers, "webhook")])
        assert.strictEqual(await receiver.post(body, sent), 200)
      const rotated = await signedDelivery({ secret: "the secret after it", previous: secret, at: Date.now() })
      for (const sent of [rotated.headers, pick(rotated.headers, "x-service"), pick(rotated.headers, "webhook")])
        assert.strictEqual(await receiver.post(rotated.body, sent), 200)
    })

    it("responds with 401 to a changed body, a changed signature, a changed time, another secret, and no secret", async () => {
      const { body, headers } = await signedDelivery({ secret, at: Date.now() })
      const changed = body.replace("webhook.test", "webhook.tesT")
      for (const sent of [headers, pick(headers, "x-service"), pick(headers, "webhook")])
        assert.strictEqual(await receiver.post(changed, sent), 401)
      for (const header of ["x-service-signature", "webhook-signature", "webhook-id", "webhook-timestamp"])
        assert.strictEqual(await receiver.post(body, { ...headers, [header]: "1" }), 401, header)
      const foreign = await signedDelivery({ secret: "a secret of somebody else", at: Date.now() })
      assert.strictEqual(await receiver.post(foreign.body, foreign.headers), 401)
      assert.strictEqual(await receiver.post(body, {}), 401)
    })

    it("responds with 400 if the time is missing or differs by more than 5 minutes, or the body is not an event", async () => {
      for (const at of [Date.now() - 6 * minutes, Date.now() + 6 * minutes]) {
        const { body, headers } = await signedDelivery({ secret, at })
        for (const sent of [headers, pick(headers, "x-service"), pick(headers, "webhook")])
          assert.strictEqual(await receiver.post(body, sent), 400)
      }
      const { body, headers } = await signedDelivery({ secret, at: Date.now() })
      const { "x-service-timestamp": _, ...timeless } = pick(headers, "x-service")
      assert.strictEqual(await receiver.post(body, timeless), 400)
      for (const text of ["", "{", "{}", "[]", "null", '{"event":1,"timestamp":"","data":{}}']) {
        const signature = createHmac("sha256", secret).update(text).digest("hex")
        const signed = { "x-service-signature": signature, "x-service-timestamp": String(Date.now()) }
        assert.strictEqual(await receiver.post(text, signed), 400, text)
      }
      const almost = await signedDelivery({ secret, at: Date.now() - 4 * minutes })
      assert.strictEqual(await receiver.post(almost.body, almost.headers), 200)
    })

    it("handles a delivery once, however often it is received", async () => {
      const id = `dlv_once_${secret.length}`
      for (const at of [Date.now(), Date.now() + 1000]) {
        const { body, headers } = await signedDelivery({ secret, id, at })
        assert.strictEqual(await receiver.post(body, headers), 200)
      }
      assert.lengthOf(
        receiver.log.filter((line) => line === `${id} webhook.test`),
        1
      )
    })
  })
})
