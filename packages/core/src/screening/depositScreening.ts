import { Effect } from "effect"
import { Chain } from "../chain/Chain.ts"
import { idGenerator } from "../ids/Ids.ts"
import type { CreditDeposit } from "../settlement/Command.ts"
import type { ObservedDeposit } from "../wallets/Deposit.ts"
import { depositReference } from "../wallets/DepositRule.ts"
import type { ScreenedTransfer } from "./Screening.ts"
import { screenTransfers } from "./screenTransfers.ts"

/** The transfer that is screened for a deposit. */
export const depositTransfer = (
  { amount, logIndex, sender, txid }: Pick<ObservedDeposit, "amount" | "logIndex" | "sender" | "txid">,
  chain: string
): ScreenedTransfer => ({
  kind: "deposit",
  address: sender,
  amount,
  chain,
  reference: depositReference(txid, logIndex)
})

/**
 * The commands that record deposits: credited if screening allows the sender, held otherwise (SCREENING-3). A deposit that screening cannot decide now
 * is recorded too, so that the scan continues and no deposit is lost (SCREENING-4).
 */
export const depositScreening = Effect.gen(function* () {
  const chain = yield* Chain
  const screen = yield* screenTransfers
  const ids = yield* idGenerator
  return Effect.fnUntraced(function* (observed: ReadonlyArray<ObservedDeposit>) {
    const results = yield* screen(observed.map((each) => depositTransfer(each, chain.name)))
    return yield* Effect.forEach(
      observed,
      Effect.fnUntraced(function* ({ sender, ...deposit }, index): Effect.fn.Return<CreditDeposit> {
        const result = results[index] ?? { _tag: "Skipped" as const }
        if (result._tag === "Clear") return { _tag: "CreditDeposit", deposit }
        const evidence = result._tag === "Flagged" ? result.evidence : null
        return { _tag: "CreditDeposit", deposit, hold: { id: yield* ids.make("heldDeposit"), sender, evidence } }
      })
    )
  })
})
