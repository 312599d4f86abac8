import type { Configuration } from "./Configuration.ts"

/**
 * Where webhooks may go: anywhere with `WEBHOOK_ALLOW_PRIVATE`, to loopback addresses too on the simulated chain outside of production
 * (WEBHOOK-11), else to public addresses only.
 */
export const webhookAccess = ({
  production,
  tron,
  webhookAllowPrivate
}: Pick<Configuration, "production" | "tron" | "webhookAllowPrivate">): "any" | "loopback" | "public" => {
  if (webhookAllowPrivate) return "any"
  return tron === undefined && !production ? "loopback" : "public"
}
