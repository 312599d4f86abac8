/** The keys of a user, by the address of the market that each was checked against: a key is never sent anywhere else (CLI-2). */
export interface KeptKeys {
  /** The market that is meant where none is named. */
  readonly current?: string | undefined
  readonly markets: Readonly<Record<string, { readonly apiKey: string }>>
}
