import { tronChain as configuredTron } from "@agent-marketplace/assembly/tronChain"
import type { Issue } from "@agent-marketplace/core/errors/MarketError"
import { pemTexts } from "@agent-marketplace/settings/SignerConfiguration"
import { readTron } from "@agent-marketplace/settings/TronConfiguration"
import { Result } from "effect"
import { invalidOptions } from "../options/optionChecks.ts"
import type { MarketChain } from "./MarketChain.ts"

/** A signing server that is called over TLS, where both sides show a certificate. Certificates and the key are PEM texts, not paths. */
export interface RemoteSignerOptions {
  /** Starts with `https://`. */
  readonly url: string
  /** The market's own certificate. */
  readonly certificate: string
  /** Its private key, without a passphrase. */
  readonly key: string
  /** The certificate of the authority that issued the server's. */
  readonly authority: string
}

/** A key of AWS KMS: its key spec is ECC_SECG_P256K1, its usage SIGN_VERIFY. The program installs `@aws-sdk/client-kms`. */
export interface KmsOptions {
  /** The id, ARN or alias of the key. */
  readonly keyId: string
  /** Default: that of the ARN, or what the AWS SDK finds. */
  readonly region?: string | undefined
  /** Another endpoint of the service. */
  readonly endpoint?: string | undefined
}

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
  /**
   * The signer of payouts: at most one of `hotWalletKey`, `signer` and `kms`, only in the process that pays withdrawals. Without any of them withdrawals
   * wait for that process.
   */
  readonly hotWalletKey?: string | undefined
  /** A signing server. Requires `hotWallet`. */
  readonly signer?: RemoteSignerOptions | undefined
  /** A key management service. Requires `hotWallet`. */
  readonly kms?: KmsOptions | undefined
  /** A second signing server that must agree to each payout, and the address of its key. Requires `hotWallet`. */
  readonly secondSigner?: (RemoteSignerOptions & { readonly address: string }) | undefined
  /** With `secondSigner`: the address of the first key, if it is not the hot wallet's own. */
  readonly signerAddress?: string | undefined
  /** With `secondSigner`: the permission of the hot wallet that names both keys, 2 to 9; default 2. */
  readonly permission?: number | undefined
  /** How long a payout can be included after it was built, 10 to 1380; default 10, with `secondSigner` 60. */
  readonly transactionMinutes?: number | undefined
  /** The wallet that pays withdrawals, if this process does not have its key. */
  readonly hotWallet?: string | undefined
  /** The first block to scan if no position is stored; default: the newest final block. */
  readonly startBlock?: number | undefined
  /** How many nodes must vote on what is final; default: one of up to two nodes, a majority of three or more. */
  readonly quorum?: number | undefined
}

/** The server's variables (CONFIG-1) by the options' names; the same rules apply here. */
const names: Readonly<Record<string, string>> = {
  TRON_FULL_NODE_URL: "fullNodes",
  TRON_SOLIDITY_NODE_URL: "solidityNodes",
  TRON_API_KEY: "apiKey",
  TRON_USDT_CONTRACT: "contract",
  TRON_DEPOSIT_XPUB: "depositXpub",
  TRON_HOT_WALLET_KEY: "hotWalletKey",
  TRON_HOT_WALLET_ADDRESS: "hotWallet",
  TRON_SIGNER_URL: "signer.url",
  TRON_SIGNER_CERT: "signer.certificate",
  TRON_SIGNER_KEY: "signer.key",
  TRON_SIGNER_CA: "signer.authority",
  TRON_KMS_KEY_ID: "kms.keyId",
  TRON_KMS_REGION: "kms.region",
  TRON_KMS_ENDPOINT: "kms.endpoint",
  TRON_SECOND_SIGNER_URL: "secondSigner.url",
  TRON_SECOND_SIGNER_CERT: "secondSigner.certificate",
  TRON_SECOND_SIGNER_KEY: "secondSigner.key",
  TRON_SECOND_SIGNER_CA: "secondSigner.authority",
  TRON_SECOND_SIGNER_ADDRESS: "secondSigner.address",
  TRON_SIGNER_ADDRESS: "signerAddress",
  TRON_PERMISSION_ID: "permission",
  TRON_TRANSACTION_MINUTES: "transactionMinutes",
  TRON_START_BLOCK: "startBlock",
  TRON_QUORUM: "quorum"
}

const paths = Object.values(names)

const groups = new Set(paths.flatMap((path) => (path.includes(".") ? [path.split(".")[0] ?? ""] : [])))

/** Options that only the paying process has. */
const signing = ["hotWalletKey", "signer", "kms", "secondSigner", "signerAddress", "permission"] as const

type Given = Readonly<Record<string, unknown>>

const isRecord = (value: unknown): value is Given =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** The options by their paths, such as `signer.url`, and the names that are not options. */
const flattened = (options: Given) => {
  const values = new Map<string, unknown>()
  const issues: Array<Issue> = []
  const add = (path: string, value: unknown) =>
    paths.includes(path) ? void values.set(path, value) : void issues.push({ path, message: "is not an option" })
  for (const [name, value] of Object.entries(options)) {
    if (value === undefined) continue
    if (!groups.has(name)) add(name, value)
    else if (isRecord(value)) for (const [part, each] of Object.entries(value)) add(`${name}.${part}`, each)
    else issues.push({ path: name, message: "must be an object" })
  }
  return { values, issues }
}

/** Translates a fault of the variables to the options: the first option that it names, and the rule. */
const issueOf = (sentence: string): Issue => {
  const worded = sentence.replace(/TRON_[A-Z_]+/g, (name) => names[name] ?? name).replace(" with CHAIN=tron", "")
  const [path = "", ...rule] = worded.split(" ")
  const message = rule.join(" ")
  return { path, message: message === "must be set" ? "is required" : message }
}

const read = (options: TronOptions) => {
  const { issues, values } = flattened(options as unknown as Given)
  const optional = <A>(name: string, check: (value: string) => Result.Result<A, string>): A | undefined => {
    const path = names[name] ?? name
    const given = values.get(path)
    const value = given === undefined || given === null ? "" : String(given).trim()
    if (value === "") return undefined
    const result = check(value)
    if (Result.isSuccess(result)) return result.success
    issues.push({ path, message: result.failure })
    return undefined
  }
  const pays = signing.some((name) => options[name] !== undefined)
  const fault = (sentence: string) => void issues.push(issueOf(sentence))
  return { configuration: readTron(optional, fault, { gives: true, pays, pems: pemTexts }), issues }
}

/**
 * USDT on TRON (EMBED-8). Throws a `MarketplaceError` that names every invalid option; it never contains a key.
 */
export const tronChain = (options: TronOptions): MarketChain => {
  // A program in plain JavaScript may pass no options.
  const { configuration, issues } = read({ ...options })
  if (issues.length > 0) throw invalidOptions("tronChain", issues)
  return { realMoney: true, layer: configuredTron(configuration) }
}
