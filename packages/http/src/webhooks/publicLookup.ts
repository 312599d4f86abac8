import { isIP } from "node:net"
import type { LookupFunction } from "node:net"
import type { NameResolver } from "./NameResolver.ts"
import { publicAddressesOf } from "./TargetRules.ts"

/** Gives a connection the very addresses that were found public, so that a name which answers differently a moment later changes nothing. */
export const publicLookup =
  (resolve: NameResolver): LookupFunction =>
  (name, options, callback) => {
    publicAddressesOf(name.replace(/\.$/, ""), resolve).then(
      (addresses) => {
        const [first] = addresses
        if (first === undefined) return callback(Object.assign(new Error("no address"), { code: "ENOTFOUND" }), [])
        if (options.all === true)
          callback(
            null,
            addresses.map((address) => ({ address, family: isIP(address) }))
          )
        else callback(null, first, isIP(first))
      },
      (error: NodeJS.ErrnoException) => callback(error, [])
    )
  }
