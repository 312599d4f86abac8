import { toCreatorProfile } from "@agent-marketplace/api/catalogue/CatalogueGroup"
import { toEnvelope, toPage } from "@agent-marketplace/api/wire/Envelope"
import { Catalogue } from "@agent-marketplace/core/catalogue/Catalogue"
import { Effect } from "effect"
import { handlerGroup } from "../edge/RequestServices.ts"
import { pageOf } from "../paging/PageOf.ts"
import { ServedApi } from "../ServedApi.ts"

/** Categories and creators over HTTP (CATEGORY-1, CREATOR-1). */
export const CatalogueHandlers = handlerGroup(
  ServedApi,
  "catalogue",
  Effect.fnUntraced(function* (handlers) {
    const catalogue = yield* Catalogue
    return handlers.handleAll({
      categories: Effect.fnUntraced(function* ({ query }) {
        const page = pageOf(query)
        const all = yield* catalogue.categories
        const start = (page.page - 1) * page.limit
        return toPage(all.slice(start, start + page.limit), page, all.length)
      }),
      creator: Effect.fnUntraced(function* ({ params }) {
        return toEnvelope(toCreatorProfile(yield* catalogue.creator(params.id)))
      })
    })
  })
)
