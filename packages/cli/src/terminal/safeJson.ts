/** What JSON leaves as it is, but a terminal may obey. */
const obeyed = /[\u007F-\u009F\u061C\u200E\u200F\u2028-\u202E\u2060-\u206F]/g

const escaped = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`

/** JSON that is harmless on a terminal, and the same when it is parsed. */
export const safeJson = (data: unknown, space?: number): string =>
  JSON.stringify(data, undefined, space).replace(obeyed, escaped)
