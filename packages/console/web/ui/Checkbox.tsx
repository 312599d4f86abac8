import type { ReactNode } from "react"

/** A checkbox whose label is a large target. */
export const Checkbox = ({
  checked,
  children,
  disabled = false,
  onChange
}: {
  readonly checked: boolean
  readonly children: ReactNode
  readonly disabled?: boolean
  readonly onChange: (checked: boolean) => void
}) => (
  <label className="flex min-h-10 items-center gap-3 py-1">
    <input
      type="checkbox"
      className="size-4 shrink-0 accent-accent"
      checked={checked}
      disabled={disabled}
      onChange={({ target }) => onChange(target.checked)}
    />
    <span className="min-w-0 wrap-anywhere">{children}</span>
  </label>
)
