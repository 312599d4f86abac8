import { migrations } from "@agent-marketplace/postgres/migrations/migrations"
import type { Client } from "pg"

/** Applies the migrations from one number to another, as a release does: in one transaction. */
export const migrateBetween = async (client: Client, from: number, to: number): Promise<void> => {
  await client.query("BEGIN")
  for (const [name, statements] of Object.entries(migrations)) {
    const number = Number(name.slice(0, 4))
    if (number >= from && number <= to) for (const statement of statements) await client.query(statement)
  }
  await client.query("COMMIT")
}
