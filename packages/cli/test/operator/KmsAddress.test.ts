import * as NodeServices from "@effect/platform-node/NodeServices"
import { Effect } from "effect"
import { createPublicKey } from "node:crypto"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { runCli } from "../../src/runCli.ts"

/** The address of the private key 1, whose public key is the curve's generator. */
const address = "TMVQGm1qAQYVdetCeGRRkTWYYrLXuHK2HC"

const spki = createPublicKey({
  key: {
    kty: "EC",
    crv: "secp256k1",
    x: Buffer.from("79be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798", "hex").toString("base64url"),
    y: Buffer.from("483ada7726a3c4655da4fbfc0e1108a8fd17b448a68554199c47d08ffb10d4b8", "hex").toString("base64url")
  },
  format: "jwk"
}).export({ type: "spki", format: "der" })

/** Answers for one key only. */
const kms = createServer((request, response) => {
  const chunks: Array<Buffer> = []
  request.on("data", (chunk: Buffer) => chunks.push(chunk))
  request.on("end", () => {
    const { KeyId } = JSON.parse(Buffer.concat(chunks).toString()) as { readonly KeyId: string }
    const isKnown = request.headers["x-amz-target"] === "TrentService.GetPublicKey" && KeyId === "alias/payouts"
    const answer = isKnown ? { KeyId, PublicKey: spki.toString("base64") } : { __type: "NotFoundException" }
    response
      .writeHead(isKnown ? 200 : 400, { "content-type": "application/x-amz-json-1.1" })
      .end(JSON.stringify(answer))
  })
})

const credentials = { AWS_ACCESS_KEY_ID: "an-id", AWS_SECRET_ACCESS_KEY: "a-secret" }
let market: Readonly<Record<string, string>> = {}

const run = async (env: Readonly<Record<string, string>>, ...args: ReadonlyArray<string>) => {
  let [out, err] = ["", ""]
  const code = await Effect.runPromise(
    runCli(["operator", "kms-address", ...args], {
      env: { ...market, ...env },
      page: { isTerminal: false, width: 80, canColor: false },
      canPrompt: false,
      write: (text) => void (out += text),
      writeError: (text) => void (err += text),
      readInput: Effect.succeed("")
    }).pipe(Effect.provide(NodeServices.layer))
  )
  assert.notInclude(out + err, "a-secret")
  return { code, out, err }
}

beforeAll(async () => {
  Object.assign(process.env, credentials)
  await new Promise<void>((resolve) => kms.listen(0, "127.0.0.1", resolve))
  market = {
    TRON_KMS_KEY_ID: "alias/payouts",
    TRON_KMS_REGION: "eu-central-1",
    TRON_KMS_ENDPOINT: `http://127.0.0.1:${(kms.address() as AddressInfo).port}`
  }
})

afterAll(async () => {
  for (const name of Object.keys(credentials)) delete process.env[name]
  await new Promise((resolve) => kms.close(resolve))
})

describe("the address of a KMS key (SIGNER-12)", () => {
  it("is shown before anything else is configured", async () => {
    const { code, out } = await run({}, "--json")
    assert.strictEqual(code, 0)
    assert.deepEqual(JSON.parse(out), { keyId: "alias/payouts", address, configured: null })
    assert.include((await run({})).out, `address\t${address}\n`)
  })

  it("is compared with the configured one; another one fails", async () => {
    assert.strictEqual((await run({ TRON_HOT_WALLET_ADDRESS: address })).code, 0)
    const wallet = "TJRabPrwbZy45sbavfcjinPJC18kjpRTv8"
    const other = await run({ TRON_HOT_WALLET_ADDRESS: wallet })
    assert.strictEqual(other.code, 1)
    assert.include(other.err, `the key belongs to ${address}, but ${wallet} is configured`)
    const second = { TRON_HOT_WALLET_ADDRESS: wallet, TRON_SIGNER_ADDRESS: address }
    assert.strictEqual((await run(second)).code, 0, "with a second signer the key has an address of its own")
  })

  it("a missing or wrong setting, and a service that refuses, are reported", async () => {
    const missing = await run({ TRON_KMS_KEY_ID: "" })
    assert.strictEqual(missing.code, 2)
    assert.include(missing.err, "TRON_KMS_KEY_ID must be set with TRON_KMS_REGION or TRON_KMS_ENDPOINT")
    assert.strictEqual((await run({ TRON_KMS_REGION: "here" })).code, 2)
    const unknown = await run({ TRON_KMS_KEY_ID: "alias/other" })
    assert.strictEqual(unknown.code, 4)
    assert.include(unknown.err, "AWS KMS: NotFoundException")
  })
})
