import { Result, Schema, SchemaIssue } from "effect"
import * as fc from "fast-check"
import { assert, describe, it } from "vitest"
import { httpsUrl } from "../../src/text/HttpsUrl.ts"

const messages = (input: unknown): ReadonlyArray<string> =>
  Result.match(Schema.decodeUnknownResult(httpsUrl)(input, { errors: "all" }), {
    onSuccess: () => [],
    onFailure: (error) => SchemaIssue.makeFormatterStandardSchemaV1()(error.issue).issues.map(({ message }) => message)
  })

describe("httpsUrl (LISTING-9)", () => {
  it.each([
    "https://example.com",
    "https://example.com:8443/a/b?c=d#e",
    "HTTPS://Example.com/@scope/pkg",
    "https://127.0.0.1/x",
    "https://[::1]:3000/hook",
    "https://例え.jp/パス",
    `https://example.com/${"a".repeat(2028)}`
  ])("accepts %s unchanged", (url) => {
    assert.strictEqual(Schema.decodeSync(httpsUrl)(url), url)
  })

  it.each([
    "",
    "example.com",
    "http://example.com",
    "ftp://example.com",
    "https:",
    "https://",
    "https:///x",
    "https:example.com",
    "https:\\\\example.com",
    "https://a\\b",
    "https://user@example.com",
    "https://user:pw@example.com",
    "https://@example.com",
    " https://example.com",
    "https://exam ple.com",
    "https://example.com/\n",
    "https://example.com/\0",
    "https://?q",
    "https://#x",
    "https://exa%mple.com",
    "https://[::1",
    "https://example.com:99999",
    "javascript:alert(1)",
    "https://a/\ud800"
  ])("refuses %o", (url) => {
    assert.deepStrictEqual(messages(url), ["must be a valid HTTPS URL"])
  })

  it("refuses values that are too long or not a string", () => {
    assert.deepStrictEqual(messages(`https://example.com/${"a".repeat(2029)}`), ["must be at most 2048 characters"])
    for (const other of [1, null, undefined, {}, []]) assert.deepStrictEqual(messages(other), ["must be a string"])
  })

  it("accepts every web address with https and none without", () => {
    fc.assert(
      fc.property(fc.webUrl({ validSchemes: ["https"], withQueryParameters: true }), (url) => {
        assert.deepStrictEqual(messages(url), [])
        assert.deepStrictEqual(messages(url.replace("https", "http")), ["must be a valid HTTPS URL"])
      })
    )
  })
})
