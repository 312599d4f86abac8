import type { Budget } from "@agent-marketplace/client/wire/Endpoints"
import { Facts } from "../../../ui/Form.tsx"
import { Money } from "../../../ui/Money.tsx"

const windows = [
  ["daily", "Left for 24 hours"],
  ["weekly", "Left for 7 days"],
  ["monthly", "Left for 30 days"]
] as const

/** What may still be spent, and above which price a purchase waits. */
export const BudgetLeft = ({ budget }: { readonly budget: Budget }) => {
  const { autoApproveThreshold, perTransaction } = budget
  const facts = windows.flatMap(([name, label]) => {
    const window = budget[name]
    if (window === null) return []
    return [
      [
        label,
        <span key={name}>
          <Money amount={window.remaining} /> of <Money amount={window.limit} />
        </span>
      ] as const
    ]
  })
  const single = (label: string, amount: number | null) =>
    amount === null ? [] : [[label, <Money key={label} amount={amount} />] as const]
  const all = [
    ...facts,
    ...single("Most for one purchase", perTransaction),
    ...single("A price above this waits", autoApproveThreshold)
  ]
  if (all.length === 0) return <p className="text-muted">There is no limit but the balance of the wallet.</p>
  return <Facts facts={all} />
}
