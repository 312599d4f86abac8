import { parseDenyList, wrongLines } from "@agent-marketplace/core/screening/DenyList"
import type { Screening } from "@agent-marketplace/core/screening/Screening"
import { ScreeningUnavailable } from "@agent-marketplace/core/screening/Screening"
import { isTronAddress } from "@agent-marketplace/settings/tronAddress"
import { Effect } from "effect"
import { readFile, stat } from "node:fs/promises"
import { basename } from "node:path"

/** The version of a file, and the addresses in it with their lines. */
interface Loaded {
  readonly version: string
  readonly addresses: ReadonlyMap<string, number>
}

const versionOf = (path: string) =>
  Effect.map(
    Effect.tryPromise({
      try: () => stat(path, { bigint: true }),
      catch: () => new ScreeningUnavailable({ reason: `the deny list ${path} cannot be read` })
    }),
    ({ ctimeNs, ino, mtimeNs, size }) => `${ino} ${size} ${mtimeNs} ${ctimeNs}`
  )

/** A deny list. A changed file is read again, and only its new lines are checked, because a check costs two hashes. */
const denyList = (path: string) => {
  let loaded: Loaded | undefined
  return Effect.gen(function* () {
    const version = yield* versionOf(path)
    if (loaded?.version === version) return loaded.addresses
    const text = yield* Effect.tryPromise({
      try: () => readFile(path, "utf8"),
      catch: () => new ScreeningUnavailable({ reason: `the deny list ${path} cannot be read` })
    })
    const known = loaded?.addresses
    const { addresses, wrong } = parseDenyList(text, (entry) => known?.has(entry) === true || isTronAddress(entry))
    // The new lines could not be read, and the old list must not clear an address that they contain.
    if (wrong.length > 0)
      return yield* new ScreeningUnavailable({ reason: `the deny list ${path}: ${wrongLines(wrong)}` })
    if (known !== undefined) yield* Effect.logInfo(`the deny list ${path} was read again: ${addresses.size} addresses`)
    loaded = { version, addresses }
    return addresses
  })
}

/**
 * Screening by a deny list in a file (SCREENING-2). The evidence names the file without its folder, and the line. While the file is missing or has a
 * wrong line, screening is unavailable.
 */
export const denyListScreening = (path: string): Screening["Service"] => {
  const read = denyList(path)
  return {
    screen: ({ address }) =>
      Effect.map(read, (addresses) => {
        const line = addresses.get(address)
        return line === undefined ? null : { source: `deny list ${basename(path)}`, reference: `line ${line}` }
      })
  }
}
