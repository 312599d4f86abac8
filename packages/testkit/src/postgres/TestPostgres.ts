import { randomBytes } from "node:crypto"
import pg from "pg"
import { inject } from "vitest"
import type {} from "./globalSetup.ts"

/**
 * The URL of a fresh, empty database on the run's own PostgreSQL, for one test file. It goes with the run. The project
 * must have `globalSetup.ts` of this folder as its global setup.
 */
export const createDatabase = async (): Promise<string> => {
  const name = `test_${randomBytes(8).toString("hex")}`
  const url = inject("postgresUrl")
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(`CREATE DATABASE ${name}`)
  } finally {
    await client.end()
  }
  const database = new URL(url)
  database.pathname = name
  return database.href
}
