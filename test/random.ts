import { randomFrom } from '../bench/words.ts'

/** Repeatable numbers in [0, 1): the same seed gives the same sequence, so that a failure can be reproduced. */
export const seeded = randomFrom

export const picker =
  (random: () => number) =>
  <T>(list: readonly T[]): T =>
    list[Math.floor(random() * list.length)]!

/** Integers from 0 up to, and not including, `sides`. */
export type Dice = (sides: number) => number

export function dice(seed: number): Dice {
  const random = seeded(seed)
  return (sides) => Math.floor(random() * sides)
}
