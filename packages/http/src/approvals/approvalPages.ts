import { Timestamp } from "@agent-marketplace/core/clock/Timestamp"
import type { Approval, ApprovalStatus } from "@agent-marketplace/core/approvals/Approval"
import { Usdt } from "@agent-marketplace/core/money/Usdt"
import { Text } from "@agent-marketplace/core/text/Text"
import type { HttpServerResponse } from "effect/http"
import type { Html } from "../oauth/pages/html.ts"
import { confirmHtml, html, page } from "../oauth/pages/html.ts"

type Page = HttpServerResponse.HttpServerResponse

/** What a person sees of an approval. */
export interface ShownApproval {
  readonly approval: Approval
  readonly accountName: string
  /** Null if no agent made the purchase. */
  readonly agentName: string | null
}

/** A text by others, cut to a length that keeps the rest of the page visible. */
const foreign = (text: string): string => Text.clip(text, 80)

const titles: Readonly<Record<ApprovalStatus, string>> = {
  pending: "Approve this purchase?",
  approved: "The purchase was approved",
  rejected: "The purchase was rejected",
  expired: "The purchase has expired"
}

const outcomes: Readonly<Record<Exclude<ApprovalStatus, "pending">, string>> = {
  approved: "It was paid, and its license was issued.",
  rejected: "Nothing was paid. The held amount was returned.",
  expired: "Nobody decided in time. Nothing was paid, and the held amount was returned."
}

const line = (name: string, value: string): Html => html`<p>${name}: <strong>${value}</strong></p>`

const priceOf = ({ amount, pricingModel }: Approval): string =>
  pricingModel === "subscription" ? `${Usdt.withCurrency(amount)} every 30 days` : Usdt.withCurrency(amount)

const termsHtml = ({ agentName, approval }: ShownApproval): Html =>
  html`${line("Item", foreign(approval.item.name))}${line("Seller", foreign(approval.item.creator))}${line("Price", priceOf(approval))}${line("Period", approval.pricingModel === "subscription" ? "Charged every 30 days until you cancel" : "Paid once")}${line("Requested by", agentName === null ? "A key of your account" : `Agent ${foreign(agentName)}`)}${line("Requested at", Timestamp.toIso(approval.requestedAt))}`

const problemHtml = (problem: string | undefined): Html =>
  problem === undefined ? html`` : html`<p class="problem">${problem}</p>`

/** The pages on which an owner decides about a purchase, without scripts (APPROVAL-9, APPROVAL-10). */
export const approvalPages = {
  decide: (
    shown: ShownApproval,
    form: {
      readonly action: string
      readonly token: string
      readonly mayApprove: boolean
      /** Where the person confirms with a passkey first; null if that is not necessary. */
      readonly confirmAt: string | null
    },
    problem?: string,
    status = 200
  ): Page => {
    const { expiresAt, id } = shown.approval
    return page(
      titles.pending,
      html`<p class="note">
          You are signed in as ${foreign(shown.accountName)}. The names below were written by others. Opening this page
          decides nothing.
        </p>
        ${problemHtml(problem)}${form.confirmAt === null ? html`` : confirmHtml(form.confirmAt, "approve")}${termsHtml(shown)}${line("Expires at", Timestamp.toIso(expiresAt))}
        <form method="post" action="${form.action}">
          <input type="hidden" name="approval" value="${id}" /><input
            type="hidden"
            name="token"
            value="${form.token}"
          />${form.mayApprove ? html`<button name="decision" value="approve">Approve</button>` : html``}<button
            name="decision"
            value="reject"
          >
            Reject
          </button>
        </form>`,
      { status }
    )
  },

  outcome: (shown: ShownApproval, problem?: string, status = 200): Page => {
    const { decidedAt, status: state } = shown.approval
    return page(
      titles[state],
      html`${problemHtml(problem)}
        <p>${state === "pending" ? "" : outcomes[state]}</p>
        ${termsHtml(shown)}${decidedAt === null ? html`` : line("Decided at", Timestamp.toIso(decidedAt))}`,
      { status }
    )
  },

  problem: (description: string, status: number): Page =>
    page("This is not possible", html`<p class="problem">${description}</p>`, { status })
}
