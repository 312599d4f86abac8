import { Context, Effect, Layer, Option } from "effect"
import { Administration } from "../admin/Administration.ts"
import type { Operator } from "../admin/OperatorAction.ts"
import { NotFound } from "../errors/MarketError.ts"
import type { StoreUnavailable } from "../errors/MarketError.ts"
import type { HeldDepositId } from "../ids/Ids.ts"
import type { Page, PageRequest } from "../paging/Page.ts"
import type { Refusal } from "../settlement/Outcome.ts"
import { Settlement } from "../settlement/Settlement.ts"
import type { HeldDeposit, HeldDepositState } from "./HeldDeposit.ts"
import { ScreeningStore } from "./ScreeningStore.ts"

type Failure = Refusal | StoreUnavailable

/** The operator's decisions on held deposits. Each is logged with the evidence in the same transaction (SCREENING-6). */
export class HeldDeposits extends Context.Service<
  HeldDeposits,
  {
    readonly list: (
      filter: { readonly states?: ReadonlyArray<HeldDepositState> | undefined },
      page: PageRequest
    ) => Effect.Effect<Page<HeldDeposit>, StoreUnavailable>
    /** Credits it to the wallet. */
    readonly release: (operator: Operator, id: HeldDepositId, reason: string) => Effect.Effect<HeldDeposit, Failure>
    /** Never credits it: its money stays in the ledger's account `unattributed`. */
    readonly reject: (operator: Operator, id: HeldDepositId, reason: string) => Effect.Effect<HeldDeposit, Failure>
  }
>()("@agent-marketplace/core/screening/HeldDeposits") {
  static readonly layer = Layer.effect(
    HeldDeposits,
    Effect.gen(function* () {
      const administration = yield* Administration
      const settlement = yield* Settlement
      const store = yield* ScreeningStore

      const decide = Effect.fnUntraced(function* (
        operator: Operator,
        depositId: HeldDepositId,
        { reason, to }: { readonly to: "released" | "rejected"; readonly reason: string }
      ) {
        const found = yield* store.find(depositId)
        if (Option.isNone(found)) return yield* new NotFound({ resource: "DEPOSIT" })
        const name = to === "released" ? "deposit.release" : "deposit.reject"
        const action = yield* administration.draft(operator, name, depositId, reason)
        const { accountId } = found.value
        const decision = { to, action }
        const { result } = yield* settlement.submit({ _tag: "DecideDeposit", depositId, accountId, decision })
        if (result._tag !== "HeldDeposit") return yield* Effect.die(new Error("not the result of a decision"))
        return result.deposit
      })

      return {
        list: store.list,
        release: Effect.fn("HeldDeposits.release")((operator, id, reason) =>
          decide(operator, id, { to: "released", reason })
        ),
        reject: Effect.fn("HeldDeposits.reject")((operator, id, reason) =>
          decide(operator, id, { to: "rejected", reason })
        )
      }
    })
  )
}
