import { Resolver } from "node:dns/promises"

/** Every address of a host name, IPv4 before IPv6; rejects where it has none. */
export type NameResolver = (name: string) => Promise<ReadonlyArray<string>>

/** The slowest answer is given up after twice this time, in milliseconds. */
const patience = 2000

/**
 * Asks the name servers themselves. The system's own look-up would take one of the few threads that all of Node shares for as long
 * as a dead name server lasts, and so let one receiver hold up the others.
 */
export const makeNameResolver = (): NameResolver => {
  const resolver = new Resolver({ timeout: patience, tries: 2 })
  return async (name) => {
    const [v4, v6] = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)])
    if (v4.status === "rejected" && v6.status === "rejected") throw v4.reason
    return [v4, v6].flatMap((answer) => (answer.status === "fulfilled" ? answer.value : []))
  }
}
