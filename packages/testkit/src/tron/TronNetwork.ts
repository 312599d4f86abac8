import { createHash } from "node:crypto"
import { usdtContract } from "@agent-marketplace/core/chain/usdtContract"
import type { NetworkBlock, NetworkInfo, NetworkLog } from "./NetworkBlock.ts"
import type { Failure, Made, Place } from "./Receipts.ts"
import { callReceipt, transferLog, trxReceipt } from "./Receipts.ts"
import type { CallValue, RawData, TransferValue } from "./TronEncoding.ts"
import { TronEncoding } from "./TronEncoding.ts"

/** An entry that waits for the next block: a signed or an external transaction. */
interface Waiting {
  readonly id: string
  readonly expiration?: number
  /** Undefined if it is no longer valid and cannot be included. */
  readonly make: (place: Place) => Made | undefined
}

/** The result of a signed transfer that does not pay: never included, or included without effect. */
export type Mishap = "drop" | Failure

export interface NetworkOptions {
  /** Milliseconds between blocks. */
  readonly blockTime?: number
  /** The number of blocks between the newest and the final one. */
  readonly solidLag?: number
  /** Identifies the network. */
  readonly name?: string
  readonly startAt?: number
}

const dataPattern = /^a9059cbb0{24}([0-9a-f]{40})([0-9a-f]{64})$/
const day = 86_400_000

/** The cost of the bytes of a TRX transfer, and of a new account, in sun. */
const [transferBytes, newAccount] = [268_000, 1_100_000]

const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex")

/** The 20 bytes of an address. */
export const bare = (address: string): string => TronEncoding.toHex(address).slice(2)

/**
 * A simulated TRON network: blocks with their own clock, a final block some blocks behind, one token, accounts, and transactions with
 * signature, expiration and reference block. Time passes only with `mine`.
 */
export class TronNetwork {
  readonly token = bare(usdtContract)
  readonly blocks: Array<NetworkBlock> = []
  readonly blockTime: number
  readonly solidLag: number
  /** TRX balances in sun, by the 20 bytes of the address. */
  readonly sun = new Map<string, number>()
  /** The balance of addresses that are not listed; if it is zero, they have no account. */
  plenty = 1_000_000_000_000
  readonly frozen = new Set<string>()
  energy = 64_285
  energyFee = 100
  /** Decides the result of a signed transfer when its block is built. */
  mishap: (id: string) => Mishap | undefined = () => undefined
  private readonly balances = new Map<string, bigint>()
  private readonly waiting = new Map<string, Waiting>()
  private readonly included = new Map<string, number>()
  /** Accounts that a transfer created, with the block. */
  private readonly opened = new Map<string, number>()
  private made = 0
  private readonly name: string

  constructor({ blockTime = 3000, name = "test", solidLag = 19, startAt = 1_720_000_000_000 }: NetworkOptions = {}) {
    this.blockTime = blockTime
    this.solidLag = solidLag
    this.name = name
    const id = `${"0".repeat(16)}${sha256(`genesis ${name}`).slice(16)}`
    this.blocks.push({ number: 0, id, parent: "0".repeat(64), timestamp: startAt, infos: [], moved: [], sunMoved: [] })
    this.mine(solidLag + 1)
  }

  get head(): NetworkBlock {
    return this.at(this.blocks.length - 1)
  }

  get solid(): NetworkBlock {
    return this.at(Math.max(0, this.blocks.length - 1 - this.solidLag))
  }

  at(number: number): NetworkBlock {
    const block = this.blocks[number]
    if (block === undefined) throw new Error(`no block ${number}`)
    return block
  }

  /** The token balance of an address at the end of a block. */
  balance(address20: string, height = this.blocks.length - 1): bigint {
    let balance = this.balances.get(address20) ?? 0n
    for (let number = this.blocks.length - 1; number > height; number--) {
      for (const [of, by] of this.at(number).moved) if (of === address20) balance -= by
    }
    return balance
  }

