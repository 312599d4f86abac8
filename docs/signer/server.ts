/**
 * A signing server for payouts (docs/signer.md). It holds the key of a hot wallet, or of a second signer, and signs transfers of one token
 * within limits of its own. Run it with Node 24 on a machine of its own:
 *
 *   node server.ts
 *
 * Environment, all required unless a default is named:
 *   SIGNER_KEY_FILE      a file with the private key, 64 hexadecimal digits
 *   SIGNER_WALLET        the paying account; the address of the key by default
 *   SIGNER_TOKEN         the token's contract; USDT by default
 *   SIGNER_CEILING       the largest payout, in millionths
 *   SIGNER_DAILY_LIMIT   what all payouts of 24 hours may amount to, in millionths
 *   SIGNER_FORBIDDEN     addresses that are never paid, separated by commas; none by default
 *   SIGNER_FEE_CEILING   the largest fee limit in sun; 100 TRX by default
 *   SIGNER_APPROVE_ABOVE payouts above this, in millionths, wait until somebody creates the file SIGNER_FOLDER/approved/<transaction id>;
 *                        none by default
 *   SIGNER_FOLDER        a folder for the log of signatures
 *   TLS_CERT, TLS_KEY    files with the server's certificate and its key
 *   TLS_CA               a file with the authority that issued the market's certificate
 *   HOST, PORT           127.0.0.1 and 8443 by default
 */
import { secp256k1 } from "@noble/curves/secp256k1"
import { keccak_256 } from "@noble/hashes/sha3"
import { createHash } from "node:crypto"
import { closeSync, existsSync, fsyncSync, mkdirSync, openSync, readFileSync, writeSync } from "node:fs"
import type { IncomingMessage } from "node:http"
import { createServer } from "node:https"
import type { AddressInfo } from "node:net"
import { join } from "node:path"

const setting = (name: string, otherwise?: string): string => {
  const value = process.env[name]?.trim() || otherwise
  if (value === undefined) throw new Error(`${name} must be set`)
  return value
}

const sha256 = (bytes: Uint8Array): Buffer => createHash("sha256").update(bytes).digest()

// --- addresses ---

const alphabet = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"

/** The 21 bytes of a base58check address, in hexadecimal. */
const hexOf = (address: string): string => {
  let value = 0n
  for (const character of address) {
    const digit = alphabet.indexOf(character)
    if (digit < 0) throw new Error("not an address")
    value = value * 58n + BigInt(digit)
  }
  const bytes = Buffer.from(value.toString(16).padStart(50, "0"), "hex")
  const payload = bytes.subarray(0, 21)
  const isValid =
    bytes.length === 25 && payload[0] === 0x41 && sha256(sha256(payload)).subarray(0, 4).equals(bytes.subarray(21))
  if (!isValid) throw new Error("not an address")
  return payload.toString("hex")
}

// --- transactions ---

/** A field of a protocol buffer: a number, or bytes. */
type Field = readonly [number: number, value: bigint | Buffer]

const varint = (value: bigint): Buffer => {
  const bytes: Array<number> = []
  let rest = value
  do {
    const low = Number(rest & 0x7fn)
    rest >>= 7n
    bytes.push(rest > 0n ? low | 0x80 : low)
  } while (rest > 0n)
  return Buffer.from(bytes)
}

const encode = (fields: ReadonlyArray<Field>): Buffer =>
  Buffer.concat(
    fields.map(([number, value]) =>
      typeof value === "bigint"
        ? Buffer.concat([varint(BigInt(number << 3)), varint(value)])
        : Buffer.concat([varint(BigInt((number << 3) | 2)), varint(BigInt(value.length)), value])
    )
  )

const decode = (bytes: Buffer): Map<number, bigint | Buffer> => {
  const fields = new Map<number, bigint | Buffer>()
  let at = 0
  const number = (): bigint => {
    let value = 0n
    for (let shift = 0n; shift < 70n; shift += 7n) {
      const byte = bytes[at++]
      if (byte === undefined) throw new Error("too short")
      value |= BigInt(byte & 0x7f) << shift
      if (byte < 0x80) return value
    }
    throw new Error("not a number")
  }
  while (at < bytes.length) {
    const tag = Number(number())
    if ((tag & 7) === 0) fields.set(tag >> 3, number())
    else if ((tag & 7) === 2) {
      const length = Number(number())
      fields.set(tag >> 3, bytes.subarray(at, at + length))
      at += length
    } else throw new Error("another type of field")
  }
  return fields
}

interface Payout {
  /** 21 bytes in hexadecimal. */
  readonly owner: string
  readonly token: string
  readonly to: string
  readonly amount: bigint
  readonly feeLimit: bigint
  readonly expiration: bigint
}

