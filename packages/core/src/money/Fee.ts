import { halfEven, Usdt } from "./Usdt.ts"

const basisPoints = 10_000n

/**
 * The platform's fee, which is part of the price: `amount × bps / 10,000`, rounded half to even at 6 decimals (SALE-1).
 * `amount` is not negative, `bps` a whole number from 0 to 10,000; the fee is never above the amount.
 */
export const platformFee = (amount: Usdt, bps: number): Usdt => Usdt.of(halfEven(amount * BigInt(bps), basisPoints))
