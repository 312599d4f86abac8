import type { AccountId, ItemId } from "@agent-marketplace/core/ids/Ids"
import { dsseEnvelope, preAuthenticationEncoding } from "@agent-marketplace/core/signing/DsseEnvelope"
import { releaseStatement, statementPayloadType } from "@agent-marketplace/core/signing/Statement"
import { Result } from "effect"
import { sign } from "node:crypto"
import { assert, describe, it } from "vitest"
import { verifyStatement } from "../../src/signing/verifyStatement.ts"
import { testKey } from "./signer.ts"

describe("the statement that the market makes (SIGN-8)", () => {
  it("is the one that verifyStatement accepts, also with names outside of ASCII (SIGN-10)", async () => {
    const key = testKey("current")
    const files = [
      { path: "SKILL.md", sha256: "bb".repeat(32) },
      { path: "Übersicht 🦀.md", sha256: "cc".repeat(32) }
    ]
    const release = { itemId: "lst_1" as ItemId, version: "1.0.0", archive: "aa".repeat(32), files }
    const payload = Result.getOrThrow(
      releaseStatement({
        ...release,
        creator: "usr_1" as AccountId,
        ruleset: "2026.11.1",
        level: "notice",
        publishedAt: Date.parse("2026-05-20T00:00:00Z")
      })
    )
    const signature = sign(null, preAuthenticationEncoding(statementPayloadType, payload), key.privateKey)
    const envelope = dsseEnvelope(statementPayloadType, payload, key.kid, signature)
    const check = await verifyStatement(envelope, [key], release)
    assert.isTrue(check.valid)
    if (check.valid) assert.deepInclude(check.statement, { ...release, publishedAt: "2026-05-20T00:00:00.000Z" })
  })
})
