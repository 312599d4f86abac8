const sea = ["🦀", "🐙", "🦞", "🐠", "🐳"] as const

/** The icons of the feed (FEED-5, FEED-17). */
export const Emoji = {
  purchase: "🛍️",
  earning: "💰",
  listing: "✨",
  /** Stand for an agent; which one says nothing about who it is. */
  sea
} as const

/** One of the five sea creatures; any finite number will do as the seed. */
export const seaEmoji = (seed: number): string => sea[Math.abs(Math.trunc(seed)) % sea.length] ?? sea[0]
