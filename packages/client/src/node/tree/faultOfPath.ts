/** The longest path, in characters, the deepest, and the longest name of a file or folder, in bytes: what every file system can hold. */
const longestPath = 200
const deepest = 32
const longestName = 200

/** Names that Windows treats as devices, whatever follows the first dot. */
const deviceName = /^(?:con|prn|aux|nul|conin\$|conout\$|com[0-9¹²³]|lpt[0-9¹²³])(?:\..*)?$/i

const faultOfName = (name: string): string | undefined => {
  if (name === "") return "has an empty part"
  if (name === "." || name === "..") return `has a part ${name}`
  if (/[ .]$/.test(name)) return "has a part that ends in a dot or a blank"
  if (new TextEncoder().encode(name).length > longestName) return `has a part of more than ${longestName} bytes`
  if (deviceName.test(name.replace(/ +(?=\.|$)/g, ""))) return "has the name of a Windows device"
  // Running git in a folder with a .git directory runs its hooks; git~1 is its short name on Windows.
  return /^(?:\.git|git~1)$/i.test(name) ? "is inside a .git folder" : undefined
}

/**
 * Why a relative path from outside, with parts separated by `/`, cannot be the path of an installed file; undefined if it can. An accepted
 * path stays inside the folder on Linux, macOS and Windows, and means the same file on each.
 */
export const faultOfPath = (path: string): string | undefined => {
  if (path === "") return "is empty"
  if (/[\p{Cc}\p{Cf}\p{Cs}]/u.test(path)) return "has a character that cannot be shown"
  if (path.includes("\\")) return "has a backslash"
  if (path.startsWith("/") || /^[a-z]:/i.test(path)) return "is absolute"
  if (/[<>:"|?*]/.test(path)) return 'has one of < > : " | ? *'
  if (path.length > longestPath) return `is longer than ${longestPath} characters`
  const names = path.split("/")
  if (names.length > deepest) return `is deeper than ${deepest} folders`
  return names.map(faultOfName).find((fault) => fault !== undefined)
}
