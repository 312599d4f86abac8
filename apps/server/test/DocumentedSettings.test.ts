import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "vitest"

const root = new URL("../../..", import.meta.url).pathname

const text = (path: string): string => readFileSync(join(root, path), "utf8")

const sources = readdirSync(join(root, "packages/settings/src"))
  .map((name) => text(`packages/settings/src/${name}`))
  .join("\n")

/** The variables of TRON, of screening, of signing, of blobs, of notifications and of OpenTelemetry that the settings read; some are built from a prefix. */
const variables = [
  ...new Set([
    ...[...sources.matchAll(/"((?:TR(?:ON|X)|SCREENING|MARKET|BLOB|S3|SMTP|VAPID|OTEL)_[A-Z_]+|BLOBS)"/g)].map(
      ([, name = ""]) => name
    ),
    ...["TRON_SIGNER", "TRON_SECOND_SIGNER"].flatMap((prefix) =>
      ["URL", "CERT", "KEY", "CA"].map((part) => `${prefix}_${part}`)
    )
  ])
]
  .filter((name) => name !== "TRON_SIGNER" && name !== "TRON_SECOND_SIGNER")
  .sort()

/** Whether the name is there as a whole, not as a part of another one. */
const names = (where: string, name: string): boolean => new RegExp(`(?<![A-Z_])${name}(?![A-Z_])`).test(where)

describe("the settings of TRON, of screening, of signing, of blobs, of notifications and of OpenTelemetry (CONFIG-18, CONFIG-25, NOTIFY-19)", () => {
  it("are all found", () => {
    assert.include(variables, "TRON_QUORUM")
    assert.include(variables, "TRON_SECOND_SIGNER_ADDRESS")
    assert.include(variables, "TRX_USDT_RATE")
    assert.include(variables, "SCREENING_DENY_LISTS")
    assert.include(variables, "MARKET_SIGNING_KEY")
    assert.includeMembers(variables, ["BLOBS", "BLOB_FOLDER", "S3_SECRET_ACCESS_KEY"])
    assert.includeMembers(variables, ["OTEL_EXPORTER_OTLP_ENDPOINT", "OTEL_EXPORTER_OTLP_HEADERS"])
    assert.includeMembers(variables, ["SMTP_URL", "SMTP_FROM", "VAPID_PRIVATE_KEY", "VAPID_SUBJECT"])
    assert.isAbove(variables.length, 20)
  })

  for (const path of ["docs/operations.md", "docs/reference/configuration.md", "compose.yaml", ".env.example"])
    it(`are all in ${path}`, () => {
      const content = text(path)
      assert.deepStrictEqual(
        variables.filter((name) => !names(content, name)),
        []
      )
    })
})
