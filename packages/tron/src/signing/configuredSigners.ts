import { Signer } from "@agent-marketplace/core/chain/Signer"
import type { Redacted } from "effect"
import { Layer } from "effect"
import { LocalSigner } from "../chain/LocalSigner.ts"
import type { AccountSigner } from "./AccountSigner.ts"
import { accountSigner, CoSigner } from "./AccountSigner.ts"
import type { AwsKeySettings } from "./awsKey.ts"
import { awsKey } from "./awsKey.ts"
import { kmsSigner } from "./KmsSigner.ts"
import type { RemoteSignerSettings } from "./RemoteSigner.ts"
import { remoteSigner } from "./RemoteSigner.ts"

/** Which keys sign payouts: at most one of `hotWalletKey`, `remoteSigner` and `managedKey`, and perhaps a second signer. */
export interface SigningSettings {
  /** The paying account. Required with every signer but `hotWalletKey` alone. */
  readonly hotWallet: string | undefined
  readonly hotWalletKey: Redacted.Redacted | undefined
  readonly remoteSigner: RemoteSignerSettings | undefined
  readonly managedKey: AwsKeySettings | undefined
  /** The address of the first key, where it is not the paying account's own. */
  readonly signerAddress: string | undefined
  readonly secondSigner: (RemoteSignerSettings & { readonly address: string }) | undefined
  /** The permission of the paying account that names both keys. */
  readonly permission: number
}

const firstOf = (settings: SigningSettings): Signer["Service"] | undefined => {
  const { hotWallet = "", hotWalletKey, managedKey, signerAddress = hotWallet } = settings
  if (hotWalletKey !== undefined) return LocalSigner.of(hotWalletKey)
  if (settings.remoteSigner !== undefined) return remoteSigner(signerAddress, settings.remoteSigner)
  return managedKey === undefined ? undefined : kmsSigner(awsKey(managedKey), signerAddress)
}

const secondOf = ({ hotWallet = "", permission, secondSigner }: SigningSettings): CoSigner["Service"] | undefined =>
  secondSigner === undefined
    ? undefined
    : { account: hotWallet, permission, signer: remoteSigner(secondSigner.address, secondSigner) }

/** Undefined: this process pays nothing. */
export const configuredAccount = (settings: SigningSettings): AccountSigner | undefined => {
  const signer = firstOf(settings)
  return signer === undefined ? undefined : accountSigner(signer, secondOf(settings))
}

/** The signers as services, which the chain looks up; none if no key is configured. Nothing is contacted before the first signature. */
export const configuredSigners = (settings: SigningSettings) => {
  const signer = firstOf(settings)
  const second = secondOf(settings)
  if (signer === undefined) return Layer.empty
  const first = Layer.succeed(Signer, signer)
  return second === undefined ? first : Layer.merge(first, Layer.succeed(CoSigner, second))
}
