import type { Concept } from "./concepts.ts"
import { conceptIndex } from "./concepts.ts"
import type { Hits } from "./matchWords.ts"

export const addHit = (hits: Hits, concept: Concept, start: number, end: number): void =>
  void hits.push({ concept: conceptIndex(concept), start, end })
