import * as fc from "fast-check"
import { assert, describe, it } from "vitest"
import { DisplayName } from "../../src/activity/DisplayName.ts"
import { ApiKeyToken } from "../../src/identity/ApiKeyToken.ts"
import { LicenseKey } from "../../src/purchases/LicenseKey.ts"

const secrets = [
  "ada@example.com",
  "Ada <ada.l+x@mail.example.co.uk>",
  "ada＠example．com",
  "ada@localhost",
  "ada at example.com",
  "https://example.com/x",
  "HTTP://EXAMPLE",
  "ftp://files",
  "www.example",
  "example.com/x",
  "Visit Example.IO now",
  "docs.example.museum",
  "example.com.",
  "пример.рф",
  "example。com",
  "e\u200bxample.c\u202eom",
  "bit.ly/2x",
  "evil.js.com",
  "x.js/y",
  "10.0.0.1",
  "TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t",
  "pay:TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t!",
  "TR7NHqjeKQxGTCi8\u200dq8ZY4pL8otSzgjLj6t",
  "0x7e5f4552091a69125d5dfcb7b8c2659029395bdf",
  "0x7E5F4552091A69125d5DfCb7b8C2659029395Bdf wallet",
  "417e5f4552091a69125d5dfcb7b8c2659029395bdf",
  "a".repeat(64),
  "1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa",
  "bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq",
  "usr_123",
  "by agt_0f3k",
  "LST_abc",
  "soul_01hx5y7zk",
  "whsec_abcd",
  "123e4567-e89b-12d3-a456-426614174000",
  LicenseKey.make(new Uint8Array(15).fill(9)),
  LicenseKey.make(new Uint8Array(15).fill(9)).replaceAll("-", ""),
  ApiKeyToken.make(new Uint8Array(24).fill(9))
]

const ordinary = [
  "Ada Lovelace",
  "Dr. Ada L. Lovelace, Ph.D.",
  "Ada @ Work",
  "@ada",
  "日本語の名前",
  "你好。世界",
  "Zoë Łukasz",
  "Node.js Toolkit",
  "SOUL.md Writer",
  "ASP.NET helper",
  "GPT-4.1 tuner v2.0",
  "A/B tests: 50% off (today)",
  "Tom's_bot-3000",
  "soul_assistant",
  "Donaudampfschifffahrtsgesellschaft",
  "Wait... what?",
  "🦀 Crab"
]

describe("DisplayName (FEED-16)", () => {
  it.each(secrets)("hides %o", (name) => {
    assert.strictEqual(DisplayName.public(name), "A creator")
    assert.strictEqual(DisplayName.publicItem(name), "a skill")
  })

  it.each(ordinary)("shows %o", (name) => {
    assert.strictEqual(DisplayName.public(name), name)
    assert.strictEqual(DisplayName.publicItem(name), name)
  })

  it("drops control, bidirectional and zero-width characters", () => {
    assert.strictEqual(
      DisplayName.public("A\u0000d\u001b[31ma\u202e\u200b\u2066 \ufeffL\u00ad\u3164\ud800"),
      "Ad[31ma L"
    )
    for (const nothing of ["", "  ", "\n\t", "\u200b\u200d", "\u00a0\u3000", "\u2800", "\udc00"]) {
      assert.strictEqual(DisplayName.public(nothing), "A creator")
      assert.strictEqual(DisplayName.publicItem(nothing), "a skill")
    }
  })

  it("never shows an address, at any position and with any characters inserted", () => {
    const around = fc.constantFrom("", " ", "(", "Ada ", "日本", ": ", "\n", "🦀")
    const strewn = fc.constantFrom("", "\u200b", "\u202e", "\u0000", "\u2060")
    fc.assert(
      fc.property(
        fc.constantFrom(...secrets.slice(0, 28)),
        around,
        around,
        fc.nat(),
        strewn,
        (secret, before, after, at, extra) => {
          const cut = at % secret.length
          const name = `${before}${secret.slice(0, cut)}${extra}${secret.slice(cut)}${after}`
          assert.strictEqual(DisplayName.public(name), "A creator")
        }
      )
    )
  })

  it("returns a visible, trimmed text, and returns that text unchanged", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 100 }), (name) => {
        const shown = DisplayName.public(name)
        assert.notStrictEqual(shown.trim(), "")
        assert.notMatch(shown, /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u)
        assert.strictEqual(DisplayName.public(shown), shown)
      })
    )
  })
})
