import { StoreUnavailable } from "@agent-marketplace/core/errors/MarketError"
import type { SqlError } from "effect/sql/SqlError"

/**
 * Errors of PostgreSQL that mean it is unavailable, not that the statement is wrong: it is stopping, starting or recovering, has too many
 * clients or too few resources, became a replica, or cancelled a statement, a lock or a transaction.
 */
const unavailableStates = /^(?:08|28|53|58|57P0|57014|55P03|25006|25P0[2-4]|40001|40P01)/

/** The error of a connection whose last transaction was never ended. */
export const transactionAborted = "25P02"

/** The SQLSTATE of an error, if the server sent one. */
export const sqlStateOf = (error: SqlError): string | undefined => {
  const { cause } = error.reason
  return typeof cause === "object" && cause !== null && "code" in cause && typeof cause.code === "string"
    ? cause.code
    : undefined
}

/** PostgreSQL's function that refuses a row for the default partition because the partition of that row was made meanwhile. The next attempt finds it. */
const partitionMade = "ExecPartitionCheckEmitError"

const isPartitionMade = ({ reason: { cause } }: SqlError): boolean =>
  typeof cause === "object" && cause !== null && "routine" in cause && cause.routine === partitionMade

/** `StoreUnavailable` if the error means that the database is unavailable; undefined if it is a fault. */
export const asUnavailable = (error: SqlError): StoreUnavailable | undefined =>
  error.reason._tag === "ConnectionError" || unavailableStates.test(sqlStateOf(error) ?? "") || isPartitionMade(error)
    ? new StoreUnavailable({ cause: error })
    : undefined
