import { createHash } from "node:crypto"
import { usdtContract } from "@agent-marketplace/core/chain/usdtContract"
import type { RawData } from "./TronEncoding.ts"
import { TronEncoding } from "./TronEncoding.ts"

export interface NetworkLog {
  /** 20 bytes in hexadecimal. */
  readonly address: string
  readonly topics: ReadonlyArray<string>
  readonly data: string
}

export interface NetworkInfo {
  readonly id: string
  readonly fee?: number
  readonly blockNumber: number
  readonly blockTimeStamp: number
  readonly contractResult: ReadonlyArray<string>
  readonly contract_address?: string
  readonly receipt: { readonly result?: string; readonly energy_usage_total?: number; readonly net_fee?: number }
  readonly log?: ReadonlyArray<NetworkLog>
  readonly result?: "FAILED"
  readonly resMessage?: string
}

export interface NetworkBlock {
  readonly number: number
  readonly id: string
  readonly parent: string
  readonly timestamp: number
  readonly infos: ReadonlyArray<NetworkInfo>
  /** What the token's balances changed by, by 20 bytes. */
  readonly moved: ReadonlyArray<readonly [address: string, by: bigint]>
}

/** Something that waits for the next block: a signed transaction, or what the world outside does. */
interface Waiting {
  readonly id: string
  readonly expiration?: number
  readonly make: (place: { readonly number: number; readonly timestamp: number }) => Made
}

interface Made {
  readonly info: NetworkInfo
  readonly moved: ReadonlyArray<readonly [string, bigint]>
}

/** What a signed transfer comes to, other than paying: never included, or included without effect. */
export type Mishap = "drop" | "OUT_OF_ENERGY" | "REVERT"

export interface NetworkOptions {
  /** Milliseconds between blocks. */
  readonly blockTime?: number
  /** How many blocks the final one is behind the newest. */
  readonly solidLag?: number
  /** Tells networks apart. */
  readonly name?: string
  readonly startAt?: number
}

const transferTopic = "ddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef"
const dataPattern = /^a9059cbb0{24}([0-9a-f]{40})([0-9a-f]{64})$/
const day = 86_400_000

const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex")
const word = (hex: string): string => hex.padStart(64, "0")

/** The 20 bytes of an address. */
export const bare = (address: string): string => TronEncoding.toHex(address).slice(2)

/**
 * A blockchain as TRON is one: blocks by the clock of its own, a final one some way behind, one token, accounts, transactions with
 * signature, expiration and reference block. Time passes only with `mine`.
 */
export class TronNetwork {
  readonly token = bare(usdtContract)
  readonly blocks: Array<NetworkBlock> = []
  readonly blockTime: number
  readonly solidLag: number
  /** In sun, by 20 bytes; who is not listed has plenty. */
  readonly sun = new Map<string, number>()
  readonly frozen = new Set<string>()
  energy = 64_285
  energyFee = 100
  /** Decides what becomes of a signed transfer when its block is made. */
  mishap: (id: string) => Mishap | undefined = () => undefined
  private readonly balances = new Map<string, bigint>()
  private readonly waiting = new Map<string, Waiting>()
  private readonly included = new Map<string, number>()
  private made = 0
  private readonly name: string

