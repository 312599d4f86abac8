import { MarketplaceError } from "@agent-marketplace/client/MarketplaceError"
import { TestAuthority } from "@agent-marketplace/fixtures/tls/TestAuthority"
import { assert, describe, it } from "vitest"
import type { TronOptions } from "../../src/chain/tronChain.ts"
import { tronChain } from "../../src/chain/tronChain.ts"
import { createMarketplace } from "../../src/createMarketplace.ts"
import type { MarketplaceOptions } from "../../src/options/MarketplaceOptions.ts"
import { memoryStorage } from "../../src/storage/memoryStorage.ts"
import type { PostgresOptions } from "../../src/storage/postgresStorage.ts"
import { postgresStorage } from "../../src/storage/postgresStorage.ts"
import { xpub } from "../fixtures/xpub.ts"

const lasting = postgresStorage({ url: "postgres://nobody:hunter2@127.0.0.1:9/none" })

/** Every error as `path message`. */
const faultsOf = async (work: () => unknown): Promise<ReadonlyArray<string>> => {
  try {
    await work()
  } catch (error) {
    assert.instanceOf(error, MarketplaceError)
    const { code, details, message, statusCode } = error as MarketplaceError
    assert.deepStrictEqual([code, statusCode], ["VALIDATION_ERROR", 400])
    const issues = details["issues"] as ReadonlyArray<{ readonly path: string; readonly message: string }>
    for (const issue of issues) assert.include(message, `${issue.path} ${issue.message}`)
    return issues.map((issue) => `${issue.path} ${issue.message}`)
  }
  return []
}

const create = (options: object) => () => createMarketplace(options as MarketplaceOptions)