  /** The TRX balance of an address at the end of a block, in sun; undefined if it has no account. */
  trx(address20: string, height = this.blocks.length - 1): number | undefined {
    if ((this.opened.get(address20) ?? 0) > height) return undefined
    let sun = this.sun.get(address20)
    if (sun === undefined) return this.plenty > 0 ? this.plenty : undefined
    for (let number = this.blocks.length - 1; number > height; number--) {
      for (const [of, by] of this.at(number).sunMoved) if (of === address20) sun -= by
    }
    return sun
  }

  /** Mints tokens immediately. */
  fund(address: string, amount: bigint): void {
    const of = bare(address)
    this.balances.set(of, (this.balances.get(of) ?? 0n) + amount)
  }

  infoOf(id: string, height: number): NetworkInfo | undefined {
    const number = this.included.get(id)
    return number === undefined || number > height ? undefined : this.at(number).infos.find((info) => info.id === id)
  }

  knows(id: string): boolean {
    return this.waiting.has(id) || this.included.has(id)
  }

  /** The entries that wait for the next block. */
  get pool(): ReadonlyArray<string> {
    return [...this.waiting.keys()]
  }

  log(from: string, to: string, amount: bigint, contract = this.token): NetworkLog {
    return transferLog(contract, bare(from), bare(to), amount)
  }

  /** Adds an external transaction with these logs to the next block; returns its id. */
  outside(logs: ReadonlyArray<NetworkLog>, failure?: Failure): string {
    const id = sha256(`${this.name} outside ${this.made++}`)
    this.waiting.set(id, { id, make: (place) => callReceipt(place, { id, token: this.token, logs, failure }) })
    return id
  }

  /** Adds an external transfer of the token to the next block. */
  deposit(to: string, amount: bigint, from = TronEncoding.nobody(`outside ${this.made}`)): string {
    return this.outside([this.log(from, to, amount)])
  }

  /** Mines blocks one after the other. */
  mine(count = 1): void {
    for (let i = 0; i < count; i++) {
      const number = this.blocks.length
      const parent = this.head
      const timestamp = parent.timestamp + this.blockTime
      const made = [...this.waiting.values()].flatMap((waiting): ReadonlyArray<Made> => {
        this.waiting.delete(waiting.id)
        if (waiting.expiration !== undefined) {
          if (waiting.expiration <= parent.timestamp || this.mishap(waiting.id) === "drop") return []
        }
        const each = waiting.make({ number, timestamp })
        if (each === undefined) return []
        for (const [of, by] of each.moved) this.balances.set(of, (this.balances.get(of) ?? 0n) + by)
        for (const [of, by] of each.sunMoved) this.moveSun(of, by, number)
        this.included.set(waiting.id, number)
        return [each]
      })
      this.blocks.push({
        number,
        id: number.toString(16).padStart(16, "0") + sha256(`${parent.id} ${this.made++}`).slice(16),
        parent: parent.id,
        timestamp,
        infos: made.map(({ info }) => info),
        moved: made.flatMap(({ moved }) => moved),
        sunMoved: made.flatMap(({ sunMoved }) => sunMoved)
      })
    }
  }

  /** Replaces the newest `depth` blocks with new ones; the transactions of the old blocks are removed from the chain. */
  fork(depth: number): void {
    if (depth >= this.solidLag) throw new Error("final blocks do not change")
    for (const block of this.blocks.splice(this.blocks.length - depth, depth)) {
      for (const [of, by] of block.moved) this.balances.set(of, (this.balances.get(of) ?? 0n) - by)
      for (const [of, by] of block.sunMoved) this.takeSunBack(of, by, block.number)
      for (const { id } of block.infos) this.included.delete(id)
    }
    this.mine(depth)
  }

