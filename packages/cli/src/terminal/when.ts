/** A time of the market as people read it, in UTC: `2025-01-15 10:30`. */
export const when = (instant: string | null | undefined): string => instant?.slice(0, 16).replace("T", " ") ?? ""
