import type { Advisory } from "@agent-marketplace/client/wire/Endpoints"
import { Option } from "effect"
import { Command, Flag } from "effect/cli"
import { callAndReport } from "../terminal/callAndReport.ts"
import { when } from "../terminal/format.ts"
import { listOf } from "../terminal/list.ts"
import { optionalText } from "../terminal/optionalText.ts"
import type { Column } from "../terminal/table.ts"
import { plain } from "../terminal/text.ts"

const columns: ReadonlyArray<Column<Advisory>> = [
  { title: "ID", value: ({ id }) => id },
  { title: "SEVERITY", value: ({ severity }) => severity },
  { title: "ACTION", value: ({ action }) => action },
  { title: "ITEM", value: ({ itemId }) => itemId, yields: true },
  { title: "VERSIONS", value: ({ versions }) => (versions.length === 0 ? "all" : versions.join(", ")), yields: true },
  { title: "REASON", value: ({ reason }) => plain.line(reason), yields: true },
  { title: "WHEN", value: ({ publishedAt }) => when(publishedAt) }
]

/** The feed of advisories (ADVISORY-3). */
export const advisoriesCommand = Command.make(
  "advisories",
  {
    after: optionalText("after", "Only advisories after the one with this id, adv_…"),
    limit: Flag.Int("limit").pipe(Flag.withDescription("At most so many, at most 100"), Flag.withDefault(100))
  },
  ({ after, limit }) =>
    callAndReport(
      (market, options) => market.advisories.list({ limit, after: Option.getOrUndefined(after) }, options),
      listOf(columns, "No advisory.")
    )
).pipe(Command.withDescription("List what was revoked, quarantined or yanked after it was sold, oldest first"))
