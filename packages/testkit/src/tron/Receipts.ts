import type { NetworkBlock, NetworkInfo, NetworkLog } from "./NetworkBlock.ts"

/** A block that is being built. */
export interface Place {
  readonly number: number
  readonly timestamp: number
}

/** The result of a transaction and its transfers. */
export type Made = Pick<NetworkBlock, "moved" | "sunMoved"> & { readonly info: NetworkInfo }

export type Failure = "OUT_OF_ENERGY" | "REVERT"

const transferTopic = "ddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef"

const word = (hex: string): string => hex.padStart(64, "0")

/** The cost of the bytes of a call, in sun. */
const callBytes = 345_000

/** Transfers between addresses of 20 bytes. */
export const transferLog = (contract: string, from: string, to: string, amount: bigint): NetworkLog => ({
  address: contract,
  topics: [transferTopic, word(from), word(to)],
  data: word(amount.toString(16))
})

const movedBy = ({ data, topics }: NetworkLog): NetworkBlock["moved"] => {
  const amount = BigInt(`0x${data}`)
  return [
    [(topics[1] ?? "").slice(24), -amount],
    [(topics[2] ?? "").slice(24), amount]
  ]
}

interface Called {
  readonly id: string
  readonly token: string
  readonly logs: ReadonlyArray<NetworkLog>
  readonly failure: Failure | undefined
  /** Undefined for external transactions, whose energy is not counted. */
  readonly energy?: { readonly used: number; readonly price: number; readonly payer: string; readonly sun: number }
}

/** The result of a call of the token. */
export const callReceipt = ({ number, timestamp }: Place, { energy, failure, id, logs, token }: Called): Made => {
  const fee = (energy === undefined ? 0 : energy.used * energy.price) + callBytes
  return {
    info: {
      id,
      fee,
      blockNumber: number,
      blockTimeStamp: timestamp,
      contractResult: [word("0")],
      contract_address: `41${token}`,
      receipt: {
        ...(energy === undefined ? {} : { energy_usage_total: energy.used }),
        net_fee: callBytes,
        result: failure ?? "SUCCESS"
      },
      ...(logs.length === 0 ? {} : { log: logs }),
      ...(failure === undefined
        ? {}
        : { result: "FAILED", resMessage: Buffer.from(`${failure} happened`).toString("hex") })
    },
    moved: failure === undefined ? logs.filter(({ address }) => address === token).flatMap(movedBy) : [],
    sunMoved: energy === undefined ? [] : [[energy.payer, -Math.min(energy.sun, fee)]]
  }
}

interface Transferred {
  readonly id: string
  readonly from: string
  readonly to: string
  readonly sun: number
  readonly fee: number
}

/** The result of a transfer of TRX. */
export const trxReceipt = ({ number, timestamp }: Place, { fee, from, id, sun, to }: Transferred): Made => ({
  info: {
    id,
    fee,
    blockNumber: number,
    blockTimeStamp: timestamp,
    contractResult: [""],
    receipt: { net_fee: fee }
  },
  moved: [],
  sunMoved: [
    [from, -sun - fee],
    [to, sun]
  ]
})