  /** A node's response to a signed transaction; `SUCCESS` if it now waits for a block. */
  broadcast(raw: RawData, signature: string | undefined): { readonly code: string; readonly id: string } {
    const id = TronEncoding.idOf(TronEncoding.rawData(raw))
    const value = raw.contract[0]?.parameter.value
    if (value === undefined || signature === undefined) return { code: "SIGERROR", id }
    if (TronEncoding.signerOf(id, signature) !== value.owner_address) return { code: "SIGERROR", id }
    if (this.knows(id)) return { code: "DUP_TRANSACTION_ERROR", id }
    if (!this.refers(raw)) return { code: "TAPOS_ERROR", id }
    const now = this.head.timestamp
    if (raw.expiration <= now || raw.expiration > now + day) return { code: "TRANSACTION_EXPIRATION_ERROR", id }
    const make = "data" in value ? this.called(id, value, raw.fee_limit ?? 0) : this.transferred(id, value)
    if (make === undefined) return { code: "CONTRACT_VALIDATE_ERROR", id }
    this.waiting.set(id, { id, expiration: raw.expiration, make })
    return { code: "SUCCESS", id }
  }

  /** The reason why a transfer would fail at the end of a block; undefined if it would succeed. */
  objection(from: string, to: string, amount: bigint, height = this.blocks.length - 1): string | undefined {
    if (this.frozen.has(from) || this.frozen.has(to)) return "REVERT opcode executed"
    return this.balance(from, height) < amount ? "REVERT opcode executed" : undefined
  }

  private refers({ ref_block_bytes, ref_block_hash }: RawData): boolean {
    const low = Number.parseInt(ref_block_bytes, 16)
    const top = this.blocks.length - 1
    const number = top - ((top - low) & 0xffff)
    return number >= 0 && this.at(number).id.slice(16, 32) === ref_block_hash
  }

  private moveSun(of: string, by: number, block: number): void {
    if (!this.sun.has(of)) {
      if (this.plenty > 0) return
      this.opened.set(of, block)
    }
    this.sun.set(of, (this.sun.get(of) ?? 0) + by)
  }

  private takeSunBack(of: string, by: number, block: number): void {
    if (this.opened.get(of) === block) {
      this.opened.delete(of)
      this.sun.delete(of)
    } else if (this.sun.has(of)) this.sun.set(of, (this.sun.get(of) ?? 0) - by)
  }

  private called(id: string, value: CallValue, feeLimit: number): Waiting["make"] | undefined {
    const call = dataPattern.exec(value.data)
    const from = value.owner_address.slice(2)
    if (call === null || value.contract_address !== `41${this.token}` || this.trx(from) === undefined) return undefined
    const [to, amount] = [call[1] ?? "", BigInt(`0x${call[2]}`)]
    return (place) => this.paid(id, place, { from, to, amount, feeLimit })
  }

  private transferred(id: string, value: TransferValue): Waiting["make"] | undefined {
    const [from, to] = [value.owner_address.slice(2), value.to_address.slice(2)]
    const feeNow = () => transferBytes + (this.trx(to) === undefined ? newAccount : 0)
    const canPay = () => (this.trx(from) ?? 0) >= value.amount + feeNow()
    if (value.amount <= 0 || from === to || !canPay()) return undefined
    return (place) => (canPay() ? trxReceipt(place, { id, from, to, sun: value.amount, fee: feeNow() }) : undefined)
  }

  private paid(
    id: string,
    place: Place,
    call: { readonly from: string; readonly to: string; readonly amount: bigint; readonly feeLimit: number }
  ): Made {
    const { amount, feeLimit, from, to } = call
    const needed = this.energy * this.energyFee
    const sun = this.trx(from) ?? 0
    const mishap = this.mishap(id)
    const failure =
      mishap === "OUT_OF_ENERGY" || feeLimit < needed || sun < needed
        ? "OUT_OF_ENERGY"
        : mishap === "REVERT" || this.objection(from, to, amount) !== undefined
          ? "REVERT"
          : undefined
    const logs = failure === undefined ? [transferLog(this.token, from, to, amount)] : []
    const energy = { used: this.energy, price: this.energyFee, payer: from, sun }
    return callReceipt(place, { id, token: this.token, logs, failure, energy })
  }
}
