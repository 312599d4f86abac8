import { spawn } from "node:child_process"
import type { ChildProcess } from "node:child_process"
import { once } from "node:events"
import { chmod, mkdir, mkdtemp, readdir, readFile, readlink, rm, stat, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { programFile } from "@agent-marketplace/fixtures/processes/programFile"
import { findPostmaster } from "@agent-marketplace/embedded-postgres/Postmaster"
import { PgClient } from "@effect/sql-pg"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit, Layer, Redacted, Scope } from "effect"
import { SqlClient } from "effect/sql"
import { EmbeddedDatabase } from "../src/EmbeddedDatabase.ts"
import { waitFor } from "./fixtures/waitFor.ts"

const temporaryFolder = Effect.acquireRelease(
  Effect.promise(async () => {
    const folder = await mkdtemp(join(tmpdir(), "agent-marketplace-data-"))
    await chmod(folder, 0o755)
    return folder
  }),
  (folder) => Effect.promise(() => rm(folder, { recursive: true, force: true }))
)

/** Runs an effect on the database behind a connection URL. */
const on =
  (url: string) =>
  <A, E>(effect: Effect.Effect<A, E, SqlClient.SqlClient>) =>
    effect.pipe(
      Effect.provide(Layer.fresh(PgClient.layer({ url: Redacted.make(url), maxConnections: 1 }))),
      Effect.orDie
    )

const write = (note: string) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    yield* sql`CREATE TABLE IF NOT EXISTS notes (note text PRIMARY KEY)`
    yield* sql`INSERT INTO notes VALUES (${note})`
  })

const notes = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql<{ note: string }>`SELECT note FROM notes ORDER BY note`
  return rows.map(({ note }) => note)
})

const setting = (name: string) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const [row] = yield* sql<{ setting: string }>`SELECT setting FROM pg_settings WHERE name = ${name}`
    return row?.setting
  })

/** The number of statements like that of `busy` that are running. */
const busyStatements = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql`SELECT FROM pg_stat_activity WHERE state = 'active' AND query LIKE 'DO %'`
  return rows.length
})

/** Runs a loop of 15 seconds that never checks whether the postmaster is alive. Returns whether the loop still runs. */
const busy = Effect.fnUntraced(function* (url: string) {
  let isBusy = true
  const loop = Effect.flatMap(SqlClient.SqlClient, (sql) =>
    sql.unsafe("DO $$ BEGIN WHILE clock_timestamp() < now() + interval '15 seconds' LOOP END LOOP; END $$")
  )
  const ended = Effect.sync(() => (isBusy = false))
  yield* Effect.forkScoped(Effect.exit(on(url)(Effect.ensuring(loop, ended))))
  yield* Effect.promise(() =>
    waitFor("the loop runs", async () => (await Effect.runPromise(on(url)(busyStatements))) > 0)
  )
  return () => isBusy
})

const open = (folder: string) => Effect.map(EmbeddedDatabase.make(folder), ({ url }) => Redacted.value(url))

const use = <A, E>(folder: string, effect: Effect.Effect<A, E, SqlClient.SqlClient>) =>
  Effect.scoped(Effect.flatMap(open(folder), (url) => on(url)(effect)))

interface Holder {
  readonly url: string
  readonly process: ChildProcess
}

/** Another Node process that uses the database of a folder. */
const holder = (folder: string) =>
  Effect.acquireRelease(
    Effect.promise(async (): Promise<Holder> => {
      const child = spawn(process.execPath, [programFile("holdDatabase"), folder], {
        stdio: ["pipe", "pipe", "inherit"]
      })
      const [url] = await Promise.race([once(createInterface(child.stdout), "line"), once(child, "exit")])
      return { url: String(url), process: child }
    }),
    end
  )

const end = ({ process }: Holder) =>
  Effect.promise(async () => {
    if (process.exitCode !== null || process.signalCode !== null) return
    const exit = once(process, "exit")
    process.stdin?.end()
    await exit
  })

const kill = ({ process }: Holder) =>
  Effect.promise(async () => {
    const exit = once(process, "exit")
    process.kill("SIGKILL")
    await exit
  })

