import type { SlugRequest } from "@agent-marketplace/core/slugs/Slug"
import { Slug } from "@agent-marketplace/core/slugs/Slug"

/** The slugs that were given, for ever: none is given twice. */
export class SlugRegister {
  private readonly given = new Set<string>()
  /** The suffix from which to look: all before it are taken, so that many items of one name stay cheap. */
  private readonly next = new Map<string, number>()

  /** The base, or the base with the first free suffix from 2; nobody gets it again. */
  take({ base, reserved }: SlugRequest): string {
    const slug = reserved || this.given.has(base) ? this.suffixed(base) : base
    this.given.add(slug)
    return slug
  }

  private suffixed(base: string): string {
    let suffix = this.next.get(base) ?? 2
    while (this.given.has(Slug.withSuffix(base, suffix))) suffix++
    this.next.set(base, suffix + 1)
    return Slug.withSuffix(base, suffix)
  }
}
