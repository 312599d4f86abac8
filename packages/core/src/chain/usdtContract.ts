/** The token's contract on TRON, the same on every chain that stands for it (CHAIN-7, WITHDRAWAL-9): nobody may withdraw to it. */
export const usdtContract = "TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t"
