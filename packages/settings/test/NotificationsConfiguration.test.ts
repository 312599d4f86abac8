import { Redacted, Result } from "effect"
import { createECDH } from "node:crypto"
import { assert, describe, it } from "vitest"
import { readConfiguration } from "../src/Configuration.ts"
import { noNotifications, notifierOptions } from "../src/NotificationsConfiguration.ts"
import { derivedSigningSeed } from "../src/SigningSeed.ts"

const read = (env: Readonly<Record<string, string>>) =>
  Result.match(readConfiguration(env), {
    onSuccess: ({ notifications }) => notifications,
    onFailure: ({ faults }) => faults
  })

const smtp = { SMTP_URL: "smtps://user:hidden-word@mail.shop.example", SMTP_FROM: "Market <market@shop.example>" }

const curve = createECDH("prime256v1")
curve.generateKeys()
const key = curve.getPrivateKey().toString("base64url").padStart(43, "A")

describe("the settings of notifications (NOTIFY-19)", () => {
  it("are absent by default", () => {
    assert.deepStrictEqual(read({}), noNotifications)
  })

  it("accept a mail server with its sender, a key and a contact", () => {
    const found = read({ ...smtp, VAPID_PRIVATE_KEY: key, VAPID_SUBJECT: "https://shop.example" })
    assert.isFalse(Array.isArray(found))
    assert.notInclude(JSON.stringify(found), "hidden-word")
    assert.notInclude(JSON.stringify(found), key)
  })

  it("are refused with the rule, and without their secret", () => {
    const refused: ReadonlyArray<readonly [env: Record<string, string>, fault: string]> = [
      [{ SMTP_URL: smtp.SMTP_URL }, "SMTP_FROM must be set with SMTP_URL"],
      [{ SMTP_FROM: smtp.SMTP_FROM }, "SMTP_URL must be set with SMTP_FROM"],
      [{ ...smtp, SMTP_URL: "https://hidden-word" }, "SMTP_URL must be a URL that starts with smtp:// or smtps://"],
      [{ ...smtp, SMTP_URL: "smtp://u:hidden-word@mail:99999" }, "SMTP_URL must have a port from 1 to 65535"],
      [{ ...smtp, SMTP_URL: "smtp://u:1/hidden-word@mail" }, "SMTP_URL must have the special characters"],
      [
        { ...smtp, SMTP_FROM: "market@shop.example\r\nBcc: eve@shop.example" },
        "SMTP_FROM must be an address, or a name and an address, such as Market <market@shop.example>"
      ],
      [
        { VAPID_PRIVATE_KEY: "hidden-word" },
        "VAPID_PRIVATE_KEY must be a private key of P-256, 32 bytes in base64url, such as that of: npx web-push generate-vapid-keys"
      ],
      [{ VAPID_PRIVATE_KEY: "A".repeat(43) }, "VAPID_PRIVATE_KEY must be a private key of P-256"],
      [{ VAPID_SUBJECT: "http://shop.example" }, "VAPID_SUBJECT must be mailto: with an address, or an https:// URL"]
    ]
    for (const [env, fault] of refused) {
      const faults = read(env)
      assert.isTrue(Array.isArray(faults))
      assert.include(String(faults), fault)
      assert.notInclude(String(faults), "hidden-word")
    }
  })

  it("derive the key of push messages from the signing key, the same in every process", () => {
    const seed = derivedSigningSeed(Redacted.make("a".repeat(32)))
    const keyOf = (given = seed) =>
      Redacted.value(notifierOptions(noNotifications, given, "http://localhost:3000").push.privateKey)
    assert.strictEqual(keyOf(), keyOf())
    assert.match(keyOf(), /^[A-Za-z0-9_-]{43}$/)
    assert.notStrictEqual(keyOf(), keyOf(derivedSigningSeed(Redacted.make("b".repeat(32)))))
  })

  it("name a contact for push services: the setting, the sender, or the public URL", () => {
    const seed = derivedSigningSeed(Redacted.make("a".repeat(32)))
    const from = { ...noNotifications, smtp: { url: Redacted.make("smtp://x"), from: smtp.SMTP_FROM } }
    const subjectOf = (options = noNotifications, baseUrl = "https://shop.example") =>
      notifierOptions(options, seed, baseUrl).push.subject
    assert.strictEqual(subjectOf({ ...from, vapidSubject: "mailto:ops@shop.example" }), "mailto:ops@shop.example")
    assert.strictEqual(subjectOf(from), "mailto:market@shop.example")
    assert.strictEqual(subjectOf(), "https://shop.example")
  })
})
