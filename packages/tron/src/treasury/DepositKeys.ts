import type { Signer } from "@agent-marketplace/core/chain/Signer"
import { HDKey } from "@scure/bip32"
import { Redacted, Result } from "effect"
import { LocalSigner } from "../chain/LocalSigner.ts"

/** The signer of the deposit address m/44'/195'/0'/0/i. */
export type DepositKeys = (index: number) => Signer["Service"]

const accountDepth = 3

/** The failure never contains the value. */
const parsed = (xprv: Redacted.Redacted): Result.Result<HDKey, string> => {
  const key = Result.try({
    try: () => HDKey.fromExtendedKey(Redacted.value(xprv)),
    catch: () => "is not an extended private key (xprv…)"
  })
  if (Result.isFailure(key)) return key
  if (key.success.privateKey === null)
    return Result.fail("is a public key: the account's private key (xprv…) is needed")
  return key.success.depth === accountDepth
    ? key
    : Result.fail("is not the key of an account (m/44'/195'/0', three levels below the root)")
}

const same = (one: Uint8Array | null, other: Uint8Array | null): boolean =>
  one !== null && other !== null && Buffer.from(one).equals(other)

/**
 * The keys of the deposit addresses, derived from the private key of the account whose public key issues the addresses. The key of any
 * other account is refused.
 */
export const depositKeys = (xprv: Redacted.Redacted, xpub: string): Result.Result<DepositKeys, string> => {
  const account = parsed(xprv)
  if (Result.isFailure(account)) return Result.fail(account.failure)
  const known = HDKey.fromExtendedKey(xpub)
  const { chainCode, publicKey } = account.success
  if (!same(publicKey, known.publicKey) || !same(chainCode, known.chainCode))
    return Result.fail("is not the private key of TRON_DEPOSIT_XPUB")
  const external = account.success.deriveChild(0)
  return Result.succeed((index) => {
    const { privateKey } = external.deriveChild(index)
    if (privateKey === null) throw new Error(`no private key can be derived at index ${index}`)
    return LocalSigner.of(Redacted.make(Buffer.from(privateKey).toString("hex")))
  })
}