const typeUrl = Buffer.from("type.googleapis.com/protocol.TriggerSmartContract")

/** The payout that the bytes are. Refuses anything with another field, value or order: what was read is encoded again and must be the same bytes. */
const payoutOf = (raw: Buffer): Payout => {
  const bytesAt = (fields: Map<number, bigint | Buffer>, field: number): Buffer => {
    const value = fields.get(field)
    if (!Buffer.isBuffer(value)) throw new Error(`field ${field} is missing`)
    return value
  }
  const numberAt = (fields: Map<number, bigint | Buffer>, field: number): bigint => {
    const value = fields.get(field)
    if (typeof value !== "bigint") throw new Error(`field ${field} is missing`)
    return value
  }
  const transaction = decode(raw)
  const contract = decode(bytesAt(transaction, 11))
  const call = decode(bytesAt(decode(bytesAt(contract, 2)), 2))
  const [owner, token, data] = [bytesAt(call, 1), bytesAt(call, 2), bytesAt(call, 4)]
  const permission = contract.get(5)
  const read = {
    expiration: numberAt(transaction, 8),
    timestamp: numberAt(transaction, 14),
    feeLimit: numberAt(transaction, 18)
  }
  const parameter = encode([
    [1, typeUrl],
    [
      2,
      encode([
        [1, owner],
        [2, token],
        [4, data]
      ])
    ]
  ])
  const same = encode([
    [1, bytesAt(transaction, 1)],
    [4, bytesAt(transaction, 4)],
    [8, read.expiration],
    [11, encode([[1, 31n], [2, parameter], ...(typeof permission === "bigint" ? [[5, permission] as const] : [])])],
    [14, read.timestamp],
    [18, read.feeLimit]
  ])
  const transfer = /^a9059cbb0{24}([0-9a-f]{40})([0-9a-f]{64})$/.exec(data.toString("hex"))
  if (!same.equals(raw) || owner.length !== 21 || token.length !== 21 || transfer === null)
    throw new Error("not a payout")
  return {
    owner: owner.toString("hex"),
    token: token.toString("hex"),
    to: `41${transfer[1]}`,
    amount: BigInt(`0x${transfer[2]}`),
    feeLimit: read.feeLimit,
    expiration: read.expiration
  }
}

// --- the rules ---

const key = readFileSync(setting("SIGNER_KEY_FILE"), "utf8").trim()
if (!/^[0-9a-f]{64}$/i.test(key)) throw new Error("SIGNER_KEY_FILE must contain 64 hexadecimal digits")
const ownAddress = `41${Buffer.from(keccak_256(secp256k1.getPublicKey(key, false).subarray(1)).subarray(-20)).toString("hex")}`
const chosenWallet = process.env["SIGNER_WALLET"]?.trim()
const wallet = chosenWallet ? hexOf(chosenWallet) : ownAddress
const token = hexOf(setting("SIGNER_TOKEN", "TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t"))
const ceiling = BigInt(setting("SIGNER_CEILING"))
const dailyLimit = BigInt(setting("SIGNER_DAILY_LIMIT"))
const feeCeiling = BigInt(setting("SIGNER_FEE_CEILING", "100000000"))
const approveAbove = process.env["SIGNER_APPROVE_ABOVE"]?.trim() ? BigInt(setting("SIGNER_APPROVE_ABOVE")) : undefined
const forbidden = new Set(
  (process.env["SIGNER_FORBIDDEN"] ?? "")
    .split(",")
    .map((address) => address.trim())
    .filter((address) => address !== "")
    .map(hexOf)
)
forbidden
  .add(wallet)
  .add(token)
  .add(`41${"0".repeat(40)}`)

const day = 86_400_000

// --- what was signed ---

interface Entry {
  readonly id: string
  readonly amount: bigint
  readonly at: number
}

const folder = setting("SIGNER_FOLDER")
mkdirSync(join(folder, "approved"), { recursive: true })
const logFile = join(folder, "signed.jsonl")

/** One line for each transaction that was signed. A last line that a crash cut off was never answered for. */
const signed = new Map<string, Entry>()
if (existsSync(logFile))
  for (const line of readFileSync(logFile, "utf8").split("\n")) {
    const found = /^\{"id":"([0-9a-f]{64})","amount":"(\d+)","at":(\d+)\}$/.exec(line)
    if (found !== null)
      signed.set(found[1] ?? "", { id: found[1] ?? "", amount: BigInt(found[2] ?? 0), at: Number(found[3]) })
  }
const log = openSync(logFile, "a", 0o600)

