import { randomBytes } from "node:crypto"
import { Client } from "pg"
import { inject } from "vitest"

declare module "vitest" {
  export interface ProvidedContext {
    /** The superuser connection to the test cluster, from `globalSetup.ts`. */
    readonly postgresUrl: string
  }
}

/**
 * The URL of a new, empty database in the PostgreSQL of this run, for one test file. It is deleted with the run. The project
 * must have `globalSetup.ts` of this folder as its global setup.
 */
export const createDatabase = async (): Promise<string> => {
  const name = `test_${randomBytes(8).toString("hex")}`
  const url = inject("postgresUrl")
  const client = new Client({ connectionString: url })
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
