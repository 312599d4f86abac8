/**
 * The `cause` of a `StoreUnavailable` at the start: the store works, but cannot keep what the market promises. The message names the
 * reason and the remedy, and is shown to the operator.
 */
export class UnsuitableStore extends Error {}
