import type { SigningRequest } from "@agent-marketplace/core/chain/Signer"
import { zeroAddress } from "@agent-marketplace/core/chain/TronAddress"
import { usdtContract } from "@agent-marketplace/core/chain/usdtContract"
import { Usdt } from "@agent-marketplace/core/money/Usdt"
import { assert, describe, it } from "@effect/vitest"
import { TronEncoding } from "@agent-marketplace/fixtures/tron/TronEncoding"
import { Clock, Effect } from "effect"
import { hash } from "node:crypto"
import { mkdir, readFile, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { buildTrx, payoutOf } from "../../src/chain/PayoutTransaction.ts"
import { recoveredAddress } from "../../src/signing/recoveredAddress.ts"
import { remoteSigner } from "../../src/signing/RemoteSigner.ts"
import { hotKey, hotWallet, receiver } from "../fixtures/keys.ts"
import { inMarket, units, withdraw } from "../fixtures/market.ts"
import { signerFolder, startReference } from "../fixtures/referenceSigner.ts"
import { assertPaidOnce, payoutRequest, quickTimings, remote, settingsFor, signingMarket } from "../fixtures/signing.ts"

const forbidden = TronEncoding.nobody("a forbidden address")

const limits = {
  SIGNER_CEILING: "100000000",
  SIGNER_DAILY_LIMIT: "250000000",
  SIGNER_FORBIDDEN: forbidden
}

const signerAt = ({ url }: { readonly url: string }) => remoteSigner(hotWallet, settingsFor(url), quickTimings)

const withBytes = (transaction: Buffer): SigningRequest => ({
  hash: hash("sha256", transaction, "buffer"),
  transaction,
  signatures: []
})

const trxTransfer = Effect.gen(function* () {
  const head = { block: 1, at: 0, id: "00".repeat(32), parent: "00".repeat(32) }
  const [timestamp, expiration] = [1_777_445_121_000, 1_777_445_181_000]
  const { transaction } = yield* payoutOf(
    yield* buildTrx({ from: hotWallet, to: receiver, head, timestamp, expiration, sun: 1_000_000 })
  )
  return withBytes(Buffer.from(transaction.raw_data_hex, "hex"))
})

/** Requests that the server refuses, by the code of the refusal. */
const refusals = Effect.gen(function* () {
  const right = yield* payoutRequest()
  const other = yield* payoutRequest()
  const day = 86_400_000
  const now = (yield* Clock.currentTimeMillis) + 60_000
  return {
    WRONG_HASH: [{ ...right, hash: other.hash }],
    // A byte that the transfer does not need, a transfer of TRX, and no transaction at all.
    NOT_A_PAYOUT: [
      withBytes(Buffer.concat([right.transaction, Buffer.from("980101", "hex")])),
      yield* trxTransfer,
      withBytes(Buffer.from("00", "hex"))
    ],
    WRONG_WALLET: [yield* payoutRequest({ from: receiver, to: hotWallet })],
    WRONG_TOKEN: [yield* payoutRequest({ contract: TronEncoding.nobody("another token") })],
    DESTINATION_FORBIDDEN: yield* Effect.forEach([forbidden, usdtContract, hotWallet, zeroAddress], (to) =>
      payoutRequest({ to })
    ),
    AMOUNT_CEILING: yield* Effect.forEach([0n, 100_000_001n, 2n ** 200n], (amount) =>
      payoutRequest({ amount: Usdt.of(amount) })
    ),
    FEE_CEILING: [yield* payoutRequest({ feeLimit: 100_000_001 })],
    EXPIRED: [yield* payoutRequest({ expiration: now - day })],
    EXPIRES_LATE: [yield* payoutRequest({ expiration: now + day })]
  }
})

describe("the signing server of the documentation (SIGNER-8)", () => {
  it.live("signs what a market pays", () =>
    Effect.gen(function* () {
      const server = yield* startReference(yield* signerFolder, limits)
      // The server compares expirations with its own clock.
      const market = yield* signingMarket(remote(server.url), { startAt: yield* Clock.currentTimeMillis })
      yield* assertPaidOnce(market, yield* withdraw(20))
    }).pipe(inMarket, Effect.scoped)
  )

  it.live("refuses whatever is not a payout within its limits, and says why; its key is never shown", () =>
    Effect.gen(function* () {
      const server = yield* startReference(yield* signerFolder, limits)
      const signer = signerAt(server)
      for (const [code, requests] of Object.entries(yield* refusals))
        for (const request of requests) {
          const failure = yield* Effect.flip(signer.sign(request))
          assert.strictEqual(failure._tag, "SignerRefused", code)
          assert.include(failure.reason, `refused: ${code}: `)
        }
      assert.include(server.output(), "refused: WRONG_HASH")
      assert.notInclude(server.output(), hotKey)
      assert.notInclude(server.output(), "BEGIN")
    }).pipe(Effect.scoped)
  )

  it.live("counts each transaction once towards the limit of 24 hours, also after a crash", () =>
    Effect.gen(function* () {
      const folder = yield* signerFolder
      const [first, second, third] = [
        yield* payoutRequest({ amount: units(100) }),
        yield* payoutRequest({ amount: units(100) }),
        yield* payoutRequest({ amount: units(100) })
      ]
      const before = yield* startReference(folder, limits)
      const signature = yield* signerAt(before).sign(first)
      assert.strictEqual(recoveredAddress(first.hash, signature), hotWallet)
      for (let i = 0; i < 3; i++) assert.deepStrictEqual(yield* signerAt(before).sign(first), signature)
      yield* signerAt(before).sign(second)
      yield* Effect.promise(before.stop)
      // A crash may leave an incomplete line.
      const log = join(folder, "signed.jsonl")
      yield* Effect.promise(async () => writeFile(log, `${await readFile(log, "utf8")}\n{"id":"12`))
      const after = yield* startReference(folder, limits)
      assert.deepStrictEqual(yield* signerAt(after).sign(first), signature)
      const failure = yield* Effect.flip(signerAt(after).sign(third))
      assert.include(failure.reason, "refused: DAILY_LIMIT: ")
      yield* signerAt(after).sign(yield* payoutRequest({ amount: units(50) }))
      assert.include((yield* Effect.flip(signerAt(after).sign(yield* payoutRequest()))).reason, "DAILY_LIMIT")
    }).pipe(Effect.scoped)
  )

  it.live("a payout above a limit waits until a person has approved this transaction", () =>
    Effect.gen(function* () {
      const folder = yield* signerFolder
      const server = yield* startReference(folder, { ...limits, SIGNER_APPROVE_ABOVE: "50000000" })
      yield* signerAt(server).sign(yield* payoutRequest({ amount: units(50) }))
      const request = yield* payoutRequest({ amount: units(51) })
      assert.strictEqual((yield* Effect.flip(signerAt(server).sign(request)))._tag, "SignaturePending")
      yield* Effect.promise(async () => {
        await mkdir(join(folder, "approved"), { recursive: true })
        await writeFile(join(folder, "approved", request.hash.toString("hex")), "")
      })
      yield* signerAt(server).sign(request)
    }).pipe(Effect.scoped)
  )
})
