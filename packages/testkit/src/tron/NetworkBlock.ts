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
  /** The changes of token balances, by the 20 bytes of the address. */
  readonly moved: ReadonlyArray<readonly [address: string, by: bigint]>
  /** The changes of TRX balances in sun, by the 20 bytes of the address. */
  readonly sunMoved: ReadonlyArray<readonly [address: string, by: number]>
}
