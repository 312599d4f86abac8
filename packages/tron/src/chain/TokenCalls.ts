import { ChainUnavailable } from "@agent-marketplace/core/chain/Chain"
import { Data, Effect } from "effect"
import { hexOf } from "../nodes/Base58Check.ts"
import { ConstantCall } from "../nodes/NodeAnswers.ts"
import type { Node } from "../nodes/Node.ts"
import type { Nodes } from "../nodes/Nodes.ts"
import { askFinal, askSince } from "./FinalHeads.ts"

const word = (hex: string) => hex.padStart(64, "0")

const text = (hex: string | undefined) => (hex === undefined ? "" : Buffer.from(hex, "hex").toString("utf8"))

/** The token's contract would refuse the transfer now: too little money, a frozen sender or receiver, or a paused token. */
class TokenRefusal extends Data.TaggedError("TokenRefusal")<{ readonly reason: string }> {}

interface Request {
  readonly contract: string
  readonly owner: string
  readonly selector: string
  readonly parameter: string
}

const method = "triggerconstantcontract"

const bodyOf = ({ contract, owner, parameter, selector }: Request) => ({
  owner_address: hexOf(owner),
  contract_address: hexOf(contract),
  function_selector: selector,
  parameter
})

const resultOf = Effect.fnUntraced(function* (request: Request, answer: typeof ConstantCall.Type) {
  const { code, message, result } = answer.result
  const failed = answer.transaction?.ret?.some(({ ret }) => ret !== undefined && ret !== "SUCCESS") ?? false
  if (result !== true || code !== undefined || message !== undefined || failed) {
    return yield* new TokenRefusal({ reason: `${request.selector}: ${text(message) || code || "refused"}` })
  }
  return { energy: answer.energy_used ?? 0, words: answer.constant_result ?? [] }
})

const balanceOf = (contract: string, address: string): Request => ({
  contract,
  owner: address,
  selector: "balanceOf(address)",
  parameter: word(hexOf(address).slice(2))
})

const balanceIn = (request: Request, answer: typeof ConstantCall.Type) =>
  Effect.flatMap(resultOf(request, answer), ({ words: [balance] }) =>
    balance?.length === 64
      ? Effect.succeed(BigInt(`0x${balance}`))
      : Effect.fail(new ChainUnavailable({ reason: "the token's contract returned no balance" }))
  ).pipe(Effect.catchTag("TokenRefusal", ({ reason }) => Effect.fail(new ChainUnavailable({ reason }))))

/** The final balance in 10⁻⁶ USDT, as of block `since` or a later one. */
export const tokenBalance = (nodes: Nodes, contract: string, address: string, since = 0) => {
  const request = balanceOf(contract, address)
  return Effect.flatMap(askSince(nodes, "walletsolidity", since, method, bodyOf(request), ConstantCall), (answer) =>
    balanceIn(request, answer)
  )
}

/** The same, as one node reports it. */
export const tokenBalanceOn = (node: Node, contract: string, address: string) => {
  const request = balanceOf(contract, address)
  return Effect.flatMap(askFinal(node, method, bodyOf(request), ConstantCall), (answer) => balanceIn(request, answer))
}

/** The name that a token gives itself: the string that its contract returns, unchanged, or nothing. */
export const tokenSymbol = (nodes: Nodes, contract: string) => {
  const request: Request = { contract, owner: contract, selector: "symbol()", parameter: "" }
  return Effect.flatMap(askSince(nodes, "wallet", 0, method, bodyOf(request), ConstantCall), (answer) =>
    Effect.map(resultOf(request, answer), ({ words: [returned = ""] }) => {
      const bytes = Buffer.from(returned.slice(0, 1024), "hex")
      // A string is its offset, its length and its bytes; old tokens return 32 bytes.
      return bytes.subarray(bytes.length > 64 ? 64 : 0).toString("latin1")
    })
  )
}

/** The energy that a transfer would use now. Fails if the transfer would fail. */
export const transferEnergy = (nodes: Nodes, contract: string, from: string, to: string, amount: bigint) => {
  const request: Request = {
    contract,
    owner: from,
    selector: "transfer(address,uint256)",
    parameter: word(hexOf(to).slice(2)) + word(amount.toString(16))
  }
  return Effect.flatMap(askSince(nodes, "wallet", 0, method, bodyOf(request), ConstantCall), (answer) =>
    Effect.map(resultOf(request, answer), ({ energy }) => energy)
  )
}

/**
 * Why the token refuses any payment from one address to another now: it is paused, or one of them is blacklisted. Simulates a transfer of
 * nothing, so that the sender's balance does not matter. Null if it would succeed.
 */
export const transferRefusal = (nodes: Nodes, contract: string, from: string, to: string) =>
  transferEnergy(nodes, contract, from, to, 0n).pipe(
    Effect.as(null),
    Effect.catchTag("TokenRefusal", ({ reason }) => Effect.succeed(reason))
  )
