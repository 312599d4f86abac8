import { usdtContract } from "@agent-marketplace/core/chain/usdtContract"
import { Redacted, Result } from "effect"
import { isTronAddress, payloadOf } from "./tronAddress.ts"
import type { SignerConfiguration } from "./SignerConfiguration.ts"
import { noSigners, readSigners } from "./SignerConfiguration.ts"

/** The market's connection to TRON and its wallets (CONFIG-1, CHAIN-7, CHAIN-8). */
export interface TronConfiguration extends SignerConfiguration {
  readonly fullNodes: ReadonlyArray<string>
  readonly solidityNodes: ReadonlyArray<string>
  readonly apiKey: Redacted.Redacted | undefined
  readonly contract: string
  readonly depositXpub: string | undefined
  readonly hotWallet: string | undefined
  readonly startBlock: number | undefined
  /** How long a payout can be included after it was built, in milliseconds. */
  readonly timings: { readonly lifetime: number }
  /** How many nodes must vote (CHAIN-10). Undefined: one of up to two, a majority of three or more. */
  readonly quorum: number | undefined
}

type Read<A> = (value: string) => Result.Result<A, string>

const address: Read<string> = (value) =>
  isTronAddress(value) ? Result.succeed(value) : Result.fail("must be a TRON address")

/** A path is appended, so the URL must have no query. Credentials in the URL are not supported. */
const isBase = (text: string): boolean => {
  if (!URL.canParse(text)) return false
  const { hash, password, protocol, search, username } = new URL(text)
  return /^https?:$/.test(protocol) && `${username}${password}${search}${hash}` === ""
}

const urls: Read<ReadonlyArray<string>> = (value) => {
  const all = value.split(",").map((part) => part.trim().replace(/\/+$/, ""))
  if (new Set(all).size < all.length) return Result.fail("must name each node once")
  return all.every(isBase)
    ? Result.succeed(all)
    : Result.fail("must be URLs that start with http:// or https:// and name no user and no query, separated by commas")
}

const publicVersion = 0x0488b21e
const privateVersion = 0x0488ade4
const accountDepth = 3

/** The message never contains the value, which may be a private key by mistake. */
const accountKey: Read<string> = (value) => {
  const payload = payloadOf(value)
  if (payload?.length !== 78) return Result.fail("must be an extended public key (xpub…)")
  const version = Buffer.from(payload).readUInt32BE(0)
  if (version === privateVersion)
    return Result.fail("is a private key: set the public key, and treat this private key as compromised")
  if (version !== publicVersion) return Result.fail("must be an extended public key (xpub…)")
  return payload[4] === accountDepth
    ? Result.succeed(value)
    : Result.fail("must be the key of an account, m/44'/195'/0': three levels below the root")
}

const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n

const privateKey: Read<Redacted.Redacted> = (value) => {
  if (!/^[0-9a-fA-F]{64}$/.test(value)) return Result.fail("must be 64 hexadecimal digits")
  const scalar = BigInt(`0x${value}`)
  return scalar > 0n && scalar < order ? Result.succeed(Redacted.make(value)) : Result.fail("must be a private key")
}

const block: Read<number> = (value) =>
  /^\d{1,12}$/.test(value) && Number(value) > 0 ? Result.succeed(Number(value)) : Result.fail("must be a block number")

/** Less than the 24 hours that TRON allows, because the nodes' clocks differ. */
const minutes: Read<number> = (value) =>
  /^\d{1,4}$/.test(value) && Number(value) >= 10 && Number(value) <= 1380
    ? Result.succeed(Number(value))
    : Result.fail("must be a number of minutes from 10 to 1380")

const quorumOf =
  (nodes: number): Read<number> =>
  (value) => {
    if (!/^[1-9]\d{0,3}$/.test(value)) return Result.fail("must be a positive integer")
    // Without nodes, only the form can be checked.
    return nodes === 0 || Number(value) <= nodes
      ? Result.succeed(Number(value))
      : Result.fail(`must be at most ${nodes}, the number of nodes that are configured`)
  }

const nonEmpty: Read<Redacted.Redacted> = (value) => Result.succeed(Redacted.make(value))

/**
 * The variables that `CHAIN=tron` needs (CONFIG-25). `pays`: this process carries withdrawals out (CHAIN-6); another one never reads the key, whether or not it is
 * set.
 */
export const readTron = (
  optional: <A>(name: string, read: Read<A>) => A | undefined,
  fault: (sentence: string) => void,
  {
    gives,
    pays,
    pems
  }: { readonly gives: boolean; readonly pays: boolean; readonly pems?: Parameters<typeof readSigners>[2]["pems"] }
): TronConfiguration => {
  const required = <A>(name: string, read: Read<A>): A | undefined => {
    let seen = false
    const value = optional(name, (text) => {
      seen = true
      return read(text)
    })
    if (!seen) fault(`${name} must be set with CHAIN=tron`)
    return value
  }
  const fullNodes = required("TRON_FULL_NODE_URL", urls) ?? []
  const depositXpub = gives ? required("TRON_DEPOSIT_XPUB", accountKey) : optional("TRON_DEPOSIT_XPUB", accountKey)
  // The full nodes answer for what is final where no others are named (CHAIN-9).
  const solidityNodes = optional("TRON_SOLIDITY_NODE_URL", urls) ?? fullNodes
  const contract = optional("TRON_USDT_CONTRACT", address) ?? usdtContract
  const hotWallet = optional("TRON_HOT_WALLET_ADDRESS", address)
  const signers = pays ? readSigners(optional, fault, { address, hotWallet, pems, privateKey }) : noSigners
  // A person may have to agree, so a second signer has more time by default (SIGNER-10).
  const lifetime = optional("TRON_TRANSACTION_MINUTES", minutes) ?? (signers.secondSigner === undefined ? 10 : 60)
  return {
    fullNodes,
    solidityNodes,
    apiKey: optional("TRON_API_KEY", nonEmpty),
    contract,
    depositXpub,
    hotWallet,
    startBlock: optional("TRON_START_BLOCK", block),
    quorum: optional("TRON_QUORUM", quorumOf(solidityNodes.length)),
    timings: { lifetime: lifetime * 60_000 },
    ...signers
  }
}

/** On another chain the variables are not used, but those that are set must have the right form (CONFIG-29). */
export const checkTron = (
  optional: <A>(name: string, read: Read<A>) => A | undefined,
  uses: { readonly gives: boolean; readonly pays: boolean }
): undefined => {
  readTron(optional, () => undefined, uses)
  return undefined
}
