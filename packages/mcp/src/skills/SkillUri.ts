/** The address of a file of a skill: `skill://<listing id>/<name>/<path>` (MCP-16). */
export interface SkillUri {
  readonly itemId: string
  /** The name in `SKILL.md`, as the last part of the skill's folder must be. */
  readonly name: string
  readonly path: string
}

const form = /^skill:\/\/(lst_[A-Za-z0-9_-]{1,100})\/([a-z0-9-]{1,64})\/(.+)$/

const decoded = (path: string): string | undefined => {
  try {
    return decodeURIComponent(path)
  } catch {
    return undefined
  }
}

export const SkillUri = {
  /** Undefined if it is no address of a skill's file. */
  read: (uri: string): SkillUri | undefined => {
    const [, itemId, name, encoded] = form.exec(uri) ?? []
    const path = encoded === undefined ? undefined : decoded(encoded)
    return itemId === undefined || name === undefined || path === undefined ? undefined : { itemId, name, path }
  },
  of: ({ itemId, name, path }: SkillUri): string =>
    `skill://${itemId}/${name}/${path.split("/").map(encodeURIComponent).join("/")}`
} as const
