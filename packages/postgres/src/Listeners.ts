import { randomInt } from "node:crypto"
import { advisoryLockClasses } from "./AdvisoryLocks.ts"
import { lease } from "./Lease.ts"

/** The processes that listen on this database. A killed process is not among them as soon as PostgreSQL notices. */
export const readListeners = `SELECT objid::bigint::float8 AS id FROM pg_locks
  WHERE locktype = 'advisory' AND classid = ${advisoryLockClasses.listeners} AND objsubid = 2 AND granted
    AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`

/** A row of `readListeners`. */
export interface ListenerRow {
  readonly id: number
}

/** For so long a process that was seen may hold a lease although PostgreSQL has ended its session; milliseconds. */
const remembered = 2 * lease

/** PostgreSQL ends the session of a process that sends nothing for so long, in milliseconds, so that nobody waits for it any longer. */
const silence = 10_000

/** The first words of two announcements: of a process that will soon hold a lease, and of one that stops and will not hold one any more. */
const [joins, leaves] = ["joins", "leaves"]

/** The processes that may hold a lease, as this process knows them. */
export class Listeners {
  /** This process's number, by which it acknowledges. */
  readonly id = randomInt(1, 2 ** 31)
  /** When each process was last seen, as milliseconds of `performance.now()`. */
  readonly #seen = new Map<number, number>()

  /** Makes this session one that listens. */
  get join(): string {
    return `SELECT set_config('idle_session_timeout', '${silence}', false), pg_advisory_lock_shared(${advisoryLockClasses.listeners}, ${this.id}),
      pg_notify('acknowledged', '${joins} ${this.id}')`
  }

  get leave(): string {
    return `SELECT pg_advisory_unlock_shared(${advisoryLockClasses.listeners}, ${this.id}), pg_notify('acknowledged', '${leaves} ${this.id}')`
  }

  see(rows: ReadonlyArray<ListenerRow>): void {
    const now = performance.now()
    for (const row of rows) this.#seen.set(row.id, now)
    for (const [id, at] of this.#seen) if (at < now - remembered) this.#seen.delete(id)
  }

  /** A payload of the channel `acknowledged`, which may be that of a process that joins or leaves. */
  hear(payload: string): void {
    const [first, id] = payload.split(" ")
    if (first === joins) this.#seen.set(Number(id), performance.now())
    if (first === leaves) this.#seen.delete(Number(id))
  }

  get all(): ReadonlySet<number> {
    return new Set(this.#seen.keys())
  }
}
