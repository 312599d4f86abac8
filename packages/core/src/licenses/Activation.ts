import { Result } from "effect"
import type { Timestamp } from "../clock/Timestamp.ts"
import { Conflict } from "../errors/MarketError.ts"
import type { PurchaseId } from "../ids/Ids.ts"
import type { Purchase } from "../purchases/Purchase.ts"
import { isLicenseValid } from "../purchases/Purchase.ts"

/** A machine on which a license is used (ACTIVATION-1). */
export interface Activation {
  readonly purchaseId: PurchaseId
  /** The hash that the seller's program made of the machine; unique for the license. */
  readonly machine: string
  /** A name for the holder's list of machines. */
  readonly label: string | null
  readonly activatedAt: Timestamp
}

/** A license with its machines, read while the purchase is locked. */
export interface LicensedMachines {
  readonly purchase: Purchase
  /** The listing's `maxActivations`; null if there is no limit. */
  readonly limit: number | null
  readonly used: number
  /** The activation of the machine in question. */
  readonly known: Activation | null
}

/** Why a license is not valid, as the `state` of a CONFLICT; undefined if it is valid (PROOF-4). */
export const invalidState = (purchase: Purchase, now: Timestamp): string | undefined => {
  if (isLicenseValid(purchase, now)) return undefined
  return purchase.status === "completed" ? "expired" : purchase.status
}

/**
 * The activation of a machine: the existing one, or a new one if the license is valid and the limit is not reached (ACTIVATION-2, ACTIVATION-3,
 * ACTIVATION-4).
 */
export const activationRule =
  (machine: string, label: string | null, now: Timestamp) =>
  ({ known, limit, purchase, used }: LicensedMachines): Result.Result<Activation, Conflict> => {
    const state = invalidState(purchase, now)
    if (state !== undefined) return Result.fail(new Conflict({ state, purchaseId: purchase.id }))
    if (known !== null) return Result.succeed(known)
    return limit !== null && used >= limit
      ? Result.fail(new Conflict({ state: "activations_used", limit }))
      : Result.succeed({ purchaseId: purchase.id, machine, label, activatedAt: now })
  }
