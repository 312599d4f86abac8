import { StoreUnavailable } from "@agent-marketplace/core/errors/MarketError"
import type { SqlError } from "effect/sql/SqlError"

/**
 * What PostgreSQL says while it stops, starts, recovers, has too many clients or too little of anything, became a replica, or
 * gave up on a statement, a lock or a transaction: it is away, not wrong.
 */
const away = /^(?:08|28|53|58|57P0|57014|55P03|25006|25P0[2-4]|40001|40P01)/

/** Of a connection whose last transaction was never ended. */
export const transactionAborted = "25P02"

/** The SQLSTATE behind an error, where the server gave one. */
export const sqlStateOf = (error: SqlError): string | undefined => {
  const { cause } = error.reason
  return typeof cause === "object" && cause !== null && "code" in cause && typeof cause.code === "string"
    ? cause.code
    : undefined
}

/** `StoreUnavailable` if the error means that the database is unavailable; undefined if it is a fault. */
export const asUnavailable = (error: SqlError): StoreUnavailable | undefined =>
  error.reason._tag === "ConnectionError" || away.test(sqlStateOf(error) ?? "")
    ? new StoreUnavailable({ cause: error })
    : undefined
