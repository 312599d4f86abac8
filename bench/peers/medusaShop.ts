/** The requests of Medusa's store API. */
import type { Shop } from "./flow.ts"
import { request } from "./flow.ts"

/** What `medusaSeed.cjs` writes. */
export interface Seeded {
  readonly key: string
  readonly region: string
  readonly channel: string
  readonly option: string
  readonly products: ReadonlyArray<{ readonly id: string; readonly variant: string }>
}

export const medusaShop = (port: number, { channel, key, option, products, region }: Seeded): Shop => {
  const send = async <A>(path: string, body?: object): Promise<A> =>
    (await request<A>(`http://127.0.0.1:${port}/store/${path}`, { "x-publishable-api-key": key }, body)).body
  const productOf = (n: number) => products[n % products.length] ?? { id: "", variant: "" }
  return {
    detail: async (n) => {
      await send(`products/${productOf(n).id}?region_id=${region}`)
    },
    list: async () => {
      await send(`products?limit=50&region_id=${region}`)
    },
    order: async (n) => {
      const { cart } = await send<{ readonly cart: { readonly id: string } }>("carts", {
        region_id: region,
        sales_channel_id: channel,
        email: `buyer-${n}@example.com`,
        shipping_address: {
          first_name: "Ada",
          last_name: "Byron",
          address_1: "Main street 1",
          city: "Vienna",
          postal_code: "1010",
          country_code: "at"
        },
        items: [{ variant_id: productOf(n).variant, quantity: 1 }]
      })
      await send(`carts/${cart.id}/shipping-methods`, { option_id: option })
      const { payment_collection: payment } = await send<{ readonly payment_collection: { readonly id: string } }>(
        "payment-collections",
        { cart_id: cart.id }
      )
      await send(`payment-collections/${payment.id}/payment-sessions`, { provider_id: "pp_system_default" })
      const { type } = await send<{ readonly type: string }>(`carts/${cart.id}/complete`, {})
      if (type !== "order") throw new Error(`the cart became ${type}`)
    }
  }
}
