/** What a release needs, by kind; each list is sorted (INSTALL-16). */
export interface NeededCapabilities {
  readonly tools: ReadonlyArray<string>
  readonly hosts: ReadonlyArray<string>
  readonly commands: ReadonlyArray<string>
  readonly paths: ReadonlyArray<string>
  readonly environment: ReadonlyArray<string>
}

const kinds = ["tools", "hosts", "commands", "paths", "environment"] as const

type Lists = NeededCapabilities

/** What is declared or used: both count, because a release may use more than it declares. */
export const neededOf = ({ declared, used }: { readonly declared: Lists; readonly used: Lists }): NeededCapabilities =>
  Object.fromEntries(
    kinds.map((kind) => [kind, [...new Set([...declared[kind], ...used[kind]])].toSorted()])
  ) as unknown as NeededCapabilities

export const isNeededCapabilities = (value: unknown): value is NeededCapabilities =>
  typeof value === "object" &&
  value !== null &&
  Object.keys(value).length === kinds.length &&
  kinds.every((kind) => {
    const list = (value as Readonly<Record<string, unknown>>)[kind]
    return Array.isArray(list) && list.every((entry) => typeof entry === "string")
  })

/** What `after` needs and `before` does not: `hosts api.example.com`. */
export const addedTo = (before: NeededCapabilities, after: NeededCapabilities): ReadonlyArray<string> =>
  kinds.flatMap((kind) =>
    after[kind].filter((entry) => !before[kind].includes(entry)).map((entry) => `${kind} ${entry}`)
  )
