/** The requests of Vendure's shop API. */
import type { Answer, Shop } from "./flow.ts"
import { request } from "./flow.ts"

interface Result {
  readonly data?: Readonly<Record<string, { readonly __typename?: string; readonly state?: string } | null>>
  readonly errors?: ReadonlyArray<{ readonly message: string }>
}

const detailQuery = `query ($slug: String!) { product(slug: $slug) { id name slug description variants { id name sku priceWithTax currencyCode stockLevel } } }`

const listQuery = `{ products(options: { take: 50 }) { totalItems items { id name slug description variants { priceWithTax currencyCode } } } }`

/** The index of its search, which answers faster than its list of products. */
const searchQuery = `{ search(input: { groupByProduct: true, take: 50 }) { totalItems items { productId productName slug description currencyCode priceWithTax {
  ... on SinglePrice { value } ... on PriceRange { min max } } } } }`

const addItem = `mutation ($variant: ID!) { addItemToOrder(productVariantId: $variant, quantity: 1) { __typename } }`

/** The rest of the checkout in one request; its mutations run one after the other. */
const checkOut = `mutation ($email: String!) {
  setCustomerForOrder(input: { firstName: "Ada", lastName: "Byron", emailAddress: $email }) { __typename }
  setOrderShippingAddress(input: { streetLine1: "Main street 1", city: "Vienna", postalCode: "1010", countryCode: "AT" }) { __typename }
  setOrderShippingMethod(shippingMethodId: ["1"]) { __typename }
  transitionOrderToState(state: "ArrangingPayment") { __typename }
  addPaymentToOrder(input: { method: "standard", metadata: {} }) { __typename ... on Order { state } }
}`

export const vendureShop = (port: number, products: number): Shop => {
  const send = async (query: string, variables: object, token?: string): Promise<Answer<Result>> => {
    const headers = token === undefined ? {} : { authorization: `Bearer ${token}` }
    const answer = await request<Result>(`http://127.0.0.1:${port}/shop-api`, headers, { query, variables })
    const [error] = answer.body.errors ?? []
    if (error !== undefined) throw new Error(error.message)
    return answer
  }
  return {
    detail: async (n) => {
      const { body } = await send(detailQuery, { slug: `product-${n % products}` })
      if ((body.data?.["product"] ?? null) === null) throw new Error("no such product")
    },
    list: async () => {
      await send(listQuery, {})
    },
    search: async () => {
      await send(searchQuery, {})
    },
    order: async (n) => {
      const { headers } = await send(addItem, { variant: String(1 + (n % products)) })
      const { body } = await send(
        checkOut,
        { email: `buyer-${n}@example.com` },
        headers.get("vendure-auth-token") ?? ""
      )
      if (body.data?.["addPaymentToOrder"]?.state !== "PaymentSettled") throw new Error(JSON.stringify(body.data))
    }
  }
}