describe("options", () => {
  it("a storage is required, and the errors name what a persistent one requires", async () => {
    for (const nothing of [{}, undefined, null, { storage: undefined, secret: undefined }]) {
      assert.deepStrictEqual(await faultsOf(create(nothing as object)), [
        "storage is required: memoryStorage(), sqliteStorage({ file }) or postgresStorage({ url })"
      ])
    }
    assert.deepStrictEqual(await faultsOf(create({ storage: lasting })), [
      "secret is required with a persistent storage (at least 32 characters)",
      "baseUrl is required with a persistent storage"
    ])
  })

  it("every wrong value and every unknown name is reported together, without secrets (EMBED-2)", async () => {
    const faults = await faultsOf(
      create({
        storage: "memory",
        secrt: "x",
        secret: "hunter2",
        baseUrl: "ftp://x",
        users: {},
        review: "never",
        platformFeeBps: 10_001,
        withdrawalFee: 1,
        withdrawalMinimum: "-5",
        adminToken: "short",
        redisUrl: "http://x",
        trustedProxies: "127.0.0.1",
        jobs: "yes",
        chain: null
      })
    )
    assert.deepStrictEqual(faults, [
      "storage is required: memoryStorage(), sqliteStorage({ file }) or postgresStorage({ url })",
      "secrt is not an option",
      "secret must have at least 32 characters",
      "baseUrl must be a URL that starts with http:// or https://",
      "users must be a function",
      'review must be "manual" or "auto"',
      "platformFeeBps must be a whole number from 0 to 10000",
      'withdrawalFee must be a decimal text, such as "1.50"',
      "withdrawalMinimum must not be negative",
      "adminToken must have at least 32 characters",
      "redisUrl must be a URL that starts with redis:// or rediss://",
      "trustedProxies must be a list of IP addresses",
      "jobs must be true or false",
      "chain is required: tronChain({ … }) or an adapter"
    ])
    assert.notInclude(faults.join(), "hunter2")
    const query = await faultsOf(create({ storage: memoryStorage(), baseUrl: "https://x.example/?a=b" }))
    assert.deepStrictEqual(query, ["baseUrl must have no query and no fragment"])
    const credentials = await faultsOf(create({ storage: memoryStorage(), baseUrl: "https://ada:hunter2@x.example" }))
    assert.deepStrictEqual(credentials, ["baseUrl must have no user name and no password"])
  })

  it("a chain with real money requires a persistent storage and no test clock", async () => {
    const chain = tronChain({ fullNodes: ["https://node.example"], depositXpub: xpub })
    assert.deepStrictEqual(await faultsOf(create({ storage: memoryStorage(), chain, testClock: true })), [
      "storage must be persistent on a chain with real money",
      "testClock must not be set on a chain with real money"
    ])
  })

  it("a storage and a chain report their own errors, and never the text of a key", async () => {
    assert.deepStrictEqual(await faultsOf(() => postgresStorage({ url: "mysql://x", readConnections: 0 })), [
      "url must be a URL that starts with postgres://",
      "readConnections must be a whole number of at least 1"
    ])
    for (const nothing of [undefined, null, "postgres://x"] as unknown as ReadonlyArray<PostgresOptions>) {
      const faults = await faultsOf(() => postgresStorage(nothing))
      assert.deepStrictEqual(faults, ["url must be a URL that starts with postgres://"])
    }
    const unknown = { url: "postgres://x", max: 3 } as PostgresOptions
    assert.deepStrictEqual(await faultsOf(() => postgresStorage(unknown)), ["max is not an option"])
    assert.deepStrictEqual(await faultsOf(() => tronChain(undefined as unknown as TronOptions)), [
      "fullNodes is required",
      "depositXpub is required"
    ])
    const key = "not-a-key-but-secret"
    const faults = await faultsOf(() =>
      tronChain({ fullNodes: ["ftp://x"], depositXpub: "", hotWalletKey: key, contract: "T1", startBlock: -1 })
    )
    assert.deepStrictEqual(faults, [
      "fullNodes must be URLs that start with http:// or https:// and name no user and no query, separated by commas",
      "depositXpub is required",
      "contract must be a TRON address",
      "hotWalletKey must be 64 hexadecimal digits",
      "startBlock must be a block number"
    ])
    assert.notInclude(faults.join(), key)
  })

  it("the signers of tronChain have the server's rules, in the words of the options (EMBED-8, SIGNER-1)", async () => {
    const authority = new TestAuthority()
    const [client, other] = [authority.issue("market"), authority.issue("market")]
    const signer = {
      url: "https://signer.example:8443",
      certificate: client.cert,
      key: client.key,
      authority: authority.cert
    }
    const [hotWallet, second] = ["TMVQGm1qAQYVdetCeGRRkTWYYrLXuHK2HC", "TDvSsdrNM5eeXNL3czpa6AxLDHZA9nwe9K"]
    const market = { fullNodes: ["https://node.example"], depositXpub: xpub, hotWallet }
    const secondSigner = { ...signer, address: second }
    const key = `${"0".repeat(63)}1`
    for (const signers of [
      { signer },
      { kms: { keyId: "alias/payouts", region: "eu-central-1" } },
      {
        signer,
        secondSigner,
        signerAddress: "TJRabPrwbZy45sbavfcjinPJC18kjpRTv8",
        permission: 3,
        transactionMinutes: 120
      },
      { hotWalletKey: key, secondSigner }
    ])
      assert.isTrue(tronChain({ ...market, ...signers }).realMoney)
    const faults = (options: object) => faultsOf(() => tronChain({ ...market, ...options } as TronOptions))
    const refused: ReadonlyArray<readonly [object, ReadonlyArray<string>]> = [
      [
        { signer: { ...signer, url: "http://x" } },
        ["signer.url must be a URL that starts with https:// and names no user and no query"]
      ],
      [
        { signer: { url: signer.url } },
        [
          "signer.certificate must be set with signer.url",
          "signer.key must be set with signer.url",
          "signer.authority must be set with signer.url"
        ]
      ],
      [{ signer: { ...signer, certificate: "/etc/market.pem" } }, ["signer.certificate must be a certificate (PEM)"]],
      [
        { signer: { ...signer, key: other.key } },
        ["signer.key must be the private key of the certificate signer.certificate"]
      ],
      [{ signer, hotWalletKey: key }, ["hotWalletKey and signer.url must not be set together"]],
      [{ signer, hotWallet: undefined }, ["hotWallet must be set with signer.url"]],
      [{ kms: { region: "eu-central-1" } }, ["kms.keyId must be set with kms.region or kms.endpoint"]],
      [{ kms: "alias/payouts" }, ["kms must be an object"]],
      [{ secondSigner }, ["secondSigner.url must be set with signer.url, kms.keyId or hotWalletKey"]],
      [{ signer, secondSigner: signer }, ["secondSigner.address must be set with secondSigner.url"]],
      [{ signer, permission: 3 }, ["permission must be set only with secondSigner.url"]],
      [{ signer, transactionMinutes: 5 }, ["transactionMinutes must be a number of minutes from 10 to 1380"]],
      [
        { singer: signer, signer: { ...signer, path: "/" } },
        ["singer is not an option", "signer.path is not an option"]
      ]
    ]
    for (const [options, expected] of refused) {
      const found = await faults(options)
      assert.deepStrictEqual(found, expected)
      assert.notInclude(found.join(), "BEGIN")
    }
  })

  it("a database that does not respond is reported in one sentence, without its address and password", async () => {
    const options = { storage: lasting, secret: "0123456789abcdef0123456789abcdef", baseUrl: "http://127.0.0.1" }
    const error = await createMarketplace(options).then(
      () => assert.fail("it started"),
      (cause: unknown) => cause as MarketplaceError
    )
    assert.deepStrictEqual([error.code, error.statusCode], ["INTERNAL_ERROR", 503])
    assert.match(error.message, /the storage cannot be reached/)
    assert.notInclude(JSON.stringify([error, String(error.cause)]), "hunter2")
  })
})
