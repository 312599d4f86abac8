import { assert, describe, it } from "vitest"
import { browserOf } from "../web/app/pages/security/browserOf.ts"

describe("the name of a session's browser (CONSOLE-74)", () => {
  it("is what people call it, and otherwise what the browser sends", () => {
    const edge = "Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 Chrome/130.0 Safari/537.36 Edg/130.0"
    assert.strictEqual(browserOf(edge), "Edge on Windows")
    assert.strictEqual(browserOf("Mozilla/5.0 (iPhone; like Mac OS X) Version/18.0 Safari/604.1"), "Safari on iPhone")
    assert.strictEqual(browserOf("curl/8.0"), "curl/8.0")
    assert.strictEqual(browserOf(null), "A browser without a name")
  })
})
