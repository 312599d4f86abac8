import { useMutation } from "@tanstack/react-query"
import { Alert } from "../../ui/Page.tsx"
import { confirmed, messageOf } from "../market.ts"

/** Scans a version again; the market allows that once an hour. */
export const RescanButton = ({
  onDone,
  rescan,
  version
}: {
  readonly version: string
  readonly rescan: () => Promise<unknown>
  readonly onDone: () => void
}) => {
  const { error, isPending, mutate } = useMutation({ mutationFn: () => confirmed(rescan), onSuccess: onDone })
  return (
    <>
      <button
        type="button"
        className="button"
        aria-label={`Scan again: ${version}`}
        disabled={isPending}
        onClick={() => mutate()}
      >
        Scan again
      </button>
      {error === null ? null : <Alert>{messageOf(error)}</Alert>}
    </>
  )
}
