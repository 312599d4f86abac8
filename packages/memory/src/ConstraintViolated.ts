/** What PostgreSQL's constraints refuse: a fault of the caller's rules, never an answer to somebody. Nothing was written. */
export class ConstraintViolated extends Error {
  readonly constraint: string

  constructor(constraint: string, detail: string) {
    super(`${constraint}: ${detail}`)
    this.name = "ConstraintViolated"
    this.constraint = constraint
  }
}
