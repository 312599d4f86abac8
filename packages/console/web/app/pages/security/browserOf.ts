const browsers = [
  ["Edg/", "Edge"],
  ["OPR/", "Opera"],
  ["Firefox/", "Firefox"],
  ["Chrome/", "Chrome"],
  ["Safari/", "Safari"]
] as const

const systems = [
  ["iPhone", "iPhone"],
  ["iPad", "iPad"],
  ["Android", "Android"],
  ["Windows", "Windows"],
  ["Mac OS X", "macOS"],
  ["Linux", "Linux"]
] as const

/** What a person calls a browser, such as "Firefox on Windows" (CONSOLE-74). An unknown one keeps the name that it sends. */
export const browserOf = (userAgent: string | null): string => {
  if (userAgent === null || userAgent === "") return "A browser without a name"
  const named = (names: ReadonlyArray<readonly [part: string, name: string]>) =>
    names.find(([part]) => userAgent.includes(part))?.[1]
  const browser = named(browsers)
  const system = named(systems)
  if (browser === undefined) return userAgent
  return system === undefined ? browser : `${browser} on ${system}`
}
