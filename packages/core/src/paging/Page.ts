/** A requested page of a list: `page` from 1, `limit` from 1 to 100. */
export interface PageRequest {
  readonly page: number
  readonly limit: number
}

/** The records of one page and the total number of records. */
export interface Page<A> {
  readonly items: ReadonlyArray<A>
  readonly total: number
}
