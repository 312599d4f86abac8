import { assert, describe, it } from "vitest"
import type { PublicKeys } from "../../src/signing/checkSignature.ts"
import { verifyAdvisory } from "../../src/signing/verifyAdvisory.ts"
import type { Envelope } from "../../src/signing/verifyEnvelope.ts"
import { verifyStatement } from "../../src/signing/verifyStatement.ts"
import type { ExpectedRelease, StatedFile } from "../../src/signing/verifyStatement.ts"
import { signedEnvelope, testKey, withFlippedBits } from "./signer.ts"

const key = testKey("current")
const keys = { keys: [key] }
const type = "application/vnd.in-toto+json"
const [archive, skill, script] = ["aa", "bb", "cc"].map((byte) => byte.repeat(32)) as [string, string, string]

const subject = (name: string, sha256: string) => ({ name, digest: { sha256 } })

const predicate = {
  itemId: "lst_1",
  version: "1.2.0",
  creator: "usr_1",
  ruleset: "2026.11.1",
  level: "clean",
  publishedAt: "2026-05-20T00:00:00.000Z"
}

const statement = {
  _type: "https://in-toto.io/Statement/v1",
  predicate,
  predicateType: "urn:agent-marketplace:release:v1",
  // A file may have the archive's name.
  subject: [subject("archive", archive), subject("SKILL.md", skill), subject("archive", script)]
}

const files: [StatedFile, StatedFile] = [
  { path: "archive", sha256: script },
  { path: "SKILL.md", sha256: skill }
]

const release: ExpectedRelease = { itemId: "lst_1", version: "1.2.0", archive, files }

const signed = (content: object = statement): Envelope => signedEnvelope(key, type, content)

const reasonOf = async (envelope: Envelope, expected: ExpectedRelease = release, known: PublicKeys = keys) => {
  const check = await verifyStatement(envelope, known, expected)
  return check.valid ? undefined : check.reason
}

