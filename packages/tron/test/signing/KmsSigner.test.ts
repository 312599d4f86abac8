import type { SigningRequest } from "@agent-marketplace/core/chain/Signer"
import { Signer } from "@agent-marketplace/core/chain/Signer"
import { assert, describe, it } from "@effect/vitest"
import { secp256k1 } from "@noble/curves/secp256k1"
import { Effect, Layer } from "effect"
import { createPrivateKey, createPublicKey } from "node:crypto"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { awsKey } from "../../src/signing/awsKey.ts"
import { kmsAddress, kmsSigner } from "../../src/signing/KmsSigner.ts"
import { recoveredAddress } from "../../src/signing/recoveredAddress.ts"
import { hotKey, hotWallet } from "../fixtures/keys.ts"
import { inMarket, withdraw, withdrawalOf } from "../fixtures/market.ts"
import { assertPaidOnce, payoutRequest, secondKey, signingMarket } from "../fixtures/signing.ts"

interface Call {
  readonly target: string
  readonly body: Readonly<Record<string, string>>
  readonly authorization: string
}

type Behaviour = "high" | "low" | "another key" | "not a signature" | "denied" | "throttled" | "stall" | "close"

const spkiOf = (key: string): Buffer => {
  const point = secp256k1.getPublicKey(key, false)
  const jwk = {
    kty: "EC",
    crv: "secp256k1",
    x: Buffer.from(point.subarray(1, 33)).toString("base64url"),
    y: Buffer.from(point.subarray(33)).toString("base64url")
  }
  return createPublicKey({ key: jwk, format: "jwk" }).export({ type: "spki", format: "der" })
}

/** The part of the KMS protocol that a signer uses, until the scope ends. Its key never leaves it. */
const startKms = Effect.fnUntraced(function* () {
  const calls: Array<Call> = []
  const kms = { behave: "low" as Behaviour, spki: spkiOf(hotKey), calls, url: "" }
  const signed = (digest: Buffer): Uint8Array => {
    if (kms.behave === "not a signature") return Buffer.from("3003020101", "hex")
    const signature = secp256k1.sign(digest, kms.behave === "another key" ? secondKey : hotKey)
    const high = new secp256k1.Signature(signature.r, secp256k1.CURVE.n - signature.s)
    return (kms.behave === "high" ? high : signature).toDERRawBytes()
  }
  const http = createServer((request, response) => {
    const chunks: Array<Buffer> = []
    request.on("data", (chunk: Buffer) => chunks.push(chunk))
    request.on("end", () => {
      const body = JSON.parse(Buffer.concat(chunks).toString()) as Call["body"]
      const target = String(request.headers["x-amz-target"])
      calls.push({ target, body, authorization: String(request.headers.authorization) })
      const end = (status: number, answer: object) =>
        response.writeHead(status, { "content-type": "application/x-amz-json-1.1" }).end(JSON.stringify(answer))
      if (kms.behave === "stall") return
      if (kms.behave === "close") return void request.socket.destroy()
      if (kms.behave === "denied")
        return void end(400, { __type: "AccessDeniedException", message: "the user's secret" })
      if (kms.behave === "throttled") return void end(400, { __type: "ThrottlingException" })
      if (target === "TrentService.GetPublicKey")
        return void end(200, {
          KeyId: body["KeyId"],
          PublicKey: kms.spki.toString("base64"),
          KeySpec: "ECC_SECG_P256K1"
        })
      const signature = Buffer.from(signed(Buffer.from(body["Message"] ?? "", "base64"))).toString("base64")
      end(200, { KeyId: body["KeyId"], Signature: signature, SigningAlgorithm: body["SigningAlgorithm"] })
    })
  })
  yield* Effect.promise(() => new Promise<void>((resolve) => http.listen(0, "127.0.0.1", resolve)))
  kms.url = `http://127.0.0.1:${(http.address() as AddressInfo).port}`
  const names = { AWS_ACCESS_KEY_ID: "an-id", AWS_SECRET_ACCESS_KEY: "a-secret", AWS_REGION: "eu-central-1" }
  const before = Object.keys(names).map((name) => [name, process.env[name]] as const)
  Object.assign(process.env, names)
  yield* Effect.addFinalizer(() =>
    Effect.promise(
      () =>
        new Promise<void>((resolve) => {
          for (const [name, value] of before) {
            if (value === undefined) delete process.env[name]
            else process.env[name] = value
          }
          http.close(() => resolve())
          http.closeAllConnections()
        })
    )
  )
  return kms
})

