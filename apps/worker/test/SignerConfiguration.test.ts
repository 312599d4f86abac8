import { TestAuthority } from "@agent-marketplace/fixtures/tls/TestAuthority"
import { readConfiguration } from "@agent-marketplace/settings/Configuration"
import { Redacted, Result } from "effect"
import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, assert, beforeAll, describe, it } from "vitest"

const hotWallet = "TMVQGm1qAQYVdetCeGRRkTWYYrLXuHK2HC"
const second = "TDvSsdrNM5eeXNL3czpa6AxLDHZA9nwe9K"
const key = `${"0".repeat(63)}1`

const market = {
  DATABASE_URL: "postgres://market@127.0.0.1:1/market",
  CHAIN: "tron",
  TRON_FULL_NODE_URL: "https://node.example.com",
  TRON_HOT_WALLET_ADDRESS: hotWallet
}

type Environment = Readonly<Record<string, string | undefined>>

let folder = ""
const authority = new TestAuthority()
const [client, other] = [authority.issue("market"), authority.issue("market")]
const at = (name: string): string => join(folder, name)

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "signers-"))
  const files = { cert: client.cert, key: client.key, otherKey: other.key, ca: authority.cert, text: "a secret text" }
  for (const [name, content] of Object.entries(files)) await writeFile(at(name), content)
})

afterAll(() => rm(folder, { recursive: true }))

const remote = (prefix = "TRON_SIGNER"): Environment => ({
  [`${prefix}_URL`]: "https://signer.example.com:8443/",
  [`${prefix}_CERT`]: at("cert"),
  [`${prefix}_KEY`]: at("key"),
  [`${prefix}_CA`]: at("ca")
})

const read = (environment: Environment, reader: "server" | "worker" = "worker") =>
  readConfiguration({ ADMIN_TOKEN: "operator-token-for-tests-0123456789abcdef", ...market, ...environment }, reader)

const faultsOf = (environment: Environment): ReadonlyArray<string> => {
  const configuration = read(environment)
  return Result.isFailure(configuration) ? configuration.failure.faults : []
}

const tronOf = (environment: Environment, reader?: "server") =>
  Result.getOrThrowWith(read(environment, reader), ({ faults }) => new Error(faults.join("; "))).tron

