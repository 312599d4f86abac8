import * as NodeCrypto from "@effect/platform-node/NodeCrypto"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { Hex } from "effect/encoding"
import * as fc from "fast-check"
import { Base58 } from "../../src/chain/Base58.ts"
import { TronAddress } from "../../src/chain/TronAddress.ts"

/** Known addresses and their bytes. */
const vectors: ReadonlyArray<readonly [string, string]> = [
  ["TMVQGm1qAQYVdetCeGRRkTWYYrLXuHK2HC", "7e5f4552091a69125d5dfcb7b8c2659029395bdf"],
  ["TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t", "a614f803b6fd780986a42c78ec9c7f77e6ded13c"]
]

const bytesOf = (hex: string): Uint8Array =>
  Uint8Array.from({ length: hex.length / 2 }, (_, i) => Number.parseInt(hex.slice(2 * i, 2 * i + 2), 16))

const payloads = fc.sample(fc.uint8Array({ minLength: 20, maxLength: 20 }), 50)

layer(NodeCrypto.layer)("TronAddress", (it) => {
  it.effect("returns the known addresses", () =>
    Effect.gen(function* () {
      for (const [address, hex] of vectors) {
        assert.strictEqual(yield* TronAddress.fromPayload(bytesOf(hex)), address)
        assert.isTrue(yield* TronAddress.isValid(address))
      }
    })
  )

  it.effect("every payload has a valid address of 34 characters that starts with T", () =>
    Effect.gen(function* () {
      for (const payload of payloads) {
        const address = yield* TronAddress.fromPayload(payload)
        assert.match(address, /^T[1-9A-HJ-NP-Za-km-z]{33}$/, Hex.encode(payload))
        assert.isTrue(yield* TronAddress.isValid(address))
      }
    })
  )

  it.effect("any single wrong character makes an address invalid", () =>
    Effect.gen(function* () {
      for (const [address] of vectors) {
        for (let at = 0; at < address.length; at++) {
          const wrong = address[at] === "2" ? "3" : "2"
          assert.isFalse(yield* TronAddress.isValid(address.slice(0, at) + wrong + address.slice(at + 1)))
        }
      }
    })
  )

  it.effect("refuses everything else: other text, hex, addresses of other chains, other lengths", () =>
    Effect.gen(function* () {
      const [[address]] = vectors as [readonly [string, string]]
      const others = [
        "",
        "T",
        ` ${address}`,
        `${address}1`,
        address.toLowerCase(),
        "417e5f4552091a69125d5dfcb7b8c2659029395bdf",
        "0x7e5f4552091a69125d5dfcb7b8c2659029395bdf",
        "1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa",
        Base58.encode(new Uint8Array(25).fill(0x41)),
        "T".repeat(34)
      ]
      for (const other of others) assert.isFalse(yield* TronAddress.isValid(other), other)
    })
  )
})
