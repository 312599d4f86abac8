const states = {
  pending_review: ["In review", "text-warn"],
  approved: ["Approved", "text-good"],
  rejected: ["Rejected", "text-bad"],
  suspended: ["Suspended", "text-bad"],
  deleted: ["Removed", "text-muted"],
  public: ["Public", "text-good"],
  private: ["Private", "text-muted"],
  scanning: ["Being scanned", "text-warn"],
  published: ["On sale", "text-good"],
  in_review: ["Waits for an operator", "text-warn"],
  quarantined: ["Quarantined", "text-bad"],
  yanked: ["Off sale", "text-muted"]
} as const

export type StateName = keyof typeof states

/** The state of an item or of a release. */
export const State = ({ of }: { readonly of: StateName }) => {
  const [text, color] = states[of]
  return <span className={`badge ${color}`}>{text}</span>
}

/** Why something is not on sale, in the words of the market; nothing if there is no reason. */
export const Reason = ({
  code,
  text
}: {
  readonly code?: string | null | undefined
  readonly text?: string | null | undefined
}) =>
  (text ?? "") === "" ? null : (
    <p className="rounded-lg border border-bad p-3 text-sm wrap-anywhere" dir="auto">
      {text}
      {code === null || code === undefined ? null : <span className="text-muted"> ({code.replaceAll("_", " ")})</span>}
    </p>
  )

/** `1 review`, `2 reviews`. */
export const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? "" : "s"}`