describe("the signers of payouts (SIGNER-1)", () => {
  it("a signing server, a managed key, or the key itself", () => {
    const { remoteSigner } = tronOf(remote()) ?? {}
    assert.deepInclude(remoteSigner, {
      url: "https://signer.example.com:8443",
      certificate: client.cert,
      authority: authority.cert
    })
    assert.strictEqual(Redacted.value(remoteSigner?.key ?? Redacted.make("")), client.key)
    assert.notInclude(JSON.stringify(tronOf(remote())), "PRIVATE KEY")
    const managed = { TRON_KMS_KEY_ID: "alias/payouts", TRON_KMS_REGION: "eu-central-1" }
    assert.deepStrictEqual(tronOf(managed)?.managedKey, {
      keyId: "alias/payouts",
      region: "eu-central-1",
      endpoint: undefined
    })
    const { hotWalletKey, timings } = tronOf({ TRON_HOT_WALLET_KEY: key }) ?? {}
    assert.strictEqual(Redacted.value(hotWalletKey ?? Redacted.make("")), key)
    assert.strictEqual(timings?.lifetime, 600_000)
  })

  it("with a second signer a payout may be included for an hour, or for as long as it says (SIGNER-9, SIGNER-10)", () => {
    const both = { ...remote(), ...remote("TRON_SECOND_SIGNER"), TRON_SECOND_SIGNER_ADDRESS: second }
    assert.deepInclude(tronOf(both)?.secondSigner, { address: second, url: "https://signer.example.com:8443" })
    assert.deepInclude(tronOf(both), { permission: 2, timings: { lifetime: 3_600_000 } })
    assert.deepInclude(tronOf({ ...both, TRON_PERMISSION_ID: "5", TRON_TRANSACTION_MINUTES: "1380" }), {
      permission: 5,
      timings: { lifetime: 82_800_000 }
    })
  })

  it("a wrong form refuses the start with the variable and its rule, and shows no content", () => {
    const cases: ReadonlyArray<readonly [wrong: Environment, fault: RegExp]> = [
      [{ TRON_SIGNER_URL: "http://signer.example.com" }, /^TRON_SIGNER_URL must be a URL that starts with https:/],
      [{ TRON_SIGNER_URL: "https://a:secret@signer.example.com" }, /^TRON_SIGNER_URL must be a URL/],
      [{ TRON_SIGNER_CERT: at("nothing") }, /^TRON_SIGNER_CERT must be the path of a file that can be read$/],
      [{ TRON_SIGNER_CERT: at("text") }, /^TRON_SIGNER_CERT must be the path of a certificate/],
      [{ TRON_SIGNER_KEY: at("text") }, /^TRON_SIGNER_KEY must be the path of a private key/],
      [{ TRON_SIGNER_KEY: at("otherKey") }, /^TRON_SIGNER_KEY must be the private key of the certificate/],
      [{ TRON_SIGNER_CA: at("key") }, /^TRON_SIGNER_CA must be the path of a certificate/],
      [{ TRON_SIGNER_CA: undefined }, /^TRON_SIGNER_CA must be set with TRON_SIGNER_URL$/],
      [{ TRON_SIGNER_URL: undefined }, /^TRON_SIGNER_URL must be set with TRON_SIGNER_CERT$/],
      [{ TRON_HOT_WALLET_ADDRESS: undefined }, /^TRON_HOT_WALLET_ADDRESS must be set with TRON_SIGNER_URL$/],
      [{ TRON_HOT_WALLET_KEY: key }, /^TRON_HOT_WALLET_KEY and TRON_SIGNER_URL must not be set together$/],
      [{ TRON_KMS_KEY_ID: "alias/a" }, /^TRON_SIGNER_URL and TRON_KMS_KEY_ID must not be set together$/],
      [{ TRON_KMS_REGION: "eu-central-1" }, /^TRON_KMS_KEY_ID must be set with TRON_KMS_REGION/],
      [{ TRON_SECOND_SIGNER_ADDRESS: second }, /^TRON_SECOND_SIGNER_ADDRESS must be set only with TRON_SECOND/],
      [{ TRON_PERMISSION_ID: "1" }, /^TRON_PERMISSION_ID must be the id of an active permission/],
      [remote("TRON_SECOND_SIGNER"), /^TRON_SECOND_SIGNER_ADDRESS must be set with TRON_SECOND_SIGNER_URL$/],
      [
        { ...remote("TRON_SECOND_SIGNER"), TRON_SECOND_SIGNER_ADDRESS: hotWallet },
        /^TRON_SECOND_SIGNER_ADDRESS must be another address/
      ],
      [{ TRON_TRANSACTION_MINUTES: "5" }, /^TRON_TRANSACTION_MINUTES must be a number of minutes from 10 to 1380$/]
    ]
    for (const [wrong, fault] of cases) {
      const faults = faultsOf({ ...remote(), ...wrong })
      assert.lengthOf(faults, 1, faults.join("; "))
      assert.match(faults[0] ?? "", fault)
      assert.notInclude(faults.join(), "secret")
      assert.notInclude(faults.join(), "BEGIN")
    }
    assert.deepEqual(faultsOf({ TRON_KMS_KEY_ID: "a secret", TRON_KMS_REGION: "a secret", TRON_KMS_ENDPOINT: "kms" }), [
      "TRON_KMS_KEY_ID must be the id, ARN or alias of a key",
      "TRON_KMS_REGION must be a region such as eu-central-1",
      "TRON_KMS_ENDPOINT must be a URL that starts with http:// or https://"
    ])
    assert.deepEqual(faultsOf({ ...remote("TRON_SECOND_SIGNER"), TRON_SECOND_SIGNER_ADDRESS: second }), [
      "TRON_SECOND_SIGNER_URL must be set with TRON_SIGNER_URL, TRON_KMS_KEY_ID or TRON_HOT_WALLET_KEY"
    ])
  })

  it("a server that pays nothing reads none of them (CHAIN-6)", () => {
    const wrong = { ...remote(), TRON_SIGNER_KEY: at("text"), TRON_HOT_WALLET_KEY: key, WORKER: "external" }
    const xpub =
      "xpub6D1AabNHCupeiLM65ZR9UStMhJ1vCpyV4XbZdyhMZBiJXALQtmn9p42VTQckoHVn8WNqS7dqnJokZHAHcHGoaQgmv8D45oNUKx6DZMNZBCd"
    const { hotWalletKey, remoteSigner } = tronOf({ ...wrong, TRON_DEPOSIT_XPUB: xpub }, "server") ?? {}
    assert.isUndefined(remoteSigner)
    assert.isUndefined(hotWalletKey)
  })
})
