const isLoopback = (hostname: string): boolean =>
  hostname === "localhost" ||
  hostname.endsWith(".localhost") ||
  hostname === "[::1]" ||
  /^127\.\d+\.\d+\.\d+$/.test(hostname)

/**
 * The page on which the owner decides about an approval (APPROVAL-9), by the market's address; undefined without an address. People cannot sign in
 * over plain HTTP unless the market is on a loopback name (SESSION-21), so then there is no such page.
 */
export const approvalAddress = (baseUrl: string | undefined, approvalId: string): string | undefined => {
  if (baseUrl === undefined) return undefined
  const { hostname, protocol } = new URL(baseUrl)
  if (protocol !== "https:" && !isLoopback(hostname)) return undefined
  return `${baseUrl.replace(/\/+$/, "")}/approvals/${encodeURIComponent(approvalId)}`
}
