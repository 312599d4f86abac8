import { defaultsOf } from "@agent-marketplace/core/fields/Field"
import type { Listing } from "@agent-marketplace/core/listings/Listing"
import { listingFields } from "@agent-marketplace/core/listings/ListingFields"
import { edited } from "@agent-marketplace/core/listings/ListingRules"
import { noFindings } from "@agent-marketplace/core/names/NameFindings"
import { Usdt } from "@agent-marketplace/core/money/Usdt"
import { Result } from "effect"
import { assert, describe, it } from "vitest"

const now = Date.parse("2026-01-15T12:00:00.000Z")

const listing: Listing = {
  ...defaultsOf(listingFields),
  id: "lst_1" as Listing["id"],
  slug: "sorter",
  name: "Sorter",
  description: "Sorts mail.",
  price: Usdt.zero,
  currency: "USDT",
  category: "other",
  status: "approved",
  creatorId: "usr_1" as Listing["creatorId"],
  creatorName: "Ada",
  createdAt: now,
  updatedAt: now
}

describe("a creator's change (OPERATOR-33)", () => {
  it.each(["approved", "pending_review", "rejected"] as const)(
    "of a listing that is %s has a later time than the state before, also if the clock stands still or was set back",
    (status) => {
      let before: Listing = { ...listing, status }
      for (const at of [now, now, now - 60_000, now + 60_000]) {
        const change = edited(
          before,
          { installUrl: `https://example.com/${before.updatedAt}` },
          "manual",
          noFindings,
          at
        )
        const after = Result.getOrThrow(change).listing
        assert.isAbove(after.updatedAt, before.updatedAt)
        before = after
      }
      assert.strictEqual(before.updatedAt, now + 60_000)
    }
  )
})
