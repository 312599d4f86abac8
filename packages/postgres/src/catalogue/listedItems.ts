/** The items that everybody can see. */
const listed = {
  listings: "status = 'approved' AND NOT withheld AND NOT quarantined",
  souls: "visibility = 'public' AND NOT deleted AND suspension IS NULL AND NOT withheld AND NOT quarantined"
}

/** SQL for whether everybody can see the item with this id. */
export const eachListed = (id: string): string =>
  `(${Object.entries(listed)
    .map(([table, condition]) => `EXISTS (SELECT FROM ${table} WHERE ${table}.id = ${id} AND ${condition})`)
    .join(" OR ")})`
