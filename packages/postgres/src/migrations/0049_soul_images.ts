/** Pictures of souls, beside those of listings. */
export const soulImages: ReadonlyArray<string> = [
  `ALTER TABLE item_images DROP CONSTRAINT item_images_item_id_fkey`,
  `ALTER TABLE souls ADD COLUMN thumbnail_url text`
]
