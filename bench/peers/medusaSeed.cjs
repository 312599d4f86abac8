/** `medusa exec` runs this in an empty shop: a region, a way of delivery and products. Writes the ids that the store API needs. */
const { writeFileSync } = require("node:fs")
const { join } = require("node:path")
const { createRequire } = require("node:module")

const load = createRequire(join(process.env.PEER_FOLDER, "package.json"))
const flows = load("@medusajs/medusa/core-flows")
const { ContainerRegistrationKeys, Modules } = load("@medusajs/framework/utils")

const run = async (workflow, container, input) => (await workflow(container).run({ input })).result

module.exports.default = async ({ container }) => {
  const link = container.resolve(ContainerRegistrationKeys.LINK)
  const [channel] = await run(flows.createSalesChannelsWorkflow, container, { salesChannelsData: [{ name: "Shop" }] })
  const [key] = await run(flows.createApiKeysWorkflow, container, {
    api_keys: [{ title: "Shop", type: "publishable", created_by: "" }]
  })
  await run(flows.linkSalesChannelsToApiKeyWorkflow, container, { id: key.id, add: [channel.id] })
  const [region] = await run(flows.createRegionsWorkflow, container, {
    regions: [{ name: "Europe", currency_code: "eur", countries: ["at"], payment_providers: ["pp_system_default"] }]
  })
  await run(flows.createTaxRegionsWorkflow, container, [{ country_code: "at", provider_id: "tp_system" }])
  const [location] = await run(flows.createStockLocationsWorkflow, container, {
    locations: [{ name: "Shop", address: { city: "Vienna", country_code: "AT", address_1: "Main street 1" } }]
  })
  const place = { [Modules.STOCK_LOCATION]: { stock_location_id: location.id } }
  await link.create({ ...place, [Modules.FULFILLMENT]: { fulfillment_provider_id: "manual_manual" } })
  const [profile] = await run(flows.createShippingProfilesWorkflow, container, {
    data: [{ name: "Standard", type: "default" }]
  })
  const zones = await container.resolve(Modules.FULFILLMENT).createFulfillmentSets({
    name: "Delivery",
    type: "shipping",
    service_zones: [{ name: "Austria", geo_zones: [{ country_code: "at", type: "country" }] }]
  })
  await link.create({ ...place, [Modules.FULFILLMENT]: { fulfillment_set_id: zones.id } })
  const [option] = await run(flows.createShippingOptionsWorkflow, container, [
    {
      name: "Standard",
      price_type: "flat",
      provider_id: "manual_manual",
      service_zone_id: zones.service_zones[0].id,
      shipping_profile_id: profile.id,
      type: { label: "Standard", description: "Standard", code: "standard" },
      prices: [{ currency_code: "eur", amount: 0 }],
      rules: [
        { attribute: "enabled_in_store", value: "true", operator: "eq" },
        { attribute: "is_return", value: "false", operator: "eq" }
      ]
    }
  ])
  await run(flows.linkSalesChannelsToStockLocationWorkflow, container, { id: location.id, add: [channel.id] })
  const products = []
  const count = Number(process.env.PRODUCTS)
  for (let from = 0; from < count; from += 100) {
    const more = await run(flows.createProductsWorkflow, container, {
      products: Array.from({ length: Math.min(100, count - from) }, (_, i) => ({
        title: `Product ${from + i}`,
        handle: `product-${from + i}`,
        description: "Does one thing and does it well.",
        status: "published",
        shipping_profile_id: profile.id,
        options: [{ title: "Kind", values: ["One"] }],
        variants: [
          {
            title: "One",
            sku: `SKU-${from + i}`,
            options: { Kind: "One" },
            manage_inventory: false,
            prices: [{ currency_code: "eur", amount: 5 }]
          }
        ],
        sales_channels: [{ id: channel.id }]
      }))
    })
    products.push(...more.map(({ id, variants }) => ({ id, variant: variants[0].id })))
  }
  const seeded = { key: key.token, region: region.id, channel: channel.id, option: option.id, products }
  writeFileSync(join(process.env.PEER_FOLDER, "seeded.json"), JSON.stringify(seeded))
}
