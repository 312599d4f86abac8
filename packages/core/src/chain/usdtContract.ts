/** The USDT contract on TRON, used by the simulated chain too (CHAIN-7). Withdrawals to it are refused (WITHDRAWAL-9). */
export const usdtContract = "TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t"
