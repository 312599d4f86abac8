import { useState } from "react"
import { amountText } from "../../../ui/amountText.ts"
import { Confirm } from "../../../ui/Confirm.tsx"
import { Field } from "../../../ui/Field.tsx"
import { Facts, Form } from "../../../ui/Form.tsx"
import { Money } from "../../../ui/Money.tsx"
import { Card, Notice } from "../../../ui/Page.tsx"
import { Time } from "../../../ui/Time.tsx"
import { market } from "../../market.ts"
import { useAct } from "../../useAct.ts"
import { Unanswered } from "./Unanswered.tsx"
import { useWithdrawal } from "./useWithdrawal.ts"

/** A withdrawal: a quote first, then one question with all amounts. */
export const Withdraw = () => {
  const { clear, forget, open, requested, send } = useWithdrawal()
  const [amount, setAmount] = useState(open?.amount ?? "")
  const [address, setAddress] = useState(open?.destinationAddress ?? "")
  const { data, error, isPending, issues, mutate, reset } = useAct(async () => {
    const input = { amount: amount.trim(), destinationAddress: address.trim() }
    return { ...input, quote: await market.wallet.quoteWithdrawal(input) }
  })
  const change = (set: (text: string) => void) => (event: { readonly target: { readonly value: string } }) => {
    set(event.target.value)
    clear()
    reset()
  }
  const withdraw = async () => {
    if (data === undefined) return
    const { quote, ...input } = data
    await send({ ...input, quote: quote.id, receives: String(quote.receives) })
  }
  const done = () => {
    setAmount("")
    setAddress("")
    reset()
  }
  const sendAgain: typeof send = async (attempt) => {
    reset()
    await send(attempt)
    done()
  }
  return (
    <Card title="Withdraw">
      <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
        {open === undefined ? (
          <Form
            button={data === undefined ? "Show the fee" : "Renew the quote"}
            error={error}
            isPending={isPending}
            onSubmit={() => mutate(undefined)}
          >
            <Field
              label="Amount that arrives, in USDT"
              inputMode="decimal"
              autoComplete="off"
              required
              issue={issues.get("amount")}
              value={amount}
              onChange={change(setAmount)}
            />
            <Field
              label="TRON address"
              autoComplete="off"
              spellCheck={false}
              required
              issue={issues.get("destinationAddress")}
              value={address}
              onChange={change(setAddress)}
            />
          </Form>
        ) : (
          <Unanswered attempt={open} send={sendAgain} forget={forget} />
        )}
        {data === undefined || open !== undefined ? null : (
          <div className="grid gap-3 rounded-lg border border-line p-4">
            <Facts
              facts={[
                ["Arrives", <Money key="arrives" amount={data.quote.receives} />],
                ["Network fee", <Money key="fee" amount={data.quote.fee} />],
                ["Leaves your wallet", <Money key="total" amount={data.quote.total} />]
              ]}
            />
            <p className="text-sm text-muted">
              The fee is valid until <Time at={data.quote.expiresAt} exact />.
              {data.quote.activatesAddress ? " The address is new on the chain; the fee includes its activation." : ""}
            </p>
            <Confirm
              button="Withdraw"
              title={`Withdraw ${amountText(data.quote.receives)}?`}
              act={withdraw}
              onDone={done}
            >
              {amountText(data.quote.total)} leave your wallet: {amountText(data.quote.receives)} for{" "}
              {data.destinationAddress} and {amountText(data.quote.fee)} for the network. A payment on the chain cannot
              be undone.
            </Confirm>
          </div>
        )}
        {requested === undefined ? null : (
          <Notice>
            {amountText(requested.receives)} are on their way to {requested.destinationAddress}.
          </Notice>
        )}
      </div>
    </Card>
  )
}
