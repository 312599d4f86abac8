import { Effect } from "effect"
import { Command } from "effect/cli"
import { ask } from "../identity/session.ts"
import { fields } from "../terminal/fields.ts"
import { report } from "../terminal/report.ts"

const deposit = Effect.gen(function* () {
  const info = yield* ask((market, options) => market.wallet.deposit(options))
  yield* report(info, (page) => {
    const facts = fields(page, [
      ["address", info.address],
      ["chain", info.chain],
      ["currency", info.currency],
      ["balance", `${info.balance} ${info.currency}`],
      ["QR code", info.qrCode]
    ])
    return page.isTerminal ? `${facts}\n\nSend only USDT on TRON (TRC-20). It counts after 1 to 2 minutes.` : facts
  })
})

export const depositCommand = Command.make("deposit", {}, () => deposit).pipe(
  Command.withDescription("Show where to send USDT to fill the wallet")
)
