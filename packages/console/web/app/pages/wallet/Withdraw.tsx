import { useState } from "react"
import { Confirm } from "../../../ui/Confirm.tsx"
import { Field } from "../../../ui/Field.tsx"
import { Facts, Form } from "../../../ui/Form.tsx"
import { Money } from "../../../ui/Money.tsx"
import { Card, Notice } from "../../../ui/Page.tsx"
import { Time } from "../../../ui/Time.tsx"
import { market } from "../../market.ts"
import { useAct, useRenew } from "../../useAct.ts"

/** A withdrawal: a quote first, then one question with all amounts. */
export const Withdraw = () => {
  const [amount, setAmount] = useState("")
  const [address, setAddress] = useState("")
  const [requested, setRequested] = useState<string>()
  const renew = useRenew()
  const { data, error, isPending, issues, mutate, reset } = useAct(async () => {
    const input = { amount: amount.trim(), destinationAddress: address.trim() }
    return { ...input, quote: await market.wallet.quoteWithdrawal(input) }
  })
  const change = (set: (text: string) => void) => (event: { readonly target: { readonly value: string } }) => {
    set(event.target.value)
    setRequested(undefined)
    reset()
  }
  const withdraw = async () => {
    if (data === undefined) return
    const { quote, ...input } = data
    // A repeated press withdraws once: the quote's id is the key of the request.
    await market.wallet.withdraw({ ...input, quote: quote.id }, { idempotencyKey: quote.id })
    setRequested(`${quote.receives} USDT are on their way to ${input.destinationAddress}.`)
  }
  const done = () => {
    setAmount("")
    setAddress("")
    reset()
    void renew("wallet", "withdrawals")
  }
  return (
    <Card title="Withdraw">
      <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
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
        {data === undefined ? null : (
          <div className="grid gap-3 rounded-lg border border-line p-4">
            <Facts
              facts={[
                ["Arrives", <Money key="arrives" amount={String(data.quote.receives)} />],
                ["Network fee", <Money key="fee" amount={String(data.quote.fee)} />],
                ["Leaves your wallet", <Money key="total" amount={String(data.quote.total)} />]
              ]}
            />
            <p className="text-sm text-muted">
              The fee is valid until <Time at={data.quote.expiresAt} exact />.
              {data.quote.activatesAddress ? " The address is new on the chain; the fee includes its activation." : ""}
            </p>
            <Confirm button="Withdraw" title={`Withdraw ${data.quote.receives} USDT?`} act={withdraw} onDone={done}>
              {data.quote.total} USDT leave your wallet: {data.quote.receives} USDT for {data.destinationAddress} and{" "}
              {data.quote.fee} USDT for the network. A payment on the chain cannot be undone.
            </Confirm>
          </div>
        )}
        {requested === undefined ? null : <Notice>{requested}</Notice>}
      </div>
    </Card>
  )
}
