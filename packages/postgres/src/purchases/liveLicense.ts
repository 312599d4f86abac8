/** SQL for whether the buyer holds a valid license for the item now, from SQL for the two ids. */
export const liveLicense = (buyer: string, item: string): string => `EXISTS (
    SELECT FROM entitlements JOIN purchases ON purchases.id = entitlements.purchase_id AND purchases.buyer_id = entitlements.buyer_id
    WHERE entitlements.buyer_id = ${buyer} AND entitlements.item_id = ${item} AND entitlements.state = 'owned'
      AND purchases.status = 'completed' AND (purchases.expires_at IS NULL OR purchases.expires_at > market_now())
  )`
