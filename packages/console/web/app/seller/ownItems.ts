import { pageSize, usePages } from "../../ui/ShowMore.tsx"
import { market } from "../market.ts"

/** The caller's listings in every state, newest first. */
export const useOwnListings = () =>
  usePages(
    ["items", "listings"],
    async (page) => (await market.listings.list({ creator: "me", page, limit: pageSize })).listings
  )

/** The caller's SOULs, private ones too, newest first. */
export const useOwnSouls = () =>
  usePages(
    ["items", "souls"],
    async (page) => (await market.souls.list({ author: "me", limit: pageSize, offset: (page - 1) * pageSize })).souls
  )
