import { useId, useState } from "react"

/** Takes files that are dropped or chosen. */
export const FileDrop = ({
  accept,
  disabled = false,
  hint,
  label,
  multiple = false,
  take
}: {
  readonly accept: string
  readonly disabled?: boolean
  readonly hint: string
  readonly label: string
  readonly multiple?: boolean
  readonly take: (files: ReadonlyArray<File>) => void
}) => {
  const [over, setOver] = useState(false)
  const id = useId()
  return (
    <div
      className={`grid justify-items-center gap-2 rounded-lg border border-dashed p-6 text-center ${over ? "border-accent bg-accent-soft" : "border-muted"}`}
      onDragOver={(event) => {
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault()
        setOver(false)
        if (!disabled) take([...event.dataTransfer.files])
      }}
    >
      <label htmlFor={id} className="font-medium">
        {label}
      </label>
      <p id={`${id}-hint`} className="text-sm text-muted">
        {hint}
      </p>
      <input
        id={id}
        type="file"
        multiple={multiple}
        className="w-full max-w-xs text-sm file:me-3 file:min-h-10 file:cursor-pointer file:rounded-lg file:border file:border-line file:bg-card file:px-4 file:font-medium file:text-ink"
        accept={accept}
        aria-describedby={`${id}-hint`}
        disabled={disabled}
        onChange={(event) => {
          take([...(event.target.files ?? [])])
          event.target.value = ""
        }}
      />
    </div>
  )
}
