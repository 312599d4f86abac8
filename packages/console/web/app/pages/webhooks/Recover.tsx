import { useState } from "react"
import { Confirm } from "../../../ui/Confirm.tsx"
import { SelectField } from "../../../ui/Field.tsx"
import { Notice } from "../../../ui/Page.tsx"
import { market } from "../../market.ts"
import { useRenew } from "../../useAct.ts"

const periods = [
  ["1", "The last hour"],
  ["24", "The last 24 hours"],
  ["168", "The last 7 days"],
  ["720", "The last 30 days"]
] as const

const hour = 3_600_000

/** Sends everything again that has not arrived. */
export const Recover = ({ id }: { readonly id: string }) => {
  const [hours, setHours] = useState("24")
  const [count, setCount] = useState<number>()
  const renew = useRenew()
  return (
    <>
      <Confirm
        quiet
        button="Send missed events"
        title="Send missed events again?"
        act={async () => {
          const since = new Date(Date.now() - Number(hours) * hour).toISOString()
          setCount((await market.webhooks.recover(id, { since })).recovered)
        }}
        onDone={() => void renew("deliveries")}
      >
        <p className="mb-3">Every event that failed or still waits is sent again. Those that arrived are not.</p>
        <SelectField
          label="Events of"
          options={periods}
          value={hours}
          onChange={({ target }) => setHours(target.value)}
        />
      </Confirm>
      {count === undefined ? null : (
        <div className="w-full">
          <Notice>
            {count === 0
              ? "No event was missed."
              : `${count} ${count === 1 ? "event is" : "events are"} being sent again.`}
          </Notice>
        </div>
      )}
    </>
  )
}
