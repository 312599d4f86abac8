const whole = (text: string | null): number | undefined =>
  text !== null && /^\d{1,12}$/.test(text) ? Number(text) : undefined

/** What the headers of a 429 say, for bodies that say nothing of it: those of the SOUL surface (WIRE-15). */
export const rateLimitOf = (headers: Headers): Readonly<Record<string, unknown>> => {
  const limit = whole(headers.get("x-ratelimit-limit"))
  const reset = whole(headers.get("x-ratelimit-reset"))
  return {
    ...(reset === undefined ? {} : { resetAt: new Date(reset * 1000).toISOString() }),
    ...(limit === undefined ? {} : { limit })
  }
}
