import type { Option, Result } from "effect"
import { Context } from "effect"
import type { Conflict } from "../errors/MarketError.ts"
import type { StoreEffect } from "../errors/StoreEffect.ts"
import type { PurchaseId } from "../ids/Ids.ts"
import type { Page, PageRequest } from "../paging/Page.ts"
import type { Activation, LicensedMachines } from "./Activation.ts"

/** The machines on which licenses are used. */
export class ActivationStore extends Context.Service<
  ActivationStore,
  {
    /**
     * Locks the purchase, applies the rule and stores the activation that it returns, in one transaction. So concurrent activations never exceed
     * the limit, and the purchase cannot be refunded in between (ACTIVATION-3). None if there is no such purchase.
     */
    readonly activate: (
      purchase: PurchaseId,
      machine: string,
      rule: (machines: LicensedMachines) => Result.Result<Activation, Conflict>
    ) => StoreEffect<Option.Option<Result.Result<Activation, Conflict>>>
    /** Removes the activation of the machine. False if there was none. */
    readonly deactivate: (purchase: PurchaseId, machine: string) => StoreEffect<boolean>
    /** Newest first. */
    readonly list: (purchase: PurchaseId, page: PageRequest) => StoreEffect<Page<Activation>>
  }
>()("@agent-marketplace/core/licenses/ActivationStore") {}
