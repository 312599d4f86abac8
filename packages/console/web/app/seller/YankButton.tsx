import { useState } from "react"
import { Confirm } from "../../ui/Confirm.tsx"
import { TextField } from "../../ui/Field.tsx"

/** Takes a version off sale for good, with a reason for those who have it. */
export const YankButton = ({
  onDone,
  version,
  yank
}: {
  readonly version: string
  readonly yank: (reason: string) => Promise<unknown>
  readonly onDone: () => void
}) => {
  const [reason, setReason] = useState("")
  return (
    <Confirm
      button="Take off sale"
      label={`Take off sale: ${version}`}
      title={`Take ${version} off sale for good?`}
      danger
      act={() => yank(reason)}
      onDone={onDone}
    >
      <p className="mb-3">Nobody can buy it any more, and this cannot be undone. Who bought it keeps it.</p>
      <TextField
        label="Reason, for those who have it"
        rows={2}
        maxLength={500}
        value={reason}
        onChange={(event) => setReason(event.target.value)}
      />
    </Confirm>
  )
}
