/** A small repeatable random number generator (mulberry32). */
export function randomFrom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296
  }
}

/** Words distributed as in natural languages: a few very common ones, many rare ones. */
export function vocabulary(random: () => number, size: number): string[] {
  const syllables =
    'ba be bi bo da de di do fa fe ga go ha ka ke ki la le lo ma me mi mo na ne no pa pe ra re ri ro sa se si so ta te ti to va ve wa we ya zo'
  const list = syllables.split(' ')
  const words = new Set<string>()
  while (words.size < size) {
    let word = ''
    const length = 1 + Math.floor(random() * 3.4)
    for (let i = 0; i < length; i++) word += list[Math.floor(random() * list.length)]
    words.add(word + 'nrstlm'.charAt(Math.floor(random() * 9)))
  }
  return [...words]
}
