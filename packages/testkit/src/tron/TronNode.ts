import { createServer } from "node:http"
import type { IncomingMessage, Server, ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import type { RawData } from "./TronEncoding.ts"
import { TronEncoding } from "./TronEncoding.ts"
import type { NetworkBlock } from "./NetworkBlock.ts"
import type { TronNetwork } from "./TronNetwork.ts"

/** A call of a node's HTTP API. */
export interface NodeCall {
  readonly view: "wallet" | "walletsolidity"
  readonly method: string
  readonly body: Readonly<Record<string, unknown>>
}

/**
 * A fault of a node: `away` or `ignored` before it has processed the request, `lost` or `unanswered` afterwards (the first of each closes the connection, the second keeps
 * it open); an HTTP status; a wrong body; a broadcast that is refused, or executed but reported differently.
 */
export type Fault =
  | { readonly kind: "away" | "ignored" | "lost" | "unanswered" | "truncated" }
  | { readonly kind: "status"; readonly status: number; readonly headers?: Readonly<Record<string, string>> }
  | { readonly kind: "body"; readonly text: string }
  | { readonly kind: "refuse" | "tell"; readonly code: string }

/** The body with which java-tron limits the rate, with status 200. */
export const overloaded: Fault = {
  kind: "body",
  text: `{"Error":"class java.lang.IllegalAccessException : lack of computing resources"}`
}

export interface NodeOptions {
  /** How many blocks this node is behind the network, at each call. */
  readonly behind?: (call: NodeCall) => number
  readonly fault?: (call: NodeCall) => Fault | undefined
}

const header = ({ id, infos, number, parent, timestamp }: NetworkBlock) => ({
  blockID: id,
  block_header: {
    raw_data: {
      ...(number === 0 ? {} : { number }),
      txTrieRoot: infos.length === 0 ? "0".repeat(64) : id.slice(16).padStart(64, "a"),
      witness_address: `41${"00".repeat(20)}`,
      parentHash: parent,
      ...(number === 0 ? {} : { version: 34 }),
      timestamp
    },
    witness_signature: "00".repeat(65)
  }
})

/** A block with the ids of its transactions; the field is absent if there are none. */
const whole = (block: NetworkBlock) => {
  const transactions = block.infos.map(({ id }) => ({ txID: id }))
  return transactions.length === 0 ? header(block) : { ...header(block), transactions }
}

const text = (value: unknown): string => (typeof value === "string" ? value : "")

const address = (value: unknown): string => {
  const written = text(value)
  return (written.startsWith("T") ? TronEncoding.toHex(written) : written).slice(2)
}

/** One node of a network on its own port, with the part of java-tron's HTTP API that a wallet needs. */
export class TronNode {
  /** The calls that it received. */
  readonly calls = new Map<string, number>()
  /** Whether `getblock` returns the requested block, or always the newest. */
  knowsHeights = true
  /** Replaces a correct response with another body. */
  reword: (call: NodeCall, answer: unknown) => unknown = (_, answer) => answer
  private readonly network: TronNetwork
  private readonly server: Server
  behind: NonNullable<NodeOptions["behind"]>
  fault: NonNullable<NodeOptions["fault"]>

  constructor(network: TronNetwork, { behind = () => 0, fault = () => undefined }: NodeOptions = {}) {
    this.network = network
    this.behind = behind
    this.fault = fault
    this.server = createServer((request, response) => void this.serve(request, response))
    this.server.keepAliveTimeout = 60_000
  }

  /** Listens on a free loopback port; returns the base URL. */
  listen(): Promise<string> {
    return new Promise((resolve) => {
      this.server.listen(0, "127.0.0.1", () => {
        resolve(`http://127.0.0.1:${(this.server.address() as AddressInfo).port}`)
      })
    })
  }

  close(): Promise<void> {
    return new Promise((resolve) => {
      this.server.close(() => resolve())
      this.server.closeAllConnections()
    })
  }

  private async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Array<Buffer> = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const url = new URL(request.url ?? "/", "http://node")
    const [, view = "", method = ""] = url.pathname.split("/")
    const query = Object.fromEntries(url.searchParams)
    const body = chunks.length === 0 ? query : (JSON.parse(Buffer.concat(chunks).toString()) as NodeCall["body"])
    if (view !== "wallet" && view !== "walletsolidity") return void response.writeHead(404).end()
    const call: NodeCall = { view, method, body }
    this.calls.set(method, (this.calls.get(method) ?? 0) + 1)
    const fault = this.fault(call)
    if (fault?.kind === "ignored") return
    if (fault?.kind === "away") return void request.socket.destroy()
    if (fault?.kind === "status") return void response.writeHead(fault.status, fault.headers ?? {}).end("try later")
    if (fault?.kind === "body") return void response.writeHead(200).end(fault.text)
    if (fault?.kind === "refuse") return this.end(response, { result: false, code: fault.code, message: "6e6f" })
    const answer = this.reword(call, this.answer(call))
    if (fault?.kind === "unanswered") return
    if (fault?.kind === "lost") return void request.socket.destroy()
    if (fault?.kind === "tell") return this.end(response, { result: false, code: fault.code, message: "6e6f" })
    if (answer === undefined) return void response.writeHead(404).end()
    const whole = JSON.stringify(answer)
    if (fault?.kind === "truncated")
      return void response.writeHead(200).end(whole.slice(0, Math.floor(whole.length / 2)))
    this.end(response, answer)
  }

  private end(response: ServerResponse, answer: unknown): void {
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(answer))
  }

  private height(call: NodeCall): number {
    const lag = this.behind(call) + (call.view === "walletsolidity" ? this.network.solidLag : 0)
    return Math.max(0, this.network.blocks.length - 1 - lag)
  }

  private answer(call: NodeCall): unknown {
    const height = this.height(call)
    const { body, method, view } = call
    switch (method) {
      case "getnowblock":
        return this.blockAt(height, height, whole)
      case "getblock":
        return this.blockAt(this.knowsHeights ? Number(body["id_or_num"] ?? height) : height, height)
      case "getblockbynum":
        return this.blockAt(Number(body["num"]), height, whole)
      case "gettransactioninfobyblocknum":
        return this.infosAt(Number(body["num"]), height)
      case "gettransactioninfobyid":
        return this.network.infoOf(text(body["value"]), height) ?? {}
      case "getaccount":
        return this.accountOf(address(body["address"]), height)
      case "getaccountresource":
        return { freeNetLimit: 600, TotalEnergyLimit: 180_000_000_000 }
      case "getchainparameters":
        return { chainParameter: this.parameters() }
      case "getenergyprices":
        return { prices: `0:100,1542607200000:${this.network.energyFee}` }
      case "triggerconstantcontract":
        return this.constant(body, height)
      case "estimateenergy":
        return { result: { code: "CONTRACT_VALIDATE_ERROR", message: Buffer.from("not supported").toString("hex") } }
      case "triggersmartcontract":
        return view === "wallet" ? this.built(body, height) : undefined
      case "broadcasttransaction":
        return view === "wallet" ? this.broadcast(body) : undefined
      default:
        return undefined
    }
  }

  private blockAt(number: number, height: number, written = header): unknown {
    return number >= 0 && number <= height ? written(this.network.at(number)) : {}
  }

  private infosAt(number: number, height: number): unknown {
    if (number <= 0) return {}
    return number <= height ? this.network.at(number).infos : []
  }

  private accountOf(address20: string, height: number): unknown {
    const balance = this.network.trx(address20, height)
    return balance === undefined ? {} : { address: `41${address20}`, ...(balance === 0 ? {} : { balance }) }
  }

  private parameters() {
    return [
      { key: "getMaintenanceTimeInterval", value: 21_600_000 },
      { key: "getTransactionFee", value: 1000 },
      { key: "getEnergyFee", value: this.network.energyFee },
      { key: "getCreateAccountFee", value: 100_000 },
      { key: "getCreateNewAccountFeeInSystemContract", value: 1_000_000 },
      { key: "getMaxFeeLimit", value: 15_000_000_000 },
      { key: "getAllowTvmLondon" }
    ]
  }

  private constant(body: NodeCall["body"], height: number): unknown {
    const parameter = text(body["parameter"])
    const selector = text(body["function_selector"])
    if (address(body["contract_address"]) !== this.network.token)
      return { result: { code: "CONTRACT_VALIDATE_ERROR", message: Buffer.from("No contract").toString("hex") } }
    if (selector === "balanceOf(address)") {
      const balance = this.network.balance(parameter.slice(24, 64), height)
      return {
        result: { result: true },
        energy_used: 935,
        constant_result: [balance.toString(16).padStart(64, "0")],
        transaction: { ret: [{}], visible: false }
      }
    }
    const amount = BigInt(`0x${parameter.slice(64)}`)
    const objection = this.network.objection(address(body["owner_address"]), parameter.slice(24, 64), amount, height)
    return objection === undefined
      ? {
          result: { result: true },
          energy_used: this.network.energy,
          constant_result: ["0".repeat(64)],
          transaction: { ret: [{}], visible: false }
        }
      : {
          result: { result: true, message: Buffer.from(objection).toString("hex") },
          energy_used: 3000,
          constant_result: ["08c379a0"],
          transaction: { ret: [{ ret: "FAILED" }], visible: false }
        }
  }

  private built(body: NodeCall["body"], height: number): unknown {
    const head = this.network.at(height)
    const raw_data: RawData = {
      contract: [
        {
          parameter: {
            value: {
              data:
                (text(body["function_selector"]) === "transfer(address,uint256)" ? "a9059cbb" : "") +
                text(body["parameter"]),
              owner_address: text(body["owner_address"]),
              contract_address: text(body["contract_address"])
            },
            type_url: "type.googleapis.com/protocol.TriggerSmartContract"
          },
          type: "TriggerSmartContract"
        }
      ],
      ref_block_bytes: (head.number & 0xffff).toString(16).padStart(4, "0"),
      ref_block_hash: head.id.slice(16, 32),
      expiration: head.timestamp + 60_000,
      timestamp: head.timestamp,
      fee_limit: Number(body["fee_limit"] ?? 0)
    }
    const raw = TronEncoding.rawData(raw_data)
    const transaction = { visible: false, txID: TronEncoding.idOf(raw), raw_data, raw_data_hex: raw.toString("hex") }
    return { result: { result: true }, transaction }
  }

  private broadcast(body: NodeCall["body"]): unknown {
    const [signature] = Array.isArray(body["signature"]) ? (body["signature"] as ReadonlyArray<string>) : []
    const { code, id } = this.network.broadcast(body["raw_data"] as RawData, signature)
    return code === "SUCCESS"
      ? { result: true, txid: id }
      : { result: false, code, message: Buffer.from(code).toString("hex"), txid: id }
  }
}
