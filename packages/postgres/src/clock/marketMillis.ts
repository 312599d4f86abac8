/** SQL for the market's time now, not at the start of the transaction: a bigint of milliseconds. */
export const marketMillis = `(SELECT floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint + offset_seconds * 1000 FROM market_clock)`
