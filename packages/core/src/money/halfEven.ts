/** A quotient rounded to the nearest integer, a half to the even one. The numerator is not negative, the denominator above zero. */
export const halfEven = (numerator: bigint, denominator: bigint): bigint => {
  const floor = numerator / denominator
  const twice = (numerator % denominator) * 2n
  return twice > denominator || (twice === denominator && floor % 2n === 1n) ? floor + 1n : floor
}
