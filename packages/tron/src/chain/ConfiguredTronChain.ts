import { Layer } from "effect"
import type { Redacted } from "effect"
import type { TronSettings } from "../TronSettings.ts"
import { LocalSigner } from "./LocalSigner.ts"
import { TronChain } from "./TronChain.ts"

/** TRON as it is configured: withdrawals are paid where the key of the hot wallet is there too. */
export const configuredTronChain = ({
  hotWalletKey,
  ...settings
}: TronSettings & { readonly hotWalletKey: Redacted.Redacted | undefined }) =>
  hotWalletKey === undefined
    ? TronChain.layer(settings)
    : TronChain.layer(settings).pipe(Layer.provide(LocalSigner.layer(hotWalletKey)))
