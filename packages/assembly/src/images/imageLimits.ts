/** Bounds of an uploaded picture in pixels (IMAGE-3). */
export const imageLimits = { minSide: 64, maxSide: 10_000, maxPixels: 24_000_000 } as const

/** How long the process of one picture may take, in milliseconds (IMAGE-4). */
export const imagePatience = 15_000
