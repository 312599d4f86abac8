import { Effect, Redacted, Result } from "effect"
import { Command } from "effect/cli"
import { CommandFailure, exitCodes, usageFailure } from "../errors/CommandFailure.ts"
import { report } from "../terminal/report.ts"
import { CliContext } from "../terminal/CliContext.ts"

/** DATABASE_URL, which holds a password. */
const databaseUrl = Effect.gen(function* () {
  const { env } = yield* CliContext
  const url = Redacted.make(env["DATABASE_URL"] ?? "")
  if (Redacted.value(url) === "") return yield* usageFailure("DATABASE_URL is not set")
  const { parseDatabaseUrl } = yield* Effect.promise(() => import("@agent-marketplace/postgres/connect/DatabaseUrl"))
  const parsed = parseDatabaseUrl(url)
  return Result.isSuccess(parsed) ? url : yield* usageFailure(`DATABASE_URL ${parsed.failure}`)
})

const unavailable = () =>
  new CommandFailure({
    code: "DATABASE_UNAVAILABLE",
    message: "the database does not answer",
    hint: "Is DATABASE_URL the market's database, and may its user connect?",
    exitCode: exitCodes.unreachable
  })

const migrate = Effect.gen(function* () {
  const url = yield* databaseUrl
  const [{ Database }, migration] = yield* Effect.promise(() =>
    Promise.all([import("@agent-marketplace/postgres/Database"), import("@agent-marketplace/postgres/migrate")])
  )
  const applied = yield* migration.migrate.pipe(
    Effect.provide(Database.layer({ url, readConnections: 1, listConnections: 1, writeConnections: 1 })),
    Effect.mapError(unavailable)
  )
  const migrations = applied.map(([id, name]) => ({ id, name }))
  yield* report({ applied: migrations }, () =>
    migrations.length === 0
      ? "The schema is up to date."
      : migrations.map(({ id, name }) => `applied ${id} ${name}`).join("\n")
  )
})

export const migrateCommand = Command.make("migrate", {}, () => migrate).pipe(
  Command.withDescription(
    "Bring the schema of the database at DATABASE_URL up to date; safe to repeat and to run concurrently"
  )
)
