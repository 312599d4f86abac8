import { StoreUnavailable } from "@agent-marketplace/core/errors/MarketError"
import type { SqlError } from "effect/sql/SqlError"

/**
 * Errors of PostgreSQL that mean it is unavailable, not that the statement is wrong: it is stopping, starting or recovering, has too many
 * clients or too few resources, became a replica, or cancelled a statement, a lock or a transaction.
 */
const unavailableStates = /^(?:08|28|53|58|57P0|57014|55P03|25006|25P0[2-4]|40001|40P01)/

/** The error of a connection whose last transaction was never ended. */
export const transactionAborted = "25P02"

/** A field of the server's error, if it sent one. */
const fieldOf = ({ reason: { cause } }: SqlError, field: "code" | "routine"): string | undefined => {
  const value: unknown = typeof cause === "object" && cause !== null ? Reflect.get(cause, field) : undefined
  return typeof value === "string" ? value : undefined
}

/** The SQLSTATE of an error, if the server sent one. */
export const sqlStateOf = (error: SqlError): string | undefined => fieldOf(error, "code")

/** PostgreSQL's function that refuses a row for the default partition because the partition of that row was made meanwhile. The next attempt finds it. */
const partitionMade = "ExecPartitionCheckEmitError"

/** `StoreUnavailable` if the error means that the database is unavailable; undefined if it is a fault. */
export const asUnavailable = (error: SqlError): StoreUnavailable | undefined =>
  error.reason._tag === "ConnectionError" ||
  unavailableStates.test(sqlStateOf(error) ?? "") ||
  fieldOf(error, "routine") === partitionMade
    ? new StoreUnavailable({ cause: error })
    : undefined
