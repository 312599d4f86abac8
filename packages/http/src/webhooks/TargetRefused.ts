/** Why a URL is not a place that webhooks may go to. The message names no address that a name resolved to. */
export class TargetRefused extends Error {
  override readonly name = "TargetRefused"
}
