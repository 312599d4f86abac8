import { usdtContract } from "@agent-marketplace/core/chain/usdtContract"
import { bare } from "@agent-marketplace/fixtures/tron/TronNetwork"
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { TronWeb } from "tronweb"
import { hotKey, hotWallet, receiver } from "../fixtures/keys.ts"
import { startNetwork } from "../fixtures/tronMarket.ts"

it.live("the published tronweb can pay on the test network and read it", () =>
  Effect.gen(function* () {
    const { network, url } = yield* startNetwork()
    network.fund(hotWallet, 10_000_000n)
    const tronWeb = new TronWeb({ fullHost: url, privateKey: hotKey })
    yield* Effect.promise(async () => {
      const parameters = [
        { type: "address", value: receiver },
        { type: "uint256", value: "1500000" }
      ]
      const selector = "transfer(address,uint256)"
      const { transaction } = await tronWeb.transactionBuilder.triggerSmartContract(
        usdtContract,
        selector,
        { feeLimit: 30_000_000 },
        parameters,
        hotWallet
      )
      const signed = await tronWeb.trx.sign(transaction)
      const sent = await tronWeb.trx.sendRawTransaction(signed)
      assert.isTrue(sent.result)
      const again = await tronWeb.trx.sendRawTransaction(signed)
      assert.strictEqual(again.code as unknown, "DUP_TRANSACTION_ERROR")
      network.mine()
      assert.deepStrictEqual((await tronWeb.trx.getTransactionInfo(signed.txID)) as object, {})
      const included = await tronWeb.trx.getUnconfirmedTransactionInfo(signed.txID)
      assert.deepInclude(included, { id: signed.txID, blockNumber: network.head.number })
      network.mine(network.solidLag)
      assert.strictEqual((await tronWeb.trx.getTransactionInfo(signed.txID)).receipt.result as unknown, "SUCCESS")

      const called = await tronWeb.transactionBuilder.triggerConstantContract(
        usdtContract,
        "balanceOf(address)",
        {},
        [{ type: "address", value: receiver }],
        hotWallet
      )
      assert.strictEqual(BigInt(`0x${called.constant_result[0]}`), 1_500_000n)
      assert.strictEqual(network.balance(bare(receiver)), 1_500_000n)

      const head = await tronWeb.trx.getCurrentBlock()
      assert.strictEqual(head.block_header.raw_data.number, network.head.number)
      const final = await tronWeb.trx.getConfirmedCurrentBlock()
      assert.strictEqual(final.block_header.raw_data.number, network.solid.number)
      assert.strictEqual((await tronWeb.trx.getBlockByNumber(3)).blockID, network.at(3).id)
      assert.isAbove(await tronWeb.trx.getBalance(hotWallet), 0)
      const prices = await tronWeb.trx.getChainParameters()
      assert.deepInclude(prices, { key: "getEnergyFee", value: 100 })

      network.plenty = 0
      network.sun.set(bare(hotWallet), 50_000_000)
      const trx = await tronWeb.trx.sendTransaction(receiver, 7_000_000)
      assert.isTrue(trx.result)
      network.mine(network.solidLag + 1)
      assert.strictEqual(await tronWeb.trx.getBalance(receiver), 7_000_000)
      assert.strictEqual(await tronWeb.trx.getBalance(hotWallet), 50_000_000 - 7_000_000 - 268_000 - 1_100_000)

      const wrong = { ...signed, signature: [`${"11".repeat(64)}1B`] }
      assert.strictEqual((await tronWeb.trx.sendRawTransaction(wrong)).code as unknown, "SIGERROR")
    })
  })
)
