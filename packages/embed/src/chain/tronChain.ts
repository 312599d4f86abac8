import { tronChain as configuredTron } from "@agent-marketplace/assembly/tronChain"
import type { Issue } from "@agent-marketplace/core/errors/MarketError"
import { readTron } from "@agent-marketplace/settings/TronConfiguration"
import { Result } from "effect"
import { invalidOptions } from "../options/optionChecks.ts"
import type { MarketChain } from "./MarketChain.ts"

export interface TronOptions {
  /** Base URLs of full nodes, tried in this order. */
  readonly fullNodes: ReadonlyArray<string>
  /** Base URLs of solidity nodes; the full nodes if absent. */
  readonly solidityNodes?: ReadonlyArray<string> | undefined
  /** Sent as `TRON-PRO-API-KEY`. */
  readonly apiKey?: string | undefined
  /** The token's contract; that of USDT if absent. */
  readonly contract?: string | undefined
  /** The account-level public key of m/44'/195'/0', from which deposit addresses are derived. */
  readonly depositXpub: string
  /** 64 hexadecimal digits. Only for the process that pays withdrawals; without the key withdrawals wait for that process. */
  readonly hotWalletKey?: string | undefined
  /** The wallet that pays withdrawals, if this process does not have its key. */
  readonly hotWallet?: string | undefined
  /** The first block to scan if no position is stored; default: the newest final block. */
  readonly startBlock?: number | undefined
  /** How many nodes must vote on what is final; default: one of up to two nodes, a majority of three or more. */
  readonly quorum?: number | undefined
}

/** The server's variables (CONFIG-1) by the options' names; the same rules apply here. */
const names: Readonly<Record<string, keyof TronOptions>> = {
  TRON_FULL_NODE_URL: "fullNodes",
  TRON_SOLIDITY_NODE_URL: "solidityNodes",
  TRON_API_KEY: "apiKey",
  TRON_USDT_CONTRACT: "contract",
  TRON_DEPOSIT_XPUB: "depositXpub",
  TRON_HOT_WALLET_KEY: "hotWalletKey",
  TRON_HOT_WALLET_ADDRESS: "hotWallet",
  TRON_START_BLOCK: "startBlock",
  TRON_QUORUM: "quorum"
}

const read = (options: TronOptions) => {
  const issues: Array<Issue> = []
  const optional = <A>(name: string, check: (value: string) => Result.Result<A, string>): A | undefined => {
    const path = names[name] ?? name
    const given = options[path as keyof TronOptions]
    const value = given === undefined ? "" : String(given).trim()
    if (value === "") return undefined
    const result = check(value)
    if (Result.isSuccess(result)) return result.success
    issues.push({ path, message: result.failure })
    return undefined
  }
  const missing = (sentence: string) => {
    const path = names[sentence.split(" ")[0] ?? ""] ?? ""
    issues.push({ path, message: "is required" })
  }
  const configuration = readTron(optional, missing, { gives: true, pays: options.hotWalletKey !== undefined })
  return { configuration, issues }
}

/**
 * USDT on TRON. Throws a `MarketplaceError` that names every invalid option; it never contains a key.
 */
export const tronChain = (options: TronOptions): MarketChain => {
  // A program in plain JavaScript may pass no options.
  const { configuration, issues } = read({ ...options })
  if (issues.length > 0) throw invalidOptions("tronChain", issues)
  return { realMoney: true, layer: configuredTron(configuration) }
}