  constructor({ blockTime = 3000, name = "test", solidLag = 19, startAt = 1_720_000_000_000 }: NetworkOptions = {}) {
    this.blockTime = blockTime
    this.solidLag = solidLag
    this.name = name
    const id = `${"0".repeat(16)}${sha256(`genesis ${name}`).slice(16)}`
    this.blocks.push({ number: 0, id, parent: "0".repeat(64), timestamp: startAt, infos: [], moved: [] })
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

  /** What an address held of the token at the end of a block. */
  balance(address20: string, height = this.blocks.length - 1): bigint {
    let balance = this.balances.get(address20) ?? 0n
    for (let number = this.blocks.length - 1; number > height; number--) {
      for (const [of, by] of this.at(number).moved) if (of === address20) balance -= by
    }
    return balance
  }

  /** Tokens out of nothing, at once. */
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

  /** What waits for the next block. */
  get pool(): ReadonlyArray<string> {
    return [...this.waiting.keys()]
  }

  log(from: string, to: string, amount: bigint, contract = this.token): NetworkLog {
    return {
      address: contract,
      topics: [transferTopic, word(bare(from)), word(bare(to))],
      data: word(amount.toString(16))
    }
  }

  /** A transaction from outside with these logs, in the next block; answers its id. */
  outside(logs: ReadonlyArray<NetworkLog>, failure?: "REVERT" | "OUT_OF_ENERGY"): string {
    const id = sha256(`${this.name} outside ${this.made++}`)
    this.waiting.set(id, {
      id,
      make: ({ number, timestamp }) => ({
        info: {
          id,
          fee: 345_000,
          blockNumber: number,
          blockTimeStamp: timestamp,
          contractResult: [""],
          contract_address: `41${this.token}`,
          receipt: { net_fee: 345_000, result: failure ?? "SUCCESS" },
          ...(logs.length === 0 ? {} : { log: logs }),
          ...(failure === undefined ? {} : { result: "FAILED", resMessage: Buffer.from(failure).toString("hex") })
        },
        moved:
          failure === undefined
            ? logs.filter(({ address }) => address === this.token).flatMap((log) => this.moves(log))
            : []
      })
    })
    return id
  }

  /** A transfer of the token from outside, in the next block. */
  deposit(to: string, amount: bigint, from = TronEncoding.nobody(`outside ${this.made}`)): string {
    return this.outside([this.log(from, to, amount)])
  }

  /** A block after the other. */
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
        for (const [of, by] of each.moved) this.balances.set(of, (this.balances.get(of) ?? 0n) + by)
        this.included.set(waiting.id, number)
        return [each]
      })
      this.blocks.push({
        number,
        id: number.toString(16).padStart(16, "0") + sha256(`${parent.id} ${this.made++}`).slice(16),
        parent: parent.id,
        timestamp,
        infos: made.map(({ info }) => info),
        moved: made.flatMap(({ moved }) => moved)
      })
    }
  }

  /** Other blocks take the place of the newest `depth`; what stood in those is gone from the chain. */
  fork(depth: number): void {
    if (depth >= this.solidLag) throw new Error("final blocks do not change")
    for (const block of this.blocks.splice(this.blocks.length - depth, depth)) {
      for (const [of, by] of block.moved) this.balances.set(of, (this.balances.get(of) ?? 0n) - by)
      for (const { id } of block.infos) this.included.delete(id)
    }
    this.mine(depth)
  }

  /** What a node answers to a signed transaction; `SUCCESS` where it waits for a block now. */
  broadcast(raw: RawData, signature: string | undefined): { readonly code: string; readonly id: string } {
    const id = TronEncoding.idOf(TronEncoding.rawData(raw))
    const value = raw.contract[0]?.parameter.value
    if (value === undefined || signature === undefined) return { code: "SIGERROR", id }
    if (TronEncoding.signerOf(id, signature) !== value.owner_address) return { code: "SIGERROR", id }
    if (this.knows(id)) return { code: "DUP_TRANSACTION_ERROR", id }
    if (!this.refers(raw)) return { code: "TAPOS_ERROR", id }
    const now = this.head.timestamp
    if (raw.expiration <= now || raw.expiration > now + day) return { code: "TRANSACTION_EXPIRATION_ERROR", id }
    const call = dataPattern.exec(value.data)
    if (call === null || value.contract_address !== `41${this.token}`) return { code: "CONTRACT_VALIDATE_ERROR", id }
    const [from, to, amount] = [value.owner_address.slice(2), call[1] ?? "", BigInt(`0x${call[2]}`)]
    this.waiting.set(id, {
      id,
      expiration: raw.expiration,
      make: (place) => this.paid(id, place, { from, to, amount, feeLimit: raw.fee_limit ?? 0 })
    })
    return { code: "SUCCESS", id }
  }

  /** Why a transfer would not work now; undefined where it would. */
  objection(from: string, to: string, amount: bigint): string | undefined {
    if (this.frozen.has(from) || this.frozen.has(to)) return "REVERT opcode executed"
    return this.balance(from) < amount ? "REVERT opcode executed" : undefined
  }

  private refers({ ref_block_bytes, ref_block_hash }: RawData): boolean {
    const low = Number.parseInt(ref_block_bytes, 16)
    const top = this.blocks.length - 1
    const number = top - ((top - low) & 0xffff)
    return number >= 0 && this.at(number).id.slice(16, 32) === ref_block_hash
  }

  private moves({ data, topics }: NetworkLog): ReadonlyArray<readonly [string, bigint]> {
    const amount = BigInt(`0x${data}`)
    return [
      [(topics[1] ?? "").slice(24), -amount],
      [(topics[2] ?? "").slice(24), amount]
    ]
  }

  private paid(
    id: string,
    place: { readonly number: number; readonly timestamp: number },
    call: { readonly from: string; readonly to: string; readonly amount: bigint; readonly feeLimit: number }
  ): Made {
    const { amount, feeLimit, from, to } = call
    const needed = this.energy * this.energyFee
    const sun = this.sun.get(from)
    const mishap = this.mishap(id)
    const failure =
      mishap === "OUT_OF_ENERGY" || feeLimit < needed || (sun !== undefined && sun < needed)
        ? "OUT_OF_ENERGY"
        : mishap === "REVERT" || this.objection(from, to, amount) !== undefined
          ? "REVERT"
          : undefined
    const fee = needed + 345_000
    if (sun !== undefined) this.sun.set(from, Math.max(0, sun - fee))
    const log: NetworkLog = {
      address: this.token,
      topics: [transferTopic, word(from), word(to)],
      data: word(amount.toString(16))
    }
    return {
      info: {
        id,
        fee,
        blockNumber: place.number,
        blockTimeStamp: place.timestamp,
        contractResult: [word("0")],
        contract_address: `41${this.token}`,
        receipt: { energy_usage_total: this.energy, net_fee: 345_000, result: failure ?? "SUCCESS" },
        ...(failure === undefined
          ? { log: [log] }
          : { result: "FAILED", resMessage: Buffer.from(`${failure} happened`).toString("hex") })
      },
      moved: failure === undefined ? this.moves(log) : []
    }
  }
}
