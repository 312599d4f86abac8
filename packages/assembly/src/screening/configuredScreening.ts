import { combinedScreening } from "@agent-marketplace/core/screening/combinedScreening"
import { Screening } from "@agent-marketplace/core/screening/Screening"
import { httpScreening } from "@agent-marketplace/delivery/screening/httpScreening"
import type { ScreeningConfiguration } from "@agent-marketplace/settings/ScreeningConfiguration"
import { Layer } from "effect"
import { denyListScreening } from "./denyListScreening.ts"

/** The screening of a configuration: deny lists first, then the service, then what the embedding program adds (SCREENING-1). */
export const configuredScreening = (
  { denyLists, service }: ScreeningConfiguration,
  further: ReadonlyArray<Screening["Service"]> = []
): Layer.Layer<Screening> => {
  const all = [
    ...denyLists.map(denyListScreening),
    ...(service === undefined ? [] : [httpScreening(service)]),
    ...further
  ]
  return all.length === 0 ? Screening.none : Layer.succeed(Screening, combinedScreening(all))
}
