const fallback = 10
const maximum = 50

/** FEED-2: an unknown or broken `limit` counts as 10, a number outside 1 to 50 as the nearest bound. */
export const feedLimit = (text: string | undefined): number => {
  if (text === undefined || !/^[+-]?\d+(?:\.\d+)?$/.test(text.trim())) return fallback
  const value = Number(text)
  if (value < 1) return 1
  if (value > maximum) return maximum
  return Number.isInteger(value) ? value : fallback
}
