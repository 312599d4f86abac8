/** A violated rule that PostgreSQL would enforce with a constraint. It is a bug of the caller, not an expected error. Nothing was written. */
export class ConstraintViolated extends Error {
  readonly constraint: string

  constructor(constraint: string, detail: string) {
    super(`${constraint}: ${detail}`)
    this.name = "ConstraintViolated"
    this.constraint = constraint
  }
}
