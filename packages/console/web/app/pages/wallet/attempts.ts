/** A withdrawal as it was sent, with the amounts that the person confirmed. */
export interface Attempt {
  readonly amount: string
  readonly destinationAddress: string
  /** The id of the quote, which is also the idempotency key of the request. */
  readonly quote: string
  /** In USDT. */
  readonly receives: string
}

const nameOf = (account: string): string => `withdrawal of ${account}`

/**
 * The withdrawal whose result is not known, for each account in this tab. It outlives a reload of the page, so that a repeated request has the
 * same idempotency key (CONSOLE-67).
 */
export const attempts = {
  get: (account: string): Attempt | undefined => {
    const text = sessionStorage.getItem(nameOf(account))
    return text === null ? undefined : (JSON.parse(text) as Attempt)
  },
  set: (account: string, attempt: Attempt): void => sessionStorage.setItem(nameOf(account), JSON.stringify(attempt)),
  remove: (account: string): void => sessionStorage.removeItem(nameOf(account))
}
