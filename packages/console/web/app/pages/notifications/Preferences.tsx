import type { NotificationPreferences, NotificationSettings } from "@agent-marketplace/client/wire/Endpoints"
import { useState } from "react"
import { Checkbox } from "../../../ui/Checkbox.tsx"
import { Form } from "../../../ui/Form.tsx"
import { Card, Notice } from "../../../ui/Page.tsx"
import { market } from "../../market.ts"
import { useAct } from "../../useAct.ts"

type Kind = keyof NotificationPreferences

const groups: ReadonlyArray<readonly [group: string, kinds: ReadonlyArray<readonly [kind: Kind, meaning: string]>]> = [
  [
    "Your agents",
    [
      ["approval", "A purchase waits for your approval"],
      ["limit", "80 % of a spending limit is spent"],
      ["agent_frozen", "An agent was frozen"],
      ["key_rotation", "An API key should be rotated"]
    ]
  ],
  [
    "Money",
    [
      ["deposit", "A deposit arrived"],
      ["withdrawal", "A withdrawal is completed or has failed"]
    ]
  ],
  [
    "Items",
    [
      ["sale", "You sold something"],
      ["review", "An item of yours has a new review"],
      ["advisory", "There is a warning about an item that you sell or bought"]
    ]
  ]
]

/** What the account is notified of, on every channel (CONSOLE-48). */
export const Preferences = ({ settings }: { readonly settings: NotificationSettings }) => {
  const [chosen, setChosen] = useState(settings.preferences)
  const { data, error, isPending, mutate, reset } = useAct(
    () => market.notifications.set({ preferences: chosen }),
    "notifications"
  )
  return (
    <Card title="Notifications by kind">
      <Form button="Save" error={error} isPending={isPending} onSubmit={() => mutate(undefined)}>
        <div className="grid grid-cols-[minmax(0,1fr)] gap-4 md:grid-cols-3">
          {groups.map(([group, kinds]) => (
            <fieldset key={group}>
              <legend className="text-sm font-medium">{group}</legend>
              {kinds.map(([kind, meaning]) => (
                <Checkbox
                  key={kind}
                  checked={chosen[kind]}
                  onChange={(checked) => {
                    setChosen({ ...chosen, [kind]: checked })
                    reset()
                  }}
                >
                  {meaning} {kind === "approval" ? <span className="badge">Always at once</span> : null}
                </Checkbox>
              ))}
            </fieldset>
          ))}
        </div>
        {data === undefined ? null : <Notice>The choice is saved.</Notice>}
      </Form>
    </Card>
  )
}
