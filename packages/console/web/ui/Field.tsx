import type { ComponentProps, ReactNode } from "react"
import { useId } from "react"

interface FieldProps {
  readonly label: string
  /** What may be entered. */
  readonly hint?: ReactNode
  /** Why the market refused the value. */
  readonly issue?: string | undefined
}

const Around = ({
  children,
  hint,
  id,
  issue,
  label
}: FieldProps & { readonly id: string; readonly children: ReactNode }) => (
  <div>
    <label className="block text-sm font-medium" htmlFor={id}>
      {label}
    </label>
    {children}
    {hint === undefined ? null : (
      <p id={`${id}-hint`} className="mt-1 text-sm text-muted">
        {hint}
      </p>
    )}
    {issue === undefined ? null : (
      <p id={`${id}-issue`} className="mt-1 text-sm text-bad">
        {issue}
      </p>
    )}
  </div>
)

const described = (id: string, { hint, issue }: FieldProps) => ({
  "aria-describedby": [hint && `${id}-hint`, issue && `${id}-issue`].filter(Boolean).join(" ") || undefined,
  "aria-invalid": issue === undefined ? undefined : true
})

/** An input with its label, a hint, and the validation error from the API. */
export const Field = ({ hint, issue, label, ...input }: FieldProps & ComponentProps<"input">) => {
  const id = useId()
  return (
    <Around id={id} label={label} hint={hint} issue={issue}>
      <input id={id} className="field mt-1" {...described(id, { label, hint, issue })} {...input} />
    </Around>
  )
}

export const TextField = ({ hint, issue, label, ...input }: FieldProps & ComponentProps<"textarea">) => {
  const id = useId()
  return (
    <Around id={id} label={label} hint={hint} issue={issue}>
      <textarea id={id} className="field mt-1 py-2" {...described(id, { label, hint, issue })} {...input} />
    </Around>
  )
}

export const SelectField = ({
  hint,
  issue,
  label,
  options,
  ...select
}: FieldProps &
  ComponentProps<"select"> & { readonly options: ReadonlyArray<readonly [value: string, text: string]> }) => {
  const id = useId()
  return (
    <Around id={id} label={label} hint={hint} issue={issue}>
      <select id={id} className="field mt-1" {...described(id, { label, hint, issue })} {...select}>
        {options.map(([value, text]) => (
          <option key={value} value={value}>
            {text}
          </option>
        ))}
      </select>
    </Around>
  )
}
