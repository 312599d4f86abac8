/** Whether a text can be a market's base URL: http or https, without user, query and fragment. */
export const isMarketUrl = (text: unknown): boolean => {
  if (typeof text !== "string" || /[?#]/.test(text)) return false
  try {
    const { password, protocol, username } = new URL(text)
    return /^https?:$/.test(protocol) && username + password === ""
  } catch {
    return false
  }
}
