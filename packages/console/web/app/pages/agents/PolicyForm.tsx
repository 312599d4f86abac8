import type { Policy, PolicyInput } from "@agent-marketplace/client/wire/Endpoints"
import { useQuery } from "@tanstack/react-query"
import { useState } from "react"
import { Checkbox } from "../../../ui/Checkbox.tsx"
import { Field, SelectField, TextField } from "../../../ui/Field.tsx"
import { Form } from "../../../ui/Form.tsx"
import { Loaded } from "../../../ui/Loaded.tsx"
import { Notice } from "../../../ui/Page.tsx"
import { market } from "../../market.ts"
import { useAct } from "../../useAct.ts"

const amounts = [
  [
    "autoApproveThreshold",
    "A price above this waits for you, in USDT",
    "Empty: no price waits. 0: every paid purchase waits."
  ],
  ["perTransactionLimit", "Most for one purchase, in USDT", "Empty: no limit."],
  ["dailyLimit", "Most in any 24 hours, in USDT", "Empty: no limit."],
  ["weeklyLimit", "Most in any 7 days, in USDT", "Empty: no limit."],
  ["monthlyLimit", "Most in any 30 days, in USDT", "Empty: no limit."]
] as const

type Amounts = Record<(typeof amounts)[number][0], string>

const textOf = (amount: number | null): string => (amount === null ? "" : String(amount))

const Categories = ({
  chosen,
  onChange
}: {
  readonly chosen: ReadonlySet<string>
  readonly onChange: (chosen: ReadonlySet<string>) => void
}) => {
  const query = useQuery({ queryKey: ["categories"], queryFn: () => market.categories.list({ limit: 100 }) })
  return (
    <fieldset>
      <legend className="text-sm font-medium">Categories that may be bought</legend>
      <Loaded query={query}>
        {(categories) => (
          <div className="mt-1 grid gap-x-4 sm:grid-cols-2">
            {categories.map(({ name, slug }) => (
              <Checkbox
                key={slug}
                checked={chosen.has(slug)}
                onChange={(checked) => {
                  const rest = [...chosen].filter((each) => each !== slug)
                  onChange(new Set(checked ? [...rest, slug] : rest))
                }}
              >
                {name}
              </Checkbox>
            ))}
          </div>
        )}
      </Loaded>
    </fieldset>
  )
}

/** A policy with all its fields (POLICY-1), saved as a whole. */
export const PolicyForm = ({
  policy,
  save
}: {
  readonly policy: Policy
  readonly save: (policy: PolicyInput) => Promise<Policy>
}) => {
  const [auto, setAuto] = useState(policy.autoApprove)
  const [texts, setTexts] = useState<Amounts>({
    autoApproveThreshold: textOf(policy.autoApproveThreshold),
    perTransactionLimit: textOf(policy.perTransactionLimit),
    dailyLimit: textOf(policy.dailyLimit),
    weeklyLimit: textOf(policy.weeklyLimit),
    monthlyLimit: textOf(policy.monthlyLimit)
  })
  const [some, setSome] = useState(policy.allowedCategories !== null)
  const [categories, setCategories] = useState<ReadonlySet<string>>(new Set(policy.allowedCategories ?? []))
  const [blocked, setBlocked] = useState((policy.blockedSellers ?? []).join("\n"))
  const { data, error, isPending, issues, mutate, reset } = useAct(save, "agents", "policy", "budget")
  const amountOf = (name: keyof Amounts) => (texts[name].trim() === "" ? null : texts[name].trim())
  const submit = () => {
    const sellers = blocked.split(/[\s,]+/).filter((id) => id !== "")
    mutate({
      autoApprove: auto,
      autoApproveThreshold: amountOf("autoApproveThreshold"),
      perTransactionLimit: amountOf("perTransactionLimit"),
      dailyLimit: amountOf("dailyLimit"),
      weeklyLimit: amountOf("weeklyLimit"),
      monthlyLimit: amountOf("monthlyLimit"),
      allowedCategories: some ? [...categories] : null,
      blockedSellers: sellers.length === 0 ? null : sellers
    })
  }
  return (
    <Form button="Save limits" error={error} isPending={isPending} onSubmit={submit}>
      <SelectField
        label="Paid purchases"
        options={[
          ["true", "are made at once, within the limits"],
          ["false", "all wait for you"]
        ]}
        value={String(auto)}
        onChange={({ target }) => {
          setAuto(target.value === "true")
          reset()
        }}
      />
      <div className="grid grid-cols-[minmax(0,1fr)] gap-4 sm:grid-cols-2">
        {amounts.map(([name, label, hint]) => (
          <Field
            key={name}
            label={label}
            hint={hint}
            inputMode="decimal"
            autoComplete="off"
            issue={issues.get(name)}
            value={texts[name]}
            onChange={({ target }) => {
              setTexts({ ...texts, [name]: target.value })
              reset()
            }}
          />
        ))}
      </div>
      <SelectField
        label="Categories"
        options={[
          ["all", "All"],
          ["some", "Only those that I choose"]
        ]}
        value={some ? "some" : "all"}
        issue={issues.get("allowedCategories")}
        onChange={({ target }) => {
          setSome(target.value === "some")
          reset()
        }}
      />
      {some ? <Categories chosen={categories} onChange={setCategories} /> : null}
      <TextField
        label="Blocked sellers"
        hint="Ids of accounts (usr_…), one on each line."
        rows={2}
        spellCheck={false}
        issue={issues.get("blockedSellers")}
        value={blocked}
        onChange={({ target }) => {
          setBlocked(target.value)
          reset()
        }}
      />
      {data === undefined ? null : <Notice>The limits are saved.</Notice>}
    </Form>
  )
}