describe("verifyStatement (SIGN-10)", () => {
  it("accepts the statement of the release, and returns what it says", async () => {
    const check = await verifyStatement(signed(), keys, release)
    const { subject: _, ...stated } = { ...predicate, subject: statement.subject, archive }
    assert.deepStrictEqual(check, {
      valid: true,
      statement: { ...stated, files: [files[1], files[0]] }
    })
    assert.isUndefined(await reasonOf(signed(), { ...release, files: undefined }))
  })

  it.each([
    ["of another item", "other_item", { itemId: "lst_2" }],
    ["of another version", "other_version", { version: "1.3.0" }],
    ["about another archive", "other_archive", { archive: skill }],
    ["without one of the files", "other_files", { files: [...files, { path: "extra.sh", sha256: skill }] }],
    ["with one file more", "other_files", { files: files.slice(1) }],
    ["about other bytes of a file", "other_files", { files: [files[0], { path: "SKILL.md", sha256: script }] }],
    ["about a file of another name", "other_files", { files: [files[0], { path: "skill.md", sha256: skill }] }]
  ])("refuses a genuine statement %s: %s", async (_, reason, expected) => {
    assert.strictEqual(await reasonOf(signed(), { ...release, ...expected } as ExpectedRelease), reason)
  })

  it("refuses further signatures, other payload types and other fields", async () => {
    const { signatures, ...rest } = signed()
    const [first] = signatures
    const other = signedEnvelope(testKey("other"), type, statement).signatures[0]
    const changed: ReadonlyArray<readonly [unknown, string]> = [
      [{ ...rest, signatures: [first, first] }, "other_signatures"],
      [{ ...rest, signatures: [first, other] }, "other_signatures"],
      [{ ...rest, signatures: [] }, "other_signatures"],
      [{ ...rest, signatures: null }, "malformed"],
      [{ ...rest, signatures: [{ ...first, cert: "" }] }, "malformed"],
      [{ ...rest, signatures, note: 1 }, "malformed"],
      [{ ...rest, signatures, payload: `${rest.payload} ` }, "malformed"],
      [{ ...rest, signatures, payloadType: "application/json" }, "other_type"],
      [signedEnvelope(key, "application/json", statement), "other_type"],
      [{ ...signedEnvelope(key, "application/json", statement), payloadType: type }, "bad_signature"],
      [null, "malformed"],
      ["", "malformed"]
    ]
    for (const [envelope, reason] of changed) assert.strictEqual(await reasonOf(envelope as Envelope), reason)
  })

  it("refuses what the market signed about something else than a release", async () => {
    const others = [
      { ...statement, _type: "https://in-toto.io/Statement/v0.1" },
      { ...statement, predicateType: "urn:agent-marketplace:release:v2" },
      { ...statement, subject: statement.subject.slice(1) },
      { ...statement, subject: [{ name: "archive", digest: { md5: "aa" } }] },
      { ...statement, predicate: { ...predicate, version: 2 } },
      { ...statement, predicate: null }
    ]
    for (const other of others) assert.strictEqual(await reasonOf(signed(other)), "malformed")
  })

  it("refuses unknown keys, and keys that were retired at the statement's date", async () => {
    assert.strictEqual(await reasonOf(signed(), release, []), "unknown_key")
    assert.strictEqual(await reasonOf(signed(), release, [testKey("current")]), "bad_signature")
    const retired = (retiredAt: string) => reasonOf(signed(), release, [{ ...key, retiredAt }])
    assert.strictEqual(await retired(predicate.publishedAt), "retired_key")
    assert.isUndefined(await retired("2026-05-20T00:00:00.001Z"))
    const undated = signed({ ...statement, predicate: { ...predicate, publishedAt: "soon" } })
    assert.strictEqual(await reasonOf(undated, release, [{ ...key, retiredAt: "2027-01-01T00:00:00Z" }]), "retired_key")
  })

  const parsed = (text: string): Envelope | undefined => {
    try {
      return JSON.parse(text) as Envelope
    } catch {
      return undefined
    }
  }

  it("notices every flipped bit of an envelope, and of the statement in it", async () => {
    const envelope = signed()
    for (const text of withFlippedBits(JSON.stringify(envelope))) {
      const changed = parsed(text)
      if (changed !== undefined) assert.isDefined(await reasonOf(changed), text)
    }
    for (const text of withFlippedBits(JSON.stringify(statement))) {
      const payload = Buffer.from(text).toString("base64")
      assert.isDefined(await reasonOf({ ...envelope, payload }), text)
    }
  })
})

describe("verifyAdvisory (SIGN-11)", () => {
  const fields = { id: "adv_1", itemId: "lst_1", versions: ["1.0.0"], publishedAt: "2026-05-20T00:00:00.000Z" }
  const advisoryType = "application/vnd.agent-marketplace.advisory+json"
  const row = { ...fields, envelope: signedEnvelope(key, advisoryType, fields) }
  const reasonOfRow = async (advisory: typeof row, known: PublicKeys = keys) => {
    const check = await verifyAdvisory(advisory, known)
    return check.valid ? undefined : check.reason
  }

  it("accepts exactly the fields that were signed", async () => {
    assert.isUndefined(await reasonOfRow(row))
    assert.strictEqual(await reasonOfRow({ ...row, versions: [] }), "other_fields")
    assert.strictEqual(await reasonOfRow({ ...row, more: 1 } as typeof row), "other_fields")
    const { itemId: _, ...less } = row
    assert.strictEqual(await reasonOfRow(less as typeof row), "other_fields")
    assert.strictEqual(await reasonOfRow({ ...row, envelope: signed() as typeof row.envelope }), "other_type")
    assert.strictEqual(await reasonOfRow(row, [{ ...key, retiredAt: fields.publishedAt }]), "retired_key")
  })
})
