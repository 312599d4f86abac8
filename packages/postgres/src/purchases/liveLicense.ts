/** Whether the buyer holds a licence for the item that counts now: SQL, from SQL for the two ids. */
export const liveLicense = (buyer: string, item: string): string => `EXISTS (
    SELECT FROM holdings JOIN purchases ON purchases.id = holdings.purchase_id
    WHERE holdings.buyer_id = ${buyer} AND holdings.item_id = ${item} AND holdings.state = 'owned'
      AND purchases.status = 'completed' AND (purchases.expires_at IS NULL OR purchases.expires_at > market_now())
  )`
