import { market } from "../market.ts"
import { useMore } from "../useMore.ts"

/** The caller's listings in every state, newest first. */
export const useOwnListings = () =>
  useMore(
    ["items", "listings"],
    async ({ limit, page }) => (await market.listings.list({ creator: "me", page, limit })).listings
  )

/** The caller's SOULs, private ones too, newest first. */
export const useOwnSouls = () =>
  useMore(
    ["items", "souls"],
    async ({ limit, page }) => (await market.souls.list({ author: "me", limit, offset: (page - 1) * limit })).souls
  )
