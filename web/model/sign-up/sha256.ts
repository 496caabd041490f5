/** SHA-256 of short ASCII texts. Browsers have their own only over HTTPS, and it is slower for very many short texts. */

/** The first 32 bits of the fractions of the roots of the first primes. */
function fractions(count: number, root: (n: number) => number): Uint32Array {
  const found: number[] = []
  for (let n = 2; found.length < count; n++) {
    const isPrime = !Array.from({ length: n - 2 }, (_, i) => i + 2).some((divisor) => n % divisor === 0)
    if (isPrime) found.push((root(n) % 1) * 2 ** 32)
  }
  return Uint32Array.from(found)
}
const START = fractions(8, Math.sqrt)
const ROUNDS = fractions(64, Math.cbrt)

const turned = (word: number, by: number): number => (word >>> by) | (word << (32 - by))

/** Returns the hash as eight words of 32 bits. */
export function sha256(text: string): Uint32Array {
  const blocks = Math.ceil((text.length + 9) / 64)
  const bytes = new Uint8Array(blocks * 64)
  for (let i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i)
  bytes[text.length] = 0x80
  const view = new DataView(bytes.buffer)
  view.setUint32(bytes.length - 4, text.length * 8)
  const hash = START.slice()
  const w = new Uint32Array(64)
  for (let block = 0; block < blocks; block++) {
    for (let i = 0; i < 16; i++) w[i] = view.getUint32(block * 64 + i * 4)
    for (let i = 16; i < 64; i++) {
      const [x, y] = [w[i - 15]!, w[i - 2]!]
      const s0 = turned(x, 7) ^ turned(x, 18) ^ (x >>> 3)
      const s1 = turned(y, 17) ^ turned(y, 19) ^ (y >>> 10)
      w[i] = w[i - 16]! + s0 + w[i - 7]! + s1
    }
    mix(hash, w)
  }
  return hash
}

function mix(hash: Uint32Array, w: Uint32Array): void {
  let a = hash[0]!
  let b = hash[1]!
  let c = hash[2]!
  let d = hash[3]!
  let e = hash[4]!
  let f = hash[5]!
  let g = hash[6]!
  let h = hash[7]!
  for (let i = 0; i < 64; i++) {
    const s1 = turned(e, 6) ^ turned(e, 11) ^ turned(e, 25)
    const t1 = (h + s1 + ((e & f) ^ (~e & g)) + ROUNDS[i]! + w[i]!) | 0
    const s0 = turned(a, 2) ^ turned(a, 13) ^ turned(a, 22)
    const t2 = (s0 + ((a & b) ^ (a & c) ^ (b & c))) | 0
    h = g
    g = f
    f = e
    e = (d + t1) | 0
    d = c
    c = b
    b = a
    a = (t1 + t2) | 0
  }
  for (const [i, word] of [a, b, c, d, e, f, g, h].entries()) hash[i] = hash[i]! + word
}
