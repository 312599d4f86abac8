import { Base58 } from "@agent-marketplace/core/chain/Base58"
import { secp256k1 } from "@noble/curves/secp256k1"
import { keccak_256 } from "@noble/hashes/sha3"
import { Result } from "effect"
import { createHash } from "node:crypto"

/** A call of a contract. */
export interface CallValue {
  readonly data: string
  readonly owner_address: string
  readonly contract_address: string
}

/** A transfer of TRX, in sun. */
export interface TransferValue {
  readonly owner_address: string
  readonly to_address: string
  readonly amount: number
}

/** The part of a transaction whose hash is its id, in the JSON of a node. */
export interface RawData {
  readonly contract: ReadonlyArray<{
    readonly parameter: { readonly value: CallValue | TransferValue; readonly type_url: string }
    readonly type: string
  }>
  readonly ref_block_bytes: string
  readonly ref_block_hash: string
  readonly expiration: number
  readonly timestamp: number
  readonly fee_limit?: number
}

const sha256 = (bytes: Uint8Array): Buffer => createHash("sha256").update(bytes).digest()

const varint = (value: number | bigint): Buffer => {
  const bytes: Array<number> = []
  let rest = BigInt(value)
  do {
    const low = Number(rest & 0x7fn)
    rest >>= 7n
    bytes.push(rest > 0n ? low | 0x80 : low)
  } while (rest > 0n)
  return Buffer.from(bytes)
}

const number = (field: number, value: number | bigint): Buffer =>
  value === 0 ? Buffer.alloc(0) : Buffer.concat([varint(field << 3), varint(value)])

const bytes = (field: number, value: Uint8Array): Buffer =>
  Buffer.concat([varint((field << 3) | 2), varint(value.length), value])

const hex = (field: number, value: string): Buffer => bytes(field, Buffer.from(value, "hex"))

const [transferContract, triggerSmartContract] = [1, 31]

const content = (value: CallValue | TransferValue): Buffer =>
  "data" in value
    ? Buffer.concat([hex(1, value.owner_address), hex(2, value.contract_address), hex(4, value.data)])
    : Buffer.concat([hex(1, value.owner_address), hex(2, value.to_address), number(3, value.amount)])

/** TRON's encodings, implemented from its protocol and independent of any client library. */
export const TronEncoding = {
  /** The protocol buffer encoding of a contract call or of a transfer of TRX. */
  rawData: (raw: RawData): Buffer => {
    const [contract] = raw.contract
    if (contract === undefined) throw new Error("a transaction without a contract")
    const { type_url, value } = contract.parameter
    const kind = "data" in value ? triggerSmartContract : transferContract
    const parameter = Buffer.concat([bytes(1, Buffer.from(type_url)), bytes(2, content(value))])
    return Buffer.concat([
      hex(1, raw.ref_block_bytes),
      hex(4, raw.ref_block_hash),
      number(8, raw.expiration),
      bytes(11, Buffer.concat([number(1, kind), bytes(2, parameter)])),
      number(14, raw.timestamp),
      number(18, raw.fee_limit ?? 0)
    ])
  },
  idOf: (raw: Uint8Array): string => sha256(raw).toString("hex"),
  /** The signer's address, 21 bytes in hexadecimal; undefined if the signature is invalid. */
  signerOf: (id: string, signature: string): string | undefined => {
    const [rs, v] = [signature.slice(0, 128), Number.parseInt(signature.slice(128), 16)]
    if (signature.length !== 130 || (v !== 27 && v !== 28)) return undefined
    try {
      const key = secp256k1.Signature.fromCompact(rs)
        .addRecoveryBit(v - 27)
        .recoverPublicKey(id)
      return `41${Buffer.from(keccak_256(key.toRawBytes(false).subarray(1)).subarray(-20)).toString("hex")}`
    } catch {
      return undefined
    }
  },
  toBase58: (hex21: string): string => {
    const payload = Buffer.from(hex21, "hex")
    return Base58.encode(Buffer.concat([payload, sha256(sha256(payload)).subarray(0, 4)]))
  },
  toHex: (address: string): string =>
    Buffer.from(Result.getOrThrow(Base58.decode(address)).subarray(0, 21)).toString("hex"),
  /** An address without a known key. */
  nobody: (name: string): string =>
    TronEncoding.toBase58(`41${sha256(Buffer.from(name)).subarray(0, 20).toString("hex")}`)
}
