import { randomInt } from "node:crypto"
import { advisoryLockClasses } from "./AdvisoryLocks.ts"
import { lease } from "./Lease.ts"

/** The processes that listen on this database. A killed process disappears once PostgreSQL notices. */
export const readListeners = `SELECT objid::bigint::float8 AS id FROM pg_locks
  WHERE locktype = 'advisory' AND classid = ${advisoryLockClasses.listeners} AND objsubid = 2 AND granted
    AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`

/** A row of `readListeners`. */
export interface ListenerRow {
  readonly id: number
}

/** How long, in milliseconds, a process counts as a listener after it was last seen: it may hold a lease although PostgreSQL has ended its session. */
const remembered = 2 * lease

/** `idle_session_timeout` of a session that listens, in milliseconds: removes a process that has vanished. */
const silence = 10_000

/** The first word of the message that a process sends before its first lease. */
const joins = "joins"

/** The first word of the message that a process sends when it stops. */
export const leaves = "leaves"

/** The processes that may hold a lease, as this process knows them. */
export class Listeners {
  /** This process's number, by which it acknowledges. */
  readonly id = randomInt(1, 2 ** 31)
  /** When each process was last seen, as milliseconds of `performance.now()`. */
  readonly #seen = new Map<number, number>()
  /** Processes that have left: rows that were read before may still contain them. */
  readonly #left = new Set<number>()

  /** SQL that registers this session as a listener. */
  get join(): string {
    return `SELECT set_config('idle_session_timeout', '${silence}', false), pg_advisory_lock_shared(${advisoryLockClasses.listeners}, ${this.id}),
      pg_notify('acknowledged', '${joins} ${this.id}')`
  }

  /** SQL that removes this session from the listeners, before it is closed. */
  get leave(): string {
    return `SELECT pg_advisory_unlock_shared(${advisoryLockClasses.listeners}, ${this.id}), pg_notify('acknowledged', '${leaves} ${this.id}')`
  }

  see(rows: ReadonlyArray<ListenerRow>): void {
    const now = performance.now()
    for (const row of rows) if (!this.#left.has(row.id)) this.#seen.set(row.id, now)
    for (const [id, at] of this.#seen) if (at < now - remembered) this.#seen.delete(id)
  }

  /** Handles a message on the channel `acknowledged`. Ignores acknowledgements. */
  hear(payload: string): void {
    const [first, id] = payload.split(" ")
    if (first === joins) {
      this.#left.delete(Number(id))
      this.#seen.set(Number(id), performance.now())
    }
    if (first === leaves) {
      this.#left.add(Number(id))
      this.#seen.delete(Number(id))
    }
  }

  get all(): ReadonlySet<number> {
    return new Set(this.#seen.keys())
  }
}
