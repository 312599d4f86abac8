import { erasedName } from "@agent-marketplace/core/identity/Erasure"

/** A string field of stored JSON text, whatever its value: a name may have been changed since. */
const stringField = (name: string): string => `"${name}":"(?:[^"\\\\]|\\\\.)*"`

export const withField = (column: string, name: string, value: string): string =>
  `regexp_replace(${column}, '${stringField(name)}', '"${name}":${value}', 'g')`

export const withErasedName = (column: string, name: string): string => withField(column, name, `"${erasedName}"`)

/** The item of a stored result of an Idempotency-Key. */
export const itemOfResult = `substring(result FROM '"item":\\{"id":"([^"]+)"')`

/** Most of the time there is none, and the records are read as they are. */
const someUnfinished = "(SELECT EXISTS (SELECT FROM unfinished_erasures))"

/** Whether records of `account` are still to be rewritten. */
export const isUnfinished = (account: string): string =>
  `${someUnfinished} AND ${account} IN (SELECT account_id FROM unfinished_erasures)`

/** `column`, or the name of erased accounts if `account` is one whose records are still being rewritten (ACCOUNT-13). */
const nameUnlessErased = (column: string, account: string): string =>
  `CASE WHEN ${isUnfinished(account)} THEN '${erasedName}' ELSE ${column} END`

/** Replaces the column of the creator's name in a list of columns; `seller` is SQL for the creator's account. */
export const withPresentCreator = (columns: string, seller: string): string =>
  columns.replace(/\bitem_creator\b/, `${nameUnlessErased("item_creator", seller)} AS item_creator`)

/** Replaces the column of the label that the buyer gave to a purchase. */
export const withPresentLabel = (columns: string): string =>
  columns.replace(/\btracking_id\b/, `CASE WHEN NOT (${isUnfinished("buyer_id")}) THEN tracking_id END AS tracking_id`)

/** The same for the name of a review's author. */
export const withPresentAuthor = (columns: string): string =>
  columns.replace(/\bauthor\b/, `${nameUnlessErased("author", "author_id")} AS author`)

/** A stored result of an Idempotency-Key, without the name of an account whose records are still being rewritten. */
export const presentResult = `CASE WHEN ${someUnfinished} AND EXISTS (
    SELECT FROM unfinished_erasures JOIN souls ON author_id = account_id WHERE id = ${itemOfResult}
    UNION ALL SELECT FROM unfinished_erasures JOIN listings ON creator_id = account_id WHERE id = ${itemOfResult}
  ) THEN ${withErasedName("result", "creator")} ELSE result END`

/** Whether an item in `item_stats` is still in the lists. The facets of an erased account's items are gone before their statistics are rewritten. */
export const isStillListed = (facets: string, item: string): string =>
  `(NOT ${someUnfinished} OR EXISTS (SELECT FROM ${facets} AS kept WHERE kept.item_id = ${item} OFFSET 0))`