const keyId = "alias/payouts"

const keyOf = ({ url }: { readonly url: string }) => awsKey({ keyId, region: "eu-central-1", endpoint: url })

describe("a key of AWS KMS (SIGNER-7)", () => {
  it.live("signs the 32 bytes as they are; of the two values of s the smaller one is used", () =>
    Effect.gen(function* () {
      const kms = yield* startKms()
      const { sign } = kmsSigner(keyOf(kms), hotWallet)
      const signatures: Array<Uint8Array> = []
      let request: SigningRequest = yield* payoutRequest()
      for (const behave of ["low", "high"] as const) {
        kms.behave = behave
        signatures.push(yield* sign(request))
      }
      const [low, high] = signatures
      assert.deepStrictEqual(low, high)
      assert.strictEqual(recoveredAddress(request.hash, low ?? new Uint8Array()), hotWallet)
      assert.deepStrictEqual(kms.calls[0]?.body, {
        KeyId: keyId,
        Message: Buffer.from(request.hash).toString("base64"),
        MessageType: "DIGEST",
        SigningAlgorithm: "ECDSA_SHA_256"
      })
      assert.match(
        kms.calls[0]?.authorization ?? "",
        /^AWS4-HMAC-SHA256 Credential=an-id\/\d{8}\/eu-central-1\/kms\/aws4_request/
      )
      // Both values of the recovery byte occur.
      const bytes = new Set<number | undefined>()
      for (let i = 0; i < 40 && bytes.size < 2; i++) {
        request = yield* payoutRequest({ timestamp: 1_777_445_121_000 + i })
        bytes.add((yield* sign(request))[64])
      }
      assert.deepStrictEqual([...bytes].toSorted(), [27, 28])
    }).pipe(Effect.scoped)
  )

  it.live(
    "whatever it does wrong, nothing is signed and the error names neither request nor secret; afterwards it is paid once (SIGNER-3, SIGNER-5)",
    () =>
      Effect.gen(function* () {
        const kms = yield* startKms()
        const market = yield* signingMarket(Layer.sync(Signer, () => kmsSigner(keyOf(kms), hotWallet)))
        kms.behave = "denied"
        const withdrawal = yield* withdraw(20)
        yield* market.worker.process
        const stored = (yield* withdrawalOf(withdrawal)).transaction
        if (stored === null) return assert.fail("nothing was stored")
        for (const [behave, reason] of [
          ["denied", /AWS KMS: AccessDeniedException/],
          ["throttled", /AWS KMS: Throttling/],
          ["close", /^AWS KMS: /],
          ["not a signature", /not a signature/],
          ["another key", /its key is not that of T/]
        ] as const) {
          kms.behave = behave
          const sent = yield* market.worker.chain.broadcast(stored)
          if (sent._tag !== "Unsigned") return assert.fail(behave)
          assert.strictEqual(sent.because, "unavailable")
          assert.match(sent.reason, reason)
          assert.notInclude(sent.reason, "secret")
          assert.lengthOf(market.network.pool, 0)
        }
        kms.behave = "stall"
        const impatient = kmsSigner(keyOf(kms), hotWallet, 50)
        assert.strictEqual((yield* Effect.flip(impatient.sign(yield* payoutRequest())))._tag, "SignerUnavailable")
        kms.behave = "high"
        const ended = yield* assertPaidOnce(market, withdrawal)
        assert.strictEqual(ended.transaction?.txid, stored.txid)
      }).pipe(inMarket, Effect.scoped)
  )

  it.live("its public key has the wallet's address; a key of another curve is refused", () =>
    Effect.gen(function* () {
      const kms = yield* startKms()
      assert.strictEqual(yield* kmsAddress(keyOf(kms)), hotWallet)
      const other = createPrivateKey({
        key: Buffer.from(
          "MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQguZg7MuuTS3drsiGykijtCAmvz7SY9HYBWxE2JVPHjxuhRANCAARuqlx6Sd0LiJu95ucEFjgWx0qiCvAbMsIF2djcYRuZYZ77fW2WKTK8nm4EseRFlkp+xmyjeRJBJBVYYc/UvdDz",
          "base64"
        ),
        format: "der",
        type: "pkcs8"
      })
      kms.spki = createPublicKey(other).export({ type: "spki", format: "der" })
      const failure = yield* Effect.flip(kmsAddress(keyOf(kms)))
      assert.match(failure.reason, /not a key of the curve secp256k1/)
    }).pipe(Effect.scoped)
  )
})
