import { toFoundDeposits, toLimits, toMatch, toTreasury } from "@agent-marketplace/api/admin/AdminTreasuryGroup"
import { toEnergy } from "@agent-marketplace/api/admin/TreasuryEnergy"
import { TreasuryControl } from "@agent-marketplace/core/wallets/TreasuryControl"
import { Effect } from "effect"
import { handlerGroup } from "../edge/RequestServices.ts"
import { forOperator } from "../edge/Reply.ts"
import { ServedApi } from "../ServedApi.ts"
import { overTheChain } from "../wallets/overTheChain.ts"

/** The operator's decisions on the service's own wallets (OPERATOR-28, OPERATOR-29, OPERATOR-30, DEPOSIT-8). */
export const AdminTreasuryHandlers = handlerGroup(
  ServedApi,
  "adminTreasury",
  Effect.fnUntraced(function* (handlers) {
    const control = yield* TreasuryControl
    return handlers.handleAll({
      treasury: () => forOperator.one(toTreasury, () => control.overview),
      setWallet: ({ payload: { from, to, wallet } }) =>
        overTheChain(forOperator.one(toTreasury, (operator) => control.setWallet(operator, { wallet, from, to }))),
      setLimits: ({ payload }) =>
        overTheChain(forOperator.one(toTreasury, (operator) => control.setLimits(operator, toLimits(payload)))),
      energy: () => overTheChain(forOperator.one(toEnergy, () => control.energy)),
      resume: ({ payload: { matches } }) =>
        overTheChain(forOperator.one(toTreasury, (operator) => control.resume(operator, matches.map(toMatch)))),
      recheck: ({ payload: { txid } }) =>
        overTheChain(forOperator.one(toFoundDeposits, (operator) => control.recheck(operator, txid)))
    })
  })
)
