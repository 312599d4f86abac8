import { RouteNotFound } from "@agent-marketplace/api/errors/HttpFault"
import { TransactionCsv } from "@agent-marketplace/api/wallets/TransactionCsv"
import {
  toDepositInfo,
  toTransaction,
  toWalletBalance,
  toWithdrawal,
  toWithdrawalQuote
} from "@agent-marketplace/api/wallets/WalletWire"
import { toEnvelope, toPage, toPagination } from "@agent-marketplace/api/wire/Envelope"
import type { Caller } from "@agent-marketplace/core/identity/Caller"
import { Wallets } from "@agent-marketplace/core/wallets/Wallets"
import { Cache, Effect, Exit, Stream } from "effect"
import { HttpServerResponse } from "effect/http"
import { handlerGroup } from "../edge/RequestServices.ts"
import { currentCaller, replayable } from "../edge/CurrentRequest.ts"
import { entityTag } from "../edge/PublicResponse.ts"
import { forCaller } from "../edge/Reply.ts"
import { pageOf } from "../paging/PageOf.ts"
import { ServedApi } from "../ServedApi.ts"
import { overTheChain } from "./overTheChain.ts"

/** Draws texts as QR codes (PNG, DEPOSIT-3). The 500 images used last are cached: the image of an address never changes. */
const makeQrImages = Effect.map(
  Cache.makeWith(
    (text: string) =>
      Effect.promise(async () => {
        // In a bundle, a CommonJS package has only a default export.
        const { default: qrcode } = await import("qrcode")
        return qrcode.toBuffer(text, { type: "png", width: 320, errorCorrectionLevel: "M" })
      }),
    { capacity: 500, timeToLive: (exit) => (Exit.isSuccess(exit) ? Infinity : 0) }
  ),
  (images) => (text: string) => Cache.get(images, text)
)

const csvHeaders = { "content-disposition": 'attachment; filename="transactions.csv"' }

/** Wallets over HTTP (WALLET-1, DEPOSIT-1, LEDGER-1, WITHDRAWAL-1). */
export const WalletsHandlers = handlerGroup(
  ServedApi,
  "wallets",
  Effect.fnUntraced(function* (handlers) {
    const wallets = yield* Wallets
    const qrImage = yield* makeQrImages

    /** Streamed, so that a long history is never in memory as a whole. */
    const csv = Effect.fnUntraced(function* (caller: Caller) {
      const lines = Stream.map(yield* wallets.exportTransactions(caller), TransactionCsv.row)
      const file = Stream.encodeText(Stream.concat(Stream.succeed(TransactionCsv.header), lines))
      return HttpServerResponse.stream(file, { contentType: "text/csv; charset=utf-8", headers: csvHeaders })
    })

    return handlers.handleAll({
      balance: () => forCaller.one(toWalletBalance, (caller) => wallets.balance(caller)),
      deposit: Effect.fnUntraced(function* () {
        return toEnvelope(toDepositInfo(yield* overTheChain(wallets.deposit(yield* currentCaller))))
      }),
      depositQr: Effect.fnUntraced(function* ({ params: { address } }) {
        if (!(yield* wallets.isDepositAddress(address))) return yield* new RouteNotFound()
        const image = yield* qrImage(address)
        return HttpServerResponse.uint8Array(image, {
          contentType: "image/png",
          headers: { "cache-control": "public, max-age=86400, immutable", etag: entityTag(image) }
        })
      }),
      withdrawal: ({ params }) => forCaller.one(toWithdrawal, (caller) => wallets.withdrawal(caller, params.id)),
      withdrawals: Effect.fnUntraced(function* ({ query }) {
        const page = pageOf(query)
        const { items, total } = yield* wallets.withdrawals(yield* currentCaller, page)
        const list = { withdrawals: items.map(toWithdrawal), pagination: toPagination(page, total) }
        return toPage(list, page, total)
      }),
      quote: Effect.fnUntraced(function* ({ query }) {
        return toEnvelope(toWithdrawalQuote(yield* overTheChain(wallets.quote(yield* currentCaller, query))))
      }),
      withdraw: Effect.fnUntraced(function* ({ headers, payload }) {
        const withdrawn = wallets.withdraw(yield* currentCaller, payload, headers["idempotency-key"])
        return toEnvelope(toWithdrawal(yield* replayable(overTheChain(withdrawn))))
      }),
      cancelWithdrawal: Effect.fnUntraced(function* ({ headers, params }) {
        const cancelled = wallets.cancelWithdrawal(yield* currentCaller, params.id, headers["idempotency-key"])
        return toEnvelope(toWithdrawal(yield* replayable(cancelled)))
      }),
      transactions: Effect.fnUntraced(function* ({ query }) {
        const caller = yield* currentCaller
        if (query.format === "csv") return yield* csv(caller)
        const page = pageOf(query)
        const { items, total } = yield* wallets.transactions(caller, page)
        return toPage(items.map(toTransaction), page, total)
      })
    })
  })
)
