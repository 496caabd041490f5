const FIRST_SIZE = 1 << 16

interface Seen {
  /** Returns whether it is new. */
  add(text: string): boolean
  has(text: string): boolean
}

/**
 * A set of texts that keeps 64 bits of each: millions fit into little memory. The chance that it takes one text of five million
 * for another is one in a million.
 */
export function createSeen(): Seen {
  let size = FIRST_SIZE
  let slots = new Uint32Array(2 * size)
  let count = 0

  function place(low: number, high: number, into: Uint32Array, length: number): boolean {
    let at = low % length
    for (;;) {
      const [first, second] = [into[2 * at]!, into[2 * at + 1]!]
      if (first === 0 && second === 0) break
      if (first === low && second === high) return false
      at = (at + 1) % length
    }
    into[2 * at] = low
    into[2 * at + 1] = high
    return true
  }

  function grow(): void {
    const next = new Uint32Array(4 * size)
    for (let at = 0; at < size; at++) {
      const [low, high] = [slots[2 * at]!, slots[2 * at + 1]!]
      if (low !== 0 || high !== 0) place(low, high, next, 2 * size)
    }
    slots = next
    size *= 2
  }

  return {
    add(text) {
      const [low, high] = hashOf(text)
      const isNew = place(low, high, slots, size)
      if (isNew && ++count > size / 2) grow()
      return isNew
    },
    has(text) {
      const [low, high] = hashOf(text)
      for (let at = low % size; ; at = (at + 1) % size) {
        const [first, second] = [slots[2 * at]!, slots[2 * at + 1]!]
        if (first === 0 && second === 0) return false
        if (first === low && second === high) return true
      }
    },
  }
}

/** Two numbers that are not 0 together. */
function hashOf(text: string): [low: number, high: number] {
  let low = 0x811c9dc5
  let high = 0x9747b28c
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    low = Math.imul(low ^ code, 0x01000193)
    high = Math.imul(high ^ code, 0x5bd1e995)
    high ^= high >>> 13
  }
  return [(low | 1) >>> 0, high >>> 0]
}
