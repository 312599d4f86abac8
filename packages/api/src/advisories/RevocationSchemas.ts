import type { Revocation as CoreRevocation } from "@agent-marketplace/core/advisories/Revocation"
import { revocationSteps } from "@agent-marketplace/core/advisories/Revocation"
import { Timestamp } from "@agent-marketplace/core/clock/Timestamp"
import { Usdt } from "@agent-marketplace/core/money/Usdt"
import { Schema } from "effect"
import { ResponseField } from "../wire/ResponseField.ts"

/** A revocation and its progress (REVOKE-7). */
export const Revocation = Schema.Struct({
  id: ResponseField.text("The revocation's id.", "rvk_01j9zq5k2f8h3m6n7p0r4s"),
  itemId: ResponseField.text("The revoked listing or soul.", "lst_01j9zq5k2f8h3m6n7p0r4s"),
  versions: ResponseField.texts("The revoked versions; empty if the item has no releases.", ["1.4.0"]),
  reason: ResponseField.text("The operator's reason.", "The release reads credentials and sends them elsewhere."),
  refundDays: ResponseField.numberOrNull("Sales of so many days before are refunded; null if none are.", 30),
  revokedAt: ResponseField.time("When it was revoked."),
  step: ResponseField.choice(
    revocationSteps,
    "What is in progress: sales that had started end, approvals are rejected, purchases and renewals are refunded, or everything is done.",
    "done"
  ),
  refunded: ResponseField.count("The number of refunded purchases and renewals so far.", 240),
  amount: ResponseField.money("What buyers got back so far, USDT.", "2400.00"),
  covered: ResponseField.money("The part of it that the platform lent to the seller, USDT.", "310.00"),
  rejected: ResponseField.count("The number of purchases that waited for approval and were rejected.", 3),
  finishedAt: ResponseField.timeOrNull("When everything was done.")
}).annotate({ identifier: "Revocation", description: "A revocation and its progress." })

export const toRevocation = (revocation: CoreRevocation): typeof Revocation.Type => ({
  id: revocation.id,
  itemId: revocation.itemId,
  versions: revocation.versions,
  reason: revocation.reason,
  refundDays: revocation.refundDays,
  revokedAt: Timestamp.toIso(revocation.at),
  step: revocation.step,
  refunded: revocation.refunded,
  amount: Usdt.format(revocation.amount),
  covered: Usdt.format(revocation.covered),
  rejected: revocation.rejected,
  finishedAt: revocation.finishedAt === null ? null : Timestamp.toIso(revocation.finishedAt)
})