const postmaster = (folder: string) => findPostmaster(join(folder, "postgres"))

/** Processes whose working folder is the cluster's, as that of every process of PostgreSQL is; none where the system does not show it. */
const processesIn = async (folder: string): Promise<ReadonlyArray<string>> => {
  const ids = (await readdir("/proc").catch(() => [])).filter((name) => /^\d+$/.test(name))
  const folders = await Promise.all(ids.map((id) => readlink(`/proc/${id}/cwd`).catch(() => "")))
  return ids.filter((_, i) => folders[i] === join(folder, "postgres"))
}

const postmasterPid = (folder: string) =>
  Effect.promise(() =>
    readFile(join(folder, "postgres/postmaster.pid"), "utf8").then(
      (text) => Number(text.split("\n")[0]),
      () => undefined
    )
  )

/** On a busy machine it ends with a delay. */
const killPostmaster = Effect.fnUntraced(function* (folder: string) {
  const pid = yield* postmasterPid(folder)
  process.kill(pid ?? assert.fail("it does not run"), "SIGKILL")
  yield* Effect.promise(() => waitFor("it is dead", async () => (await postmaster(folder))?.pid !== pid))
})

describe("EmbeddedDatabase", () => {
  it.live("has PostgreSQL's default durability, and a password that only the owner can read", () =>
    Effect.gen(function* () {
      const folder = yield* temporaryFolder
      const url = yield* open(folder)
      for (const name of ["fsync", "synchronous_commit", "full_page_writes"]) {
        assert.strictEqual(yield* on(url)(setting(name)), "on", name)
      }
      assert.strictEqual(yield* on(url)(setting("listen_addresses")), "127.0.0.1")
      assert.strictEqual(yield* on(url)(setting("io_method")), "sync")
      // In pages of 8 kB: from 128 MB to 2 GB.
      const buffers = Number(yield* on(url)(setting("shared_buffers")))
      assert.isTrue(buffers >= 16_384 && buffers <= 262_144, `${buffers} pages`)
      const file = yield* Effect.promise(() => stat(join(folder, "postgres.password")))
      assert.strictEqual(file.mode & 0o777, 0o600)
      assert.strictEqual(new URL(url).pathname, "/market")
    })
  )

  it.live("stops with its scope, and the next start finds the data (CONFIG-3)", () =>
    Effect.gen(function* () {
      const folder = yield* temporaryFolder
      yield* use(folder, write("first"))
      assert.isUndefined(yield* postmasterPid(folder))
      assert.deepStrictEqual(yield* use(folder, notes), ["first"])
      const left = yield* Effect.promise(() => readdir(folder))
      assert.sameMembers(left, ["postgres", "postgres.log", "postgres.password", "postgres.users"])
    })
  )

  it.live("keeps running after a kill -9 of its process: the next start uses it, and stops it at its end", () =>
    Effect.gen(function* () {
      const folder = yield* temporaryFolder
      const killed = yield* holder(folder)
      yield* on(killed.url)(write("before"))
      const orphan = yield* postmasterPid(folder)
      yield* kill(killed)
      const found = yield* Effect.scoped(
        Effect.gen(function* () {
          const url = yield* open(folder)
          assert.strictEqual(yield* postmasterPid(folder), orphan)
          return yield* on(url)(notes)
        })
      )
      assert.deepStrictEqual(found, ["before"])
      assert.isUndefined(yield* postmasterPid(folder))
    })
  )

  it.live("recovers committed data after both the process and PostgreSQL were killed", () =>
    Effect.gen(function* () {
      const folder = yield* temporaryFolder
      const killed = yield* holder(folder)
      yield* on(killed.url)(write("committed"))
      yield* kill(killed)
      yield* killPostmaster(folder)
      assert.deepStrictEqual(yield* use(folder, notes), ["committed"])
    })
  )

  it.live(
    "is started again at the same port after its postmaster was killed, and leaves no process behind (CONFIG-21)",
    () =>
      Effect.gen(function* () {
        const folder = yield* temporaryFolder
        const scope = yield* Scope.make()
        const url = yield* Scope.provide(open(folder), scope)
        yield* on(url)(write("before"))
        for (const round of [1, 2]) {
          const killed = yield* postmasterPid(folder)
          process.kill(killed!, "SIGKILL")
          yield* Effect.promise(() =>
            waitFor(`it runs again (${round})`, async () => {
              const found = await postmaster(folder)
              return found?.status === "ready" && found.pid !== killed
            })
          )
          assert.deepStrictEqual(yield* on(url)(notes), ["before"])
        }
        yield* Scope.close(scope, Exit.void)
        assert.isUndefined(yield* postmasterPid(folder))
        yield* Effect.promise(() => waitFor("no process is left", async () => (await processesIn(folder)).length === 0))
      })
  )

  it.live("waits for running statements of a killed postmaster when it starts again", () =>
    Effect.gen(function* () {
      const folder = yield* temporaryFolder
      const killed = yield* holder(folder)
      yield* on(killed.url)(write("committed"))
      const isBusy = yield* busy(killed.url)
      yield* kill(killed)
      yield* killPostmaster(folder)
      assert.deepStrictEqual(yield* use(folder, notes), ["committed"])
      assert.isFalse(isBusy())
    })
  )

  it.live("waits no longer for running statements of a killed postmaster when its process stops", () =>
    Effect.gen(function* () {
      const folder = yield* temporaryFolder
      const scope = yield* Scope.make()
      const url = yield* Scope.provide(open(folder), scope)
      const isBusy = yield* busy(url)
      yield* killPostmaster(folder)
      const log = join(folder, "postgres.log")
      yield* Effect.promise(() =>
        waitFor("a start is retried", async () => (await readFile(log, "utf8")).includes("shared memory block"))
      )
      yield* Scope.close(scope, Exit.void)
      assert.isTrue(isBusy())
    })
  )

  it.live("starts in spite of a pid file whose id now belongs to another program", () =>
    Effect.gen(function* () {
      const folder = yield* temporaryFolder
      yield* use(folder, write("kept"))
      const stale = `${process.pid}\n${folder}/postgres\n1700000000\n5432\n\n127.0.0.1\n\nready\n`
      yield* Effect.promise(() => writeFile(join(folder, "postgres/postmaster.pid"), stale))
      assert.deepStrictEqual(yield* use(folder, notes), ["kept"])
    })
  )

  it.live("starts in spite of the lock and the incomplete cluster of a killed first start", () =>
    Effect.gen(function* () {
      const folder = yield* temporaryFolder
      yield* Effect.promise(async () => {
        await writeFile(join(folder, "postgres.lock"), "1 an-earlier-life")
        await mkdir(join(folder, "postgres.new"))
        await writeFile(join(folder, "postgres.new/PG_VERSION"), "18\n")
        await writeFile(join(folder, "postgres.password"), "")
      })
      yield* use(folder, write("made"))
      assert.deepStrictEqual(yield* use(folder, notes), ["made"])
    })
  )

  it.live("serves two processes on one folder until the last of them closes", () =>
    Effect.gen(function* () {
      const folder = yield* temporaryFolder
      const [one, two] = yield* Effect.all([holder(folder), holder(folder)], { concurrency: 2 })
      assert.strictEqual(one.url, two.url)
      yield* on(one.url)(write("shared"))
      yield* end(one)
      assert.deepStrictEqual(yield* on(two.url)(notes), ["shared"])
      yield* end(two)
      assert.isUndefined(yield* postmasterPid(folder))
    })
  )

  it.live("starts below a folder that only its owner may enter, also as root", () =>
    Effect.gen(function* () {
      const closed = yield* temporaryFolder
      yield* Effect.promise(() => chmod(closed, 0o700))
      yield* use(join(closed, "data"), write("reached"))
      assert.deepStrictEqual(yield* use(join(closed, "data"), notes), ["reached"])
    })
  )

  it.live("reports why it cannot start", () =>
    Effect.gen(function* () {
      const folder = yield* temporaryFolder
      yield* use(folder, write("kept"))
      yield* Effect.promise(() => writeFile(join(folder, "postgres/postgresql.conf"), "no_such_setting = 1\n"))
      const error = yield* Effect.flip(Effect.scoped(open(folder)))
      assert.include(error.message, "no_such_setting")
    })
  )
})
