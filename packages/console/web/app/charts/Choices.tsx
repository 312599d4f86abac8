/** Chooses one of a few, by buttons. */
export const Choices = <A extends string>({
  choices,
  chosen,
  label,
  onChoose
}: {
  /** What the choice is about, for screen readers. */
  readonly label: string
  readonly choices: ReadonlyArray<readonly [value: A, text: string]>
  readonly chosen: A
  readonly onChoose: (value: A) => void
}) => (
  <div role="group" aria-label={label} className="flex flex-wrap gap-2">
    {choices.map(([value, text]) => (
      <button
        key={value}
        type="button"
        className="button aria-pressed:border-accent aria-pressed:bg-accent-soft"
        aria-pressed={value === chosen}
        onClick={() => onChoose(value)}
      >
        {text}
      </button>
    ))}
  </div>
)
