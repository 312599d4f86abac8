import { domainNameOf } from "@agent-marketplace/core/domains/DomainName"
import { assert, describe, it } from "@effect/vitest"

describe("names of domains (DOMAIN-2)", () => {
  for (const [text, name] of [
    ["ada.dev", "ada.dev"],
    ["Ada.Dev.", "ada.dev"],
    ["  ada.dev ", "ada.dev"],
    ["bücher.de", "xn--bcher-kva.de"],
    ["BÜCHER.de", "xn--bcher-kva.de"],
    ["例え.jp", "xn--r8jz45g.jp"],
    ["a.b.co.uk", "a.b.co.uk"]
  ] as const) {
    it(`stores ${text} as ${name}`, () => assert.deepStrictEqual(domainNameOf(text), { name }))
  }

  const refused = [
    "",
    ".",
    "ada",
    "dev.",
    "-ada.dev",
    "ada-.dev",
    "a..dev",
    "ada_b.dev",
    "a b.dev",
    "https://ada.dev",
    "ada.dev/x",
    "ada.dev:443",
    "u@ada.dev",
    "ada.dev?x",
    "ada.dev#x",
    "127.0.0.1",
    "1",
    "0x7f.1",
    "0177.0.0.1",
    "127.1",
    "[::1]",
    "::1",
    "１２７.０.０.１",
    "\u0000.dev",
    "*.ada.dev",
    "localhost",
    "x.localhost",
    "printer.local",
    "a.test",
    "x.example",
    "example.com",
    "www.example.org",
    "a.invalid",
    "a.onion",
    "a.internal",
    "x.home.arpa",
    "1.0.0.127.in-addr.arpa",
    "a.alt",
    "a\u200b.localhost",
    `${"a".repeat(64)}.dev`,
    `${"a.".repeat(130)}dev`
  ]
  for (const text of refused) {
    it(`refuses ${JSON.stringify(text.slice(0, 30))}`, () => assert.property(domainNameOf(text), "fault"))
  }
})
