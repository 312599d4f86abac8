import { Result } from "effect"
import type { ActionDraft, OperatorAction } from "../admin/OperatorAction.ts"
import { released } from "../advisories/itemRules.ts"
import type { Timestamp } from "../clock/Timestamp.ts"
import { Conflict, ValidationFailed } from "../errors/MarketError.ts"
import type { AccountId, AppealId, ItemId } from "../ids/Ids.ts"
import type { ReleaseHead, ReleaseReason } from "../releases/Release.ts"
import type { ItemReleases, ItemReleasesChange } from "../releases/ItemReleases.ts"
import { isByReports } from "./Report.ts"

/** `open` → `upheld` | `overturned` (APPEAL-3, APPEAL-4). */
export const appealStatuses = ["open", "upheld", "overturned"] as const

export type AppealStatus = (typeof appealStatuses)[number]

/** An operator's decision about an appeal: the appealed decision remains in force, or is undone. */
export const appealDecisions = ["upheld", "overturned"] as const

export type AppealDecision = (typeof appealDecisions)[number]

/** The kinds of decisions that can be appealed (APPEAL-1). */
export const appealSubjects = ["rejection", "suspension", "quarantine"] as const

type AppealSubject = (typeof appealSubjects)[number]

/** A decision about an item or one of its releases that is in force. */
interface DecisionInForce {
  readonly subject: AppealSubject
  /** The version of the quarantined release; null if it is about the item as a whole. */
  readonly version: string | null
  /** Identifies the decision among all decisions about the item, including earlier ones of the same kind. */
  readonly decision: string
  readonly code: string | null
  readonly reason: string | null
}

/** A creator's appeal of a decision about the creator's own item. */
export interface Appeal extends DecisionInForce {
  readonly id: AppealId
  readonly itemId: ItemId
  readonly creatorId: AccountId
  /** What the creator wrote. */
  readonly text: string
  readonly status: AppealStatus
  /** The operator's reason; null while it is open. */
  readonly answer: string | null
  readonly createdAt: Timestamp
  readonly decidedAt: Timestamp | null
}

const keyOf = (name: string, at: Timestamp | null | undefined): string => `${name} ${at ?? 0}`

const isSame = (one: ReleaseReason, other: ReleaseReason | null): boolean =>
  other !== null && one.at === other.at && one.text === other.text

const ofItem = ({ quarantine, refusal }: ItemReleases["item"]): ReadonlyArray<DecisionInForce> => [
  ...(refusal === null
    ? []
    : [
        {
          subject: refusal.kind,
          version: null,
          decision: keyOf(refusal.kind, refusal.at),
          code: refusal.code,
          reason: refusal.text
        }
      ]),
  ...(quarantine === null || quarantine.revoked === true
    ? []
    : [
        {
          subject: "quarantine" as const,
          version: null,
          decision: keyOf("quarantine", quarantine.at),
          code: quarantine.code,
          reason: quarantine.text
        }
      ])
]

/** The decisions that can be appealed, those about the item as a whole first. A release that was quarantined with the item is part of that decision. */
const decisionsOf = ({ item, releases }: ItemReleases): ReadonlyArray<DecisionInForce> => [
  ...ofItem(item),
  ...releases.flatMap(({ purgedAt, reason, status, version }): ReadonlyArray<DecisionInForce> => {
    if (status !== "quarantined" || reason === null || reason.revoked === true || purgedAt !== null) return []
    if (isSame(reason, item.quarantine)) return []
    const decision = keyOf(`quarantine of ${version}`, reason.at)
    return [{ subject: "quarantine", version, decision, code: reason.code, reason: reason.text }]
  })
]

/** A new appeal, and the version if it is about one release only. */
type AppealDraft = Pick<Appeal, "createdAt" | "creatorId" | "id" | "itemId" | "text"> & {
  readonly wanted: string | undefined
}

/** Appeals the first decision that has not been appealed (APPEAL-1, APPEAL-2). */
export const appealed =
  ({ wanted, ...draft }: AppealDraft) =>
  (itemReleases: ItemReleases, earlier: ReadonlyArray<Appeal>): Result.Result<Appeal, Conflict | ValidationFailed> => {
    if (wanted !== undefined && itemReleases.releases.every(({ version }) => version !== wanted)) {
      return Result.fail(
        new ValidationFailed({ issues: [{ path: "version", message: "is not a version of this item" }] })
      )
    }
    const inForce = decisionsOf(itemReleases).filter(({ version }) => wanted === undefined || version === wanted)
    const next = inForce.find(({ decision }) => earlier.every((appeal) => appeal.decision !== decision))
    if (next !== undefined) return Result.succeed({ ...draft, ...next, status: "open", answer: null, decidedAt: null })
    return Result.fail(new Conflict({ state: inForce.length === 0 ? "nothing_to_appeal" : "appealed" }))
  }

/** What a decision about an appeal changes. */
export interface DecidedAppeal {
  readonly appeal: Appeal
  readonly change: ItemReleasesChange
  /** Whether the item's rejection or suspension ends. */
  readonly reinstates: boolean
  /** Whether the item's open reports are resolved, because an operator has decided about the quarantine that they caused. */
  readonly resolvesReports: boolean
}

const unchanged = { change: {}, reinstates: false, resolvesReports: false } as const

/** Undoes the decision. Nothing changes if it is no longer in force. */
const undone = (
  itemReleases: ItemReleases,
  { decision }: Appeal,
  action: ActionDraft
): Result.Result<Omit<DecidedAppeal, "appeal">, Conflict | ValidationFailed> => {
  const current = itemReleases.item.deleted
    ? undefined
    : decisionsOf(itemReleases).find((one) => one.decision === decision)
  if (current === undefined) return Result.succeed(unchanged)
  if (current.subject !== "quarantine") return Result.succeed({ ...unchanged, reinstates: true })
  const { reason: text, version } = current
  const { quarantine } = itemReleases.item
  const isPart = ({ reason }: ReleaseHead): boolean =>
    version !== null || (reason !== null && isSame(reason, quarantine))
  const ended = {
    versions: version === null ? undefined : [version],
    reason: { code: current.code ?? "other", text: action.reason ?? "" },
    at: action.at,
    action
  }
  return Result.map(released(ended, isPart)(itemReleases), (change) => ({
    ...unchanged,
    change,
    resolvesReports: isByReports({ code: "policy", text: text ?? "" })
  }))
}

const logged = (action: ActionDraft, { id, status }: Appeal, { action: done }: ItemReleasesChange): OperatorAction => ({
  ...action,
  before: { appeal: "open", ...done?.before },
  after: { appeal: status, appealId: id, ...done?.after }
})

/** Decides an open appeal, once (APPEAL-3, APPEAL-4). */
export const decidedAppeal =
  (decision: AppealDecision, answer: string, action: ActionDraft) =>
  (itemReleases: ItemReleases, appeal: Appeal): Result.Result<DecidedAppeal, Conflict | ValidationFailed> => {
    if (appeal.status !== "open") return Result.fail(new Conflict({ state: appeal.status }))
    const decided: Appeal = { ...appeal, status: decision, answer, decidedAt: action.at }
    const ended = decision === "upheld" ? Result.succeed(unchanged) : undone(itemReleases, appeal, action)
    return Result.map(ended, ({ change, ...more }) => ({
      ...more,
      appeal: decided,
      change: { ...change, action: logged(action, decided, change) }
    }))
  }
