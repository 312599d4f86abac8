/** Runs Vendure as a process: `PEER_FOLDER` contains its packages, `DATABASE_URL` names an empty database. Sends its port's readiness to its parent. */
import { writeFileSync } from "node:fs"
import { createRequire } from "node:module"
import { join } from "node:path"

/** The parts of the packages that are used. */
interface Core {
  readonly bootstrap: (config: unknown) => Promise<App>
  readonly dummyPaymentHandler: { readonly code: string }
  readonly JobQueueService: unknown
  readonly SearchService: unknown
  readonly RequestContextService: unknown
  readonly DefaultSearchPlugin: { readonly init: (options: object) => unknown }
  readonly DefaultLogger: new (options: { readonly level: number }) => unknown
}

interface App {
  readonly get: (service: unknown) => {
    readonly start: () => Promise<void>
    readonly create: (options: object) => Promise<unknown>
    readonly reindex: (context: unknown) => Promise<unknown>
  }
}

type Populate = (start: () => Promise<App>, initial: object, products: string) => Promise<App>

const environment = (name: string): string => process.env[name] ?? ""

const folder = environment("PEER_FOLDER")
const load = createRequire(join(folder, "package.json"))
const core = load("@vendure/core") as Core
const { populate } = load("@vendure/core/cli") as { readonly populate: Populate }

const database = new URL(environment("DATABASE_URL"))

const config = {
  apiOptions: {
    port: Number(environment("PORT")),
    hostname: "127.0.0.1",
    shopApiPath: "shop-api",
    adminApiPath: "admin-api"
  },
  authOptions: {
    tokenMethod: "bearer",
    requireVerification: false,
    superadminCredentials: { identifier: "benchmark", password: "benchmark-of-shops" }
  },
  dbConnectionOptions: {
    type: "postgres",
    synchronize: true,
    logging: false,
    host: database.hostname,
    port: Number(database.port),
    username: decodeURIComponent(database.username),
    password: decodeURIComponent(database.password),
    database: database.pathname.slice(1)
  },
  paymentOptions: { paymentMethodHandlers: [core.dummyPaymentHandler] },
  importExportOptions: { importAssetsDir: folder },
  logger: new core.DefaultLogger({ level: 0 }),
  plugins: [core.DefaultSearchPlugin.init({ bufferUpdates: false })]
}

const initial = {
  defaultLanguage: "en",
  defaultZone: "Europe",
  countries: [{ name: "Austria", code: "AT", zone: "Europe" }],
  taxRates: [{ name: "Standard", percentage: 20 }],
  shippingMethods: [{ name: "Standard", price: 0 }],
  paymentMethods: [
    {
      name: "Standard",
      handler: { code: core.dummyPaymentHandler.code, arguments: [{ name: "automaticSettle", value: "true" }] }
    }
  ],
  collections: []
}

const columns =
  "name,slug,description,assets,facets,optionGroups,optionValues,sku,price,taxCategory,stockOnHand,trackInventory,variantAssets,variantFacets"

const products = join(folder, "products.csv")
writeFileSync(
  products,
  [
    columns,
    ...Array.from(
      { length: Number(environment("PRODUCTS")) },
      (_, n) => `Product ${n},product-${n},Does one thing and does it well.,,,,,SKU-${n},5.00,Standard,1000000,false,,`
    ),
    ""
  ].join("\n")
)

const app = await populate(() => core.bootstrap(config), initial, products)
await app.get(core.JobQueueService).start()
await app.get(core.SearchService).reindex(await app.get(core.RequestContextService).create({ apiType: "admin" }))
process.send?.("ready")
process.on("disconnect", () => process.exit())
