import type { Conflict, InvalidApiKey } from "@agent-marketplace/core/errors/MarketError"
import type { StoreEffect } from "@agent-marketplace/core/errors/StoreEffect"
import type { Caller } from "@agent-marketplace/core/identity/Caller"
import type { AccountId } from "@agent-marketplace/core/ids/Ids"
import { Context } from "effect"

/** The demonstration shop of a server (CONSOLE-53 to CONSOLE-60). */
export interface DemonstrationControl {
  /** The account of the demonstration's owner; null while there is no demonstration. At most two seconds old. */
  readonly owner: StoreEffect<AccountId | null>
  /**
   * Makes the shop unless it is there, and returns its owner. The secret of the printed link works once, also if several requests have it
   * (CONSOLE-54). After an interruption the next call completes the shop. Conflict: a deposit or a scan took longer than a minute.
   */
  readonly open: (secret: string) => StoreEffect<Caller, Conflict | InvalidApiKey>
  /** Refunds, empties and erases the accounts of the demonstration (CONSOLE-58). Can be repeated after a failure. */
  readonly remove: StoreEffect<void, Conflict>
}

/** Null where the server offers no demonstration. */
export class Demonstration extends Context.Reference<DemonstrationControl | null>(
  "@agent-marketplace/console/demonstration/Demonstration",
  { defaultValue: () => null }
) {}
