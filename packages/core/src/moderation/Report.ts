import { Result } from "effect"
import type { OperatorAction } from "../admin/OperatorAction.ts"
import { advisoryDrafts } from "../advisories/advisoryDrafts.ts"
import { allowed, stopped } from "../advisories/itemRules.ts"
import type { Timestamp } from "../clock/Timestamp.ts"
import { Timestamp as Time } from "../clock/Timestamp.ts"
import { Conflict } from "../errors/MarketError.ts"
import type { AccountId, ItemId, ReportId } from "../ids/Ids.ts"
import type { ReleaseHead, ReleaseReason } from "../releases/Release.ts"
import type { ItemReleases, ItemReleasesChange } from "../releases/ItemReleases.ts"

/** The reasons for which an item can be reported (REPORT-1). */
export const reportReasons = ["malware", "prompt_injection", "copy", "spam", "illegal", "other"] as const

export type ReportReason = (typeof reportReasons)[number]

export const reportStatuses = ["open", "resolved"] as const

export type ReportStatus = (typeof reportStatuses)[number]

/** The operator's decisions about the reports of an item (REPORT-5). */
export const reportActions = ["none", "suspend", "quarantine", "revoke"] as const

export type ReportAction = (typeof reportActions)[number]

/** An account's report of an item. */
export interface Report {
  readonly id: ReportId
  readonly itemId: ItemId
  /** Only operators see it (REPORT-4). */
  readonly reporterId: AccountId
  readonly reason: ReportReason
  readonly text: string
  readonly status: ReportStatus
  /** What was done about it; null while it is open. */
  readonly action: ReportAction | null
  readonly createdAt: Timestamp
  readonly resolvedAt: Timestamp | null
}

/** An item with this many trusted reporters is quarantined until an operator decides (REPORT-3). */
export const quarantiningReports = 4

/** The minimum age of an account whose reports count for a quarantine. */
export const trustedAfter = 7 * Time.day

const byReports: ReleaseReason = {
  code: "policy",
  text: "Several accounts reported it. It is not for sale until a person has looked at the reports"
}

/** Whether reports alone caused the quarantine (REPORT-3). */
export const isByReports = (reason: ReleaseReason | null): boolean => reason?.text === byReports.text

const canBeSold = ({ status }: ReleaseHead): boolean => status !== "quarantined" && status !== "yanked"

/** The effect of the open reports, of which trusted reporters made `trusted` (REPORT-3). */
export const reported =
  (at: Timestamp) =>
  (itemReleases: ItemReleases, trusted: number): ItemReleasesChange => {
    if (trusted < quarantiningReports || itemReleases.item.quarantine !== null) return {}
    const targets = itemReleases.releases.filter(canBeSold)
    return {
      ...stopped(itemReleases, { at, reason: byReports, versions: undefined }, targets),
      ...(itemReleases.sold ? { advisory: advisoryDrafts.quarantined(itemReleases, targets, byReports.text) } : {})
    }
  }

/** A person has looked: what the reports alone had stopped is on sale again. */
const cleared = (itemReleases: ItemReleases): ItemReleasesChange => ({
  ...(isByReports(itemReleases.item.quarantine) ? { quarantine: null } : {}),
  changed: itemReleases.releases
    .filter(({ reason, status }) => status === "quarantined" && isByReports(reason))
    .map((release) => allowed(itemReleases, release))
})

/** What a decision changes beside the item control and the suspension, which act on their own (REPORT-5). */
export const decided = (
  itemReleases: ItemReleases,
  action: ReportAction,
  log: OperatorAction
): Result.Result<ItemReleasesChange, Conflict> => {
  if (itemReleases.item.deleted) return Result.fail(new Conflict({ state: "deleted" }))
  const stays = action === "quarantine" || action === "revoke"
  return Result.succeed({ ...(stays ? {} : cleared(itemReleases)), action: log })
}
