import { Layer } from "effect"
import type { Redacted } from "effect"
import type { TronSettings } from "../TronSettings.ts"
import { LocalSigner } from "./LocalSigner.ts"
import { TronChain } from "./TronChain.ts"

/** The configured TRON adapter. It pays withdrawals if the key of the hot wallet is configured too. */
export const configuredTronChain = ({
  hotWalletKey,
  ...settings
}: TronSettings & { readonly hotWalletKey: Redacted.Redacted | undefined }) =>
  hotWalletKey === undefined
    ? TronChain.layer(settings)
    : TronChain.layer(settings).pipe(Layer.provide(LocalSigner.layer(hotWalletKey)))
