import { Schema } from "effect"

/** In hexadecimal as nodes write it: some add 0x or use upper case. */
export interface Log {
  /** 20 bytes, or 21 with the prefix 41, or in base58. */
  readonly address: string
  readonly topics?: ReadonlyArray<string>
  readonly data?: string
}

/** The result of a transaction in its block. Fields with default values are absent. */
export interface TransactionInfo {
  readonly id: string
  readonly blockNumber: number
  readonly blockTimeStamp: number
  readonly result?: string
  readonly resMessage?: string
  readonly receipt?: { readonly result?: string }
  readonly log?: ReadonlyArray<Log>
}

const hash = /^[0-9a-f]{64}$/
const address = /^(?:(?:0x)?(?:41)?[0-9a-fA-F]{40}|T[1-9A-HJ-NP-Za-km-z]{33})$/
const hex = /^(?:0x)?[0-9a-fA-F]*$/
const topic = /^(?:0x)?[0-9a-fA-F]{64}$/

type Fields = Readonly<Record<string, unknown>>

const isFields = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value)

const isText = (value: unknown, pattern: RegExp): boolean => typeof value === "string" && pattern.test(value)

const isCount = (value: unknown): boolean => Number.isSafeInteger(value) && (value as number) >= 0

const isAbsentOrText = (value: unknown): boolean => value === undefined || typeof value === "string"

const isLog = (value: unknown): boolean => {
  if (!isFields(value) || !isText(value["address"], address)) return false
  const { data, topics } = value
  if (data !== undefined && !isText(data, hex)) return false
  return topics === undefined || (Array.isArray(topics) && topics.every((each) => isText(each, topic)))
}

const isInfo = (value: unknown): value is TransactionInfo => {
  if (!isFields(value)) return false
  const { blockNumber, blockTimeStamp, id, log, receipt, resMessage, result } = value
  return (
    isText(id, hash) &&
    isCount(blockNumber) &&
    isCount(blockTimeStamp) &&
    isAbsentOrText(result) &&
    isAbsentOrText(resMessage) &&
    (receipt === undefined || (isFields(receipt) && isAbsentOrText(receipt["result"]))) &&
    (log === undefined || (Array.isArray(log) && log.every(isLog)))
  )
}

/**
 * The infos of one block; every entry must belong to that block. Validated by hand in one pass: a block has hundreds of entries, and a
 * scanner that catches up reads hundreds of blocks per second.
 */
export const BlockInfos = (block: number) =>
  Schema.declare(
    (value: unknown): value is ReadonlyArray<TransactionInfo> =>
      Array.isArray(value) && value.every((info) => isInfo(info) && info.blockNumber === block),
    { identifier: "BlockInfos" }
  )

/** Exactly `{}`: the node does not have the transaction. */
export interface Absent {
  readonly id?: undefined
}

/** The info of one transaction, or `{}`. */
export const FoundInfo = (txid: string) =>
  Schema.declare(
    (value: unknown): value is TransactionInfo | Absent =>
      isFields(value) && (Object.keys(value).length === 0 || (isInfo(value) && value.id === txid)),
    { identifier: "TransactionInfo" }
  )

/** Whether the transaction took effect. */
export const succeeded = ({ receipt, result }: TransactionInfo): boolean =>
  result !== "FAILED" && (receipt?.result === undefined || receipt.result === "SUCCESS")
