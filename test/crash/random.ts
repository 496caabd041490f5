/** Random numbers from a seed, so that a failure can be reproduced (as far as the clock allows). */
export type Dice = (sides: number) => number

export function dice(seed: number): Dice {
  let state = seed >>> 0
  return (sides) => {
    // mulberry32
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) % sides
  }
}
