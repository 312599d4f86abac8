/** SQL for whether the buyer holds or held a license for the item, from SQL for the two ids (ADVISORY-7). */
export const everLicensed = (buyer: string, item: string): string => `EXISTS (
    SELECT FROM purchases
    WHERE purchases.buyer_id = ${buyer} AND purchases.item_id = ${item} AND purchases.status IN ('completed', 'refunded')
  )`