/** Written to the disk before the signature leaves, so that a crash cannot raise the daily limit. */
const record = (entry: Entry): void => {
  writeSync(log, `\n{"id":"${entry.id}","amount":"${entry.amount}","at":${entry.at}}`)
  fsyncSync(log)
  signed.set(entry.id, entry)
}

const signedSince = (time: number): bigint => {
  let sum = 0n
  for (const { amount, at } of signed.values()) if (at > time) sum += amount
  return sum
}

// --- the protocol ---

class Refused extends Error {
  readonly code: string
  constructor(code: string, message: string) {
    super(message)
    this.code = code
  }
}

/** Undefined while somebody must still approve the payout. */
const sign = (body: unknown): { readonly transactionId: string; readonly signature: string } | undefined => {
  const { transaction, transactionId: id } = (body ?? {}) as Readonly<Record<string, unknown>>
  if (typeof id !== "string" || typeof transaction !== "string") throw new Error("not a request")
  if (!/^[0-9a-f]{64}$/.test(id) || !/^(?:[0-9a-f]{2}){1,2000}$/.test(transaction)) throw new Error("not a request")
  const raw = Buffer.from(transaction, "hex")
  if (sha256(raw).toString("hex") !== id) throw new Refused("WRONG_HASH", "the id is not the hash of the transaction")
  let payout: Payout
  try {
    payout = payoutOf(raw)
  } catch {
    throw new Refused("NOT_A_PAYOUT", "the transaction is not a transfer of a token")
  }
  const now = Date.now()
  if (payout.owner !== wallet) throw new Refused("WRONG_WALLET", "the transaction is of another account")
  if (payout.token !== token) throw new Refused("WRONG_TOKEN", "the transaction transfers another token")
  if (forbidden.has(payout.to)) throw new Refused("DESTINATION_FORBIDDEN", "the destination is never paid")
  if (payout.amount === 0n || payout.amount > ceiling)
    throw new Refused("AMOUNT_CEILING", "the amount is above the ceiling")
  if (payout.feeLimit > feeCeiling) throw new Refused("FEE_CEILING", "the fee limit is above the ceiling")
  // The same transaction again gets the same signature, and counts once.
  if (!signed.has(id)) {
    if (payout.expiration <= BigInt(now)) throw new Refused("EXPIRED", "the transaction has expired")
    if (payout.expiration > BigInt(now + day))
      throw new Refused("EXPIRES_LATE", "the transaction is valid for too long")
    if (signedSince(now - day) + payout.amount > dailyLimit)
      throw new Refused("DAILY_LIMIT", "the payouts of 24 hours would exceed the limit")
    if (approveAbove !== undefined && payout.amount > approveAbove && !existsSync(join(folder, "approved", id)))
      return undefined
    record({ id, amount: payout.amount, at: now })
  }
  const signature = secp256k1.sign(id, key)
  return { transactionId: id, signature: signature.toCompactHex() + (27 + signature.recovery).toString(16) }
}

const bodyOf = async (request: IncomingMessage): Promise<unknown> => {
  const chunks: Array<Buffer> = []
  let size = 0
  for await (const chunk of request) {
    size += (chunk as Buffer).length
    if (size > 16_384) throw new Error("too long")
    chunks.push(chunk as Buffer)
  }
  return JSON.parse(Buffer.concat(chunks).toString("utf8"))
}

const answer = async (request: IncomingMessage): Promise<readonly [status: number, body: object]> => {
  if (request.method !== "POST" || request.url !== "/v1/sign") return [404, { error: { code: "NOT_FOUND" } }]
  try {
    const result = sign(await bodyOf(request))
    return result === undefined ? [202, { status: "pending" }] : [200, result]
  } catch (error) {
    if (!(error instanceof Refused)) return [400, { error: { code: "BAD_REQUEST" } }]
    console.log(`refused: ${error.code}`)
    return [403, { error: { code: error.code, message: error.message } }]
  }
}

const server = createServer(
  {
    cert: readFileSync(setting("TLS_CERT")),
    key: readFileSync(setting("TLS_KEY")),
    ca: readFileSync(setting("TLS_CA")),
    // Only a client with a certificate of that authority can connect.
    requestCert: true,
    rejectUnauthorized: true,
    minVersion: "TLSv1.2"
  },
  (request, response) => {
    void answer(request).then(([status, body]) => {
      response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body))
    })
  }
)
server.listen(Number(setting("PORT", "8443")), setting("HOST", "127.0.0.1"), () => {
  const { address, port } = server.address() as AddressInfo
  console.log(`listening on https://${address}:${port}`)
})
process.once("SIGTERM", () => {
  server.close(() => closeSync(log))
  server.closeAllConnections()
})
