/** An amount of USDT as people read it: with two decimals, or up to six where it has them. */
export const usdt = (amount: number): string => `${amount.toFixed(6).replace(/0{1,4}$/, "")} USDT`
