import { randomUUID } from "node:crypto"
import { spawn } from "node:child_process"
import { once } from "node:events"
import { chmod, mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { makeCluster, runCluster, urlOf } from "@agent-marketplace/embedded-postgres/Cluster"
import type { Credentials } from "@agent-marketplace/embedded-postgres/Cluster"
import type { Postmaster } from "@agent-marketplace/embedded-postgres/Postmaster"
import type { TestProject } from "vitest/node"

interface RunningCluster {
  readonly url: string
  readonly stop: () => Promise<void>
}

/** One cluster serves all projects of a run. Each project calls the global setup in a separate module graph. */
const shared: { cluster?: Promise<RunningCluster> | undefined; users: number } = ((
  globalThis as Record<symbol, { users: number }>
)[Symbol.for("@agent-marketplace/testkit/postgres")] ??= { users: 0 })

/**
 * Vitest global setup: a PostgreSQL on loopback in a temporary folder. It is removed after the run, even if the run is killed. Tests do
 * not need durability, so fsync is off unless `TEST_POSTGRES_FSYNC=on`.
 */
export default async function globalSetup(project: TestProject): Promise<() => Promise<void>> {
  shared.users += 1
  shared.cluster ??= startCluster()
  const { stop, url } = await shared.cluster
  project.provide("postgresUrl", url)
  return async () => {
    shared.users -= 1
    if (shared.users > 0) return
    shared.cluster = undefined
    await stop()
  }
}

const startCluster = async (): Promise<RunningCluster> => {
  const folder = await mkdtemp(join(tmpdir(), "agent-marketplace-test-"))
  // Under root the cluster runs as another user, which needs access to this folder.
  await chmod(folder, 0o711)
  const credentials = { user: "test", password: randomUUID() }
  try {
    const postmaster = await startIn(folder, credentials)
    return { url: urlOf(credentials, postmaster), stop: endWith(postmaster.pid, folder) }
  } catch (error) {
    await rm(folder, { recursive: true, force: true })
    throw error
  }
}

const startIn = async (folder: string, credentials: Credentials): Promise<Postmaster> => {
  const durable = process.env["TEST_POSTGRES_FSYNC"] === "on"
  const data = join(folder, "postgres")
  await makeCluster(data, credentials, durable)
  const careless = { fsync: "off", full_page_writes: "off", synchronous_commit: "off" }
  return await runCluster(data, join(folder, "log"), { max_connections: "400", ...(durable ? {} : careless) })
}

/** A small shell that stops the cluster and deletes its folder when this process ends, even if it is killed. */
const endWith = (pid: number, folder: string): (() => Promise<void>) => {
  const script =
    'read _; kill -QUIT "$0"; n=0; while kill -0 "$0" && [ $((n+=1)) -lt 100 ]; do sleep 0.05; done; rm -rf "$1"'
  const watcher = spawn("sh", ["-c", script, String(pid), folder], {
    cwd: "/",
    detached: true,
    stdio: ["pipe", "ignore", "ignore"]
  })
  watcher.unref()
  return async () => {
    const exit = once(watcher, "exit")
    watcher.ref()
    watcher.stdin?.end()
    await exit
  }
}
