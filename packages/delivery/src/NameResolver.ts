import { Resolver } from "node:dns/promises"

/** Every address of a host name, IPv4 before IPv6. Rejects if it has none. */
export type NameResolver = (name: string) => Promise<ReadonlyArray<string>>

/** Milliseconds for each of two tries. */
const tryTimeout = 2000

/**
 * Queries the name servers directly. The system's look-up occupies one of Node's few shared threads until a dead name server times
 * out, so one receiver could delay all the others.
 */
export const makeNameResolver = (): NameResolver => {
  const resolver = new Resolver({ timeout: tryTimeout, tries: 2 })
  return async (name) => {
    const [v4, v6] = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)])
    if (v4.status === "rejected" && v6.status === "rejected") throw v4.reason
    return [v4, v6].flatMap((answer) => (answer.status === "fulfilled" ? answer.value : []))
  }
}
