export const median = (all: readonly number[]): number => [...all].sort((a, b) => a - b)[Math.floor(all.length / 2)]!

/** Formats the median with the smallest and the largest value. */
export function withRange(all: readonly number[], digits = 0): string {
  const [middle, least, most] = [median(all), Math.min(...all), Math.max(...all)].map((value) => value.toFixed(digits))
  return `${middle} (${least}–${most})`
}
