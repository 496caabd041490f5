import { sha256 } from './sha256.ts'

interface Challenge {
  challenge: string
  salt: string
  max: number
}

/** Hashes between two looks whether the page has something else to do: a few milliseconds. */
const SLICE = 1000

/** Returns the number whose hash with the salt is the challenge. The page stays usable. */
export async function solve({ challenge, salt, max }: Challenge): Promise<number> {
  const wanted = Number.parseInt(challenge.slice(0, 8), 16)
  for (let number = 0; number <= max; number++) {
    const hash = sha256(salt + number)
    if (hash[0] === wanted && hexOf(hash) === challenge) return number
    if (number % SLICE === SLICE - 1) await new Promise((resolve) => setTimeout(resolve, 0))
  }
  throw new Error('the challenge has no solution')
}

const hexOf = (hash: Uint32Array): string => [...hash].map((word) => word.toString(16).padStart(8, '0')).join('')
