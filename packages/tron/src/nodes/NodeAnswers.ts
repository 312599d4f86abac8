import { Schema } from "effect"

const Hash = Schema.String.check(Schema.isPattern(/^[0-9a-f]{64}$/))
const Hex = Schema.String.check(Schema.isPattern(/^[0-9a-fA-F]*$/))
const Count = Schema.Int.check(Schema.isGreaterThanOrEqualTo(0))

/** A block without its transactions. Fields with default values are absent. */
export const Header = Schema.Struct({
  blockID: Hash,
  block_header: Schema.Struct({
    raw_data: Schema.Struct({
      number: Schema.optionalKey(Count),
      timestamp: Schema.optionalKey(Count),
      txTrieRoot: Schema.optionalKey(Hex),
      parentHash: Schema.optionalKey(Hash)
    })
  })
})

/** A block, with its transactions if they were requested and there are any. */
const Block = Schema.Struct({ ...Header.fields, transactions: Schema.optionalKey(Schema.Array(Schema.Unknown)) })

export type Block = typeof Block.Type

/** A block, or exactly `{}` if the node has none at that height. */
export const FoundBlock = Schema.Union([Block, Schema.Record(Schema.String, Schema.Never)])

/** The result of a simulated contract call. */
export const ConstantCall = Schema.Struct({
  result: Schema.Struct({
    result: Schema.optionalKey(Schema.Boolean),
    code: Schema.optionalKey(Schema.String),
    message: Schema.optionalKey(Schema.String)
  }),
  energy_used: Schema.optionalKey(Count),
  constant_result: Schema.optionalKey(Schema.Array(Hex)),
  transaction: Schema.optionalKey(
    Schema.Struct({
      ret: Schema.optionalKey(Schema.Array(Schema.Struct({ ret: Schema.optionalKey(Schema.String) })))
    })
  )
})

export const ChainParameters = Schema.Struct({
  chainParameter: Schema.Array(Schema.Struct({ key: Schema.String, value: Schema.optionalKey(Schema.Int) }))
})

/** `{}` for an address that was never activated. */
export const Account = Schema.Struct({
  Error: Schema.optionalKey(Schema.Never),
  address: Schema.optionalKey(Schema.String),
  balance: Schema.optionalKey(Count),
  /** TRC-10 tokens by their numbers. */
  assetV2: Schema.optionalKey(Schema.Array(Schema.Struct({ key: Schema.String, value: Count }))),
  /** When it last sent a transaction; absent if it never did. The name is java-tron's. */
  latest_opration_time: Schema.optionalKey(Count)
})

/** A transaction, or `{}` if the node does not have it. */
export const FoundTransaction = Schema.Struct({
  Error: Schema.optionalKey(Schema.Never),
  raw_data: Schema.optionalKey(
    Schema.Struct({
      contract: Schema.Array(
        Schema.Struct({ type: Schema.String, parameter: Schema.Struct({ value: Schema.Unknown }) })
      )
    })
  )
})

/** The names of a TRC-10 token, in hexadecimal. */
export const AssetIssue = Schema.Struct({
  Error: Schema.optionalKey(Schema.Never),
  abbr: Schema.optionalKey(Schema.String),
  name: Schema.optionalKey(Schema.String)
})

const Stake = Schema.Struct({ type: Schema.optionalKey(Schema.String), amount: Schema.optionalKey(Count) })

const OldStake = Schema.Struct({ frozen_balance: Schema.optionalKey(Count) })

/** An account with what it has staked, and what others have staked for it: in the current form (V2) and the one before. */
export const AccountStakes = Schema.Struct({
  Error: Schema.optionalKey(Schema.Never),
  balance: Schema.optionalKey(Count),
  frozenV2: Schema.optionalKey(Schema.Array(Stake)),
  frozen: Schema.optionalKey(Schema.Array(OldStake)),
  acquired_delegated_frozenV2_balance_for_bandwidth: Schema.optionalKey(Count),
  acquired_delegated_frozen_balance_for_bandwidth: Schema.optionalKey(Count),
  account_resource: Schema.optionalKey(
    Schema.Struct({
      frozen_balance_for_energy: Schema.optionalKey(OldStake),
      acquired_delegated_frozenV2_balance_for_energy: Schema.optionalKey(Count),
      acquired_delegated_frozen_balance_for_energy: Schema.optionalKey(Count)
    })
  )
})

/** Units of energy and bandwidth (net): the account's, and the network's with the TRX that are staked for them. */
export const AccountResource = Schema.Struct({
  Error: Schema.optionalKey(Schema.Never),
  EnergyLimit: Schema.optionalKey(Count),
  EnergyUsed: Schema.optionalKey(Count),
  TotalEnergyLimit: Schema.optionalKey(Count),
  TotalEnergyWeight: Schema.optionalKey(Count),
  freeNetLimit: Schema.optionalKey(Count),
  freeNetUsed: Schema.optionalKey(Count),
  NetLimit: Schema.optionalKey(Count),
  NetUsed: Schema.optionalKey(Count),
  TotalNetLimit: Schema.optionalKey(Count),
  TotalNetWeight: Schema.optionalKey(Count)
})

/** `code` is absent if it is SUCCESS. */
export const BroadcastAnswer = Schema.Struct({
  result: Schema.optionalKey(Schema.Boolean),
  code: Schema.optionalKey(Schema.String),
  message: Schema.optionalKey(Schema.String),
  txid: Schema.optionalKey(Schema.String)
}).check(Schema.makeFilter((answer) => answer.result !== undefined || answer.code !== undefined))
