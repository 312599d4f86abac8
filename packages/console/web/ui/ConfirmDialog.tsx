import { AlertDialog } from "@base-ui/react/alert-dialog"
import { useMutation } from "@tanstack/react-query"
import { confirmed, messageOf } from "../app/market.ts"
import { useSingle } from "../app/useSingle.ts"
import type { Question } from "./Confirm.tsx"
import { Alert } from "./Page.tsx"

/** The open question of a `Confirm`. */
const ConfirmDialog = ({
  act,
  button,
  children,
  close,
  danger = false,
  onDone,
  title
}: Question & { readonly close: () => void }) => {
  const { error, isPending, mutate } = useMutation({
    mutationFn: useSingle(() => confirmed(act)),
    onSuccess: () => {
      close()
      onDone?.()
    }
  })
  return (
    <AlertDialog.Root open onOpenChange={(open) => (open ? undefined : close())}>
      <AlertDialog.Portal>
        <AlertDialog.Backdrop className="fixed inset-0 bg-black/50" />
        <AlertDialog.Popup className="card fixed inset-x-4 bottom-4 mx-auto grid max-w-md gap-4 p-5 shadow-xl sm:top-1/3 sm:bottom-auto">
          <AlertDialog.Title className="text-lg font-semibold">{title}</AlertDialog.Title>
          <AlertDialog.Description render={<div />} className="wrap-anywhere">
            {children}
          </AlertDialog.Description>
          {error === null ? null : <Alert>{messageOf(error)}</Alert>}
          <div className="flex flex-wrap justify-end gap-3">
            <AlertDialog.Close className="button" disabled={isPending}>
              Cancel
            </AlertDialog.Close>
            <button
              type="button"
              className={`button ${danger ? "button-danger" : "button-primary"}`}
              disabled={isPending}
              onClick={() => mutate()}
            >
              {isPending ? "One moment…" : button}
            </button>
          </div>
        </AlertDialog.Popup>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  )
}

export default ConfirmDialog
