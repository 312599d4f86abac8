import { Effect, Redacted, Result } from "effect"
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { readConfiguration } from "../src/Configuration.ts"
import { configuredSigningSeed } from "../src/configuredSigningSeed.ts"
import { startWarnings } from "../src/marketConfig.ts"

const seedText = "PLDm1rE9I3Kx8Rk0Yw5q7TzqvN2cF4hJ6bUaXoVtGsM="
const adminToken = "operator-token-for-tests-0123456789abcdef"
const databaseUrl = "postgres://market@db/market"

const configurationOf = (env: Readonly<Record<string, string>>) =>
  Result.getOrThrowWith(readConfiguration(env), ({ faults }) => new Error(faults.join("; ")))

const seedOf = async (env: Readonly<Record<string, string>>): Promise<string> =>
  Buffer.from(Redacted.value(await Effect.runPromise(configuredSigningSeed(configurationOf(env))))).toString("base64")

describe("MARKET_SIGNING_KEY (CONFIG-16)", () => {
  let folder: string
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "agent-marketplace-signing-"))
  })
  afterAll(() => rm(folder, { recursive: true }))

  it("is 32 bytes in base64 or base64url", async () => {
    assert.strictEqual(await seedOf({ MARKET_SIGNING_KEY: seedText }), seedText)
    const url = Buffer.from(seedText, "base64").toString("base64url")
    assert.strictEqual(await seedOf({ MARKET_SIGNING_KEY: ` ${url}\n` }), seedText)
  })

  it.each([
    ["too short", seedText.slice(4)],
    ["too long", `AAAA${seedText}`],
    ["in hex", Buffer.from(seedText, "base64").toString("hex")],
    ["a PEM file", "-----BEGIN PRIVATE KEY-----\nMC4CAQAwBQYDK2VwBCIEIA\n-----END PRIVATE KEY-----"],
    ["with a wrong character", seedText.replace("P", "!")],
    ["all zeros", Buffer.alloc(32).toString("base64")]
  ])("%s: is refused by name, and never printed", (_, value) => {
    const read = readConfiguration({ MARKET_SIGNING_KEY: value })
    if (Result.isSuccess(read)) return assert.fail("was accepted")
    assert.deepStrictEqual(read.failure.faults, [
      "MARKET_SIGNING_KEY must be 32 random bytes in base64, such as the output of: openssl rand -base64 32"
    ])
  })

  it("without it, processes that share a database by DATABASE_URL derive the same key from ADMIN_TOKEN, with a warning in production", async () => {
    const shared = { DATABASE_URL: databaseUrl, ADMIN_TOKEN: adminToken, NODE_ENV: "production" }
    const derived = await seedOf({ ...shared, DATA_DIR: join(folder, "one") })
    assert.strictEqual(await seedOf({ ...shared, DATA_DIR: join(folder, "two") }), derived)
    assert.notStrictEqual(await seedOf({ ...shared, ADMIN_TOKEN: adminToken.replace("0", "1") }), derived)
    const warns = (env: Readonly<Record<string, string>>) =>
      startWarnings(configurationOf(env)).some((text) => text.includes("MARKET_SIGNING_KEY"))
    assert.isTrue(warns(shared))
    assert.isFalse(warns({ ...shared, MARKET_SIGNING_KEY: seedText }))
    assert.isFalse(warns({ ...shared, NODE_ENV: "" }))
  })

  it("with the embedded database it is made once and kept in DATA_DIR; a damaged file is refused by name", async () => {
    const env = { ADMIN_TOKEN: adminToken, DATA_DIR: join(folder, "kept") }
    const kept = await seedOf(env)
    assert.strictEqual(await seedOf(env), kept)
    const file = join(folder, "kept", "signing-key")
    assert.strictEqual(Buffer.from(await readFile(file, "utf8"), "base64").toString("base64"), kept)
    await writeFile(file, "damaged\n")
    const refused = await Effect.runPromise(Effect.flip(configuredSigningSeed(configurationOf(env))))
    assert.include(refused.message, "signing-key must be 32 random bytes in base64")
    assert.include(refused.message, "MARKET_SIGNING_KEY")
  })

  it("a market in memory makes a new key at each start", async () => {
    assert.notStrictEqual(await seedOf({ STORAGE: "memory" }), await seedOf({ STORAGE: "memory" }))
  })
})
