/**
 * Where webhooks may go: to public addresses over HTTPS; to this machine's loopback addresses too, over plain HTTP as well (WEBHOOK-11);
 * or anywhere (WEBHOOK-10).
 */
export type TargetAccess = "public" | "loopback" | "any"
