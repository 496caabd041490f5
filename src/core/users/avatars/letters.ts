import type { Point, Shape } from '../../files/images/draw.ts'

/**
 * Capitals and digits as lines of a pen, 20 high, which need no font. M, L and C are SVG's; Q is
 * a quarter of an ellipse that turns around a corner: "Q18 0 18 10". Other scripts' letters of the same form are in `same`.
 */
const lines: Readonly<Record<string, string>> = {
  A: 'M0 20L8 0L16 20M2.8 13L13.2 13',
  B: 'M0 9.6L7 9.6Q12 9.6 12 4.8Q12 0 7 0L0 0L0 20L7 20Q13 20 13 14.8Q13 9.6 7 9.6',
  C: 'M15.7 3.5C14 1.3 11.8 0 9.3 0Q0 0 0 10Q0 20 9.3 20C11.8 20 14 18.7 15.7 16.5',
  D: 'M0 0L6 0Q15.5 0 15.5 10Q15.5 20 6 20L0 20L0 0',
  E: 'M11 0L0 0L0 20L11 20M0 9.7L10 9.7',
  F: 'M11 0L0 0L0 20M0 10L10 10',
  G: 'M15.7 3.5C14 1.3 11.8 0 9.3 0Q0 0 0 10Q0 20 9.3 20Q16.5 20 16.5 11L10 11',
  H: 'M0 0L0 20M14 0L14 20M0 10L14 10',
  I: 'M0 0L0 20',
  J: 'M10 0L10 14.5Q10 20 5 20Q0 20 0 14.5',
  K: 'M0 0L0 20M13 0L0 12.5M5 7.7L13.5 20',
  L: 'M0 0L0 20L11 20',
  M: 'M0 20L0 0L9 14L18 0L18 20',
  N: 'M0 20L0 0L14 20L14 0',
  O: 'M9 0Q18 0 18 10Q18 20 9 20Q0 20 0 10Q0 0 9 0',
  P: 'M0 20L0 0L7 0Q13 0 13 5.6Q13 11.2 7 11.2L0 11.2',
  Q: 'M9 0Q18 0 18 10Q18 20 9 20Q0 20 0 10Q0 0 9 0M11.5 14.5L18 21',
  R: 'M0 20L0 0L7 0Q13 0 13 5.6Q13 11.2 7 11.2L0 11.2M7 11.2L13.5 20',
  S: 'M12.4 4.2C11.4 1.6 9.3 0 6.6 0C3.2 0 .7 2 .7 5C.7 8.6 4 9.3 6.7 10C9.6 10.7 13 11.5 13 15C13 18 10.4 20 6.8 20C3.5 20 1 18.3 0 15.4',
  T: 'M0 0L14 0M7 0L7 20',
  U: 'M0 0L0 13Q0 20 7 20Q14 20 14 13L14 0',
  V: 'M0 0L8 20L16 0',
  W: 'M0 0L5.5 20L11 2L16.5 20L22 0',
  X: 'M0 0L14 20M14 0L0 20',
  Y: 'M0 0L7.5 10.5L15 0M7.5 10.5L7.5 20',
  Z: 'M0 0L13 0L0 20L13 20',
  Æ: 'M0 20L9 0L20 0M10 0L10 20L20 20M10 9.7L19 9.7M4 13L10 13',
  Ø: 'M9 0Q18 0 18 10Q18 20 9 20Q0 20 0 10Q0 0 9 0M2.5 20L15.5 0',
  Œ: 'M22 0L9 0Q0 0 0 10Q0 20 9 20L22 20M12 0L12 20M12 9.7L21 9.7',
  Ð: 'M3 0L8 0Q17.5 0 17.5 10Q17.5 20 8 20L3 20L3 0M0 10L9 10',
  Ł: 'M2.5 0L2.5 20L13 20M0 12.5L8 7.5',
  Þ: 'M0 0L0 20M0 4.5L7 4.5Q13 4.5 13 9.8Q13 15 7 15L0 15',
  0: 'M6.5 0Q13 0 13 10Q13 20 6.5 20Q0 20 0 10Q0 0 6.5 0',
  1: 'M0 4L5 0L5 20',
  2: 'M.6 5.4C.6 2.2 3 0 6.3 0C9.6 0 12 2.1 12 5.3C12 9.2 9 11.6 0 20L12.6 20',
  3: 'M.8 3.8C1.8 1.4 3.8 0 6.3 0C9.6 0 11.9 2 11.9 4.8C11.9 7.7 9.6 9.5 5.2 9.5C9.8 9.5 12.6 11.5 12.6 14.7C12.6 17.9 9.9 20 6.3 20C3.2 20 1 18.5 0 15.8',
  4: 'M10 20L10 0L0 14L13.5 14',
  5: 'M11.3 0L2 0L1 9C2.3 7.9 4 7.3 6 7.3C9.8 7.3 12.4 9.9 12.4 13.5C12.4 17.3 9.7 20 6 20C3 20 1 18.5 0 16',
  6: 'M9 0C3.5 4.5 0 9 0 13.6Q0 20 6.3 20Q12.6 20 12.6 13.6Q12.6 7.2 6.3 7.2Q0 7.2 0 13.6',
  7: 'M0 0L12.5 0L4.5 20',
  8: 'M6.3 9.5Q11.6 9.5 11.6 4.75Q11.6 0 6.3 0Q1 0 1 4.75Q1 9.5 6.3 9.5Q12.6 9.5 12.6 14.75Q12.6 20 6.3 20Q0 20 0 14.75Q0 9.5 6.3 9.5',
  9: 'M3.6 20C9.1 15.5 12.6 11 12.6 6.4Q12.6 0 6.3 0Q0 0 0 6.4Q0 12.8 6.3 12.8Q12.6 12.8 12.6 6.4',
  Б: 'M11 0L0 0L0 20L7 20Q13 20 13 14.5Q13 9 7 9L0 9',
  Г: 'M11 0L0 0L0 20',
  Ґ: 'M11 -4L11 0L0 0L0 20',
  Д: 'M0 24L0 20L17 20L17 24M3 20C5.5 14 6 8 6 0L14 0L14 20',
  Ж: 'M10 0L10 20M0 0L10 10.5L20 0M0 20L10 10.5L20 20',
  И: 'M0 0L0 20L14 0L14 20',
  Л: 'M0 20C4.5 20 5 14 5 0L14 0L14 20',
  П: 'M0 20L0 0L14 0L14 20',
  У: 'M0 0L7.3 12M14 0L6 16.5C5 18.8 3.8 20 1.5 20',
  Ф: 'M9 -1L9 21M9 3Q18 3 18 10Q18 17 9 17Q0 17 0 10Q0 3 9 3',
  Ц: 'M0 0L0 20L16.5 20L16.5 24M14 0L14 20',
  Ч: 'M0 0L0 6Q0 11.5 6 11.5L13 11.5M13 0L13 20',
  Ш: 'M0 0L0 20L20 20L20 0M10 0L10 20',
  Щ: 'M0 0L0 20L22.5 20L22.5 24M10 0L10 20M20 0L20 20',
  Ъ: 'M0 0L4 0L4 20L10 20Q16 20 16 14.5Q16 9 10 9L4 9',
  Ы: 'M0 0L0 20L6 20Q12 20 12 14.5Q12 9 6 9L0 9M17 0L17 20',
  Ь: 'M0 0L0 20L7 20Q13 20 13 14.5Q13 9 7 9L0 9',
  Э: 'M0 3.5C1.7 1.3 3.9 0 6.4 0Q15.7 0 15.7 10Q15.7 20 6.4 20C3.9 20 1.7 18.7 0 16.5M6 10L15.7 10',
  Є: 'M15.7 3.5C14 1.3 11.8 0 9.3 0Q0 0 0 10Q0 20 9.3 20C11.8 20 14 18.7 15.7 16.5M0 10L9.7 10',
  Ю: 'M0 0L0 20M0 10L5 10M13 0Q21 0 21 10Q21 20 13 20Q5 20 5 10Q5 0 13 0',
  Я: 'M13 20L13 0L6 0Q0 0 0 5.6Q0 11.2 6 11.2L13 11.2M6 11.2L-.5 20',
  Δ: 'M8 0L16 20L0 20L8 0',
  Θ: 'M9 0Q18 0 18 10Q18 20 9 20Q0 20 0 10Q0 0 9 0M5 10L13 10',
  Λ: 'M0 20L8 0L16 20',
  Ξ: 'M0 0L13 0M2 10L11 10M0 20L13 20',
  Σ: 'M13 0L0 0L8 10L0 20L13 20',
  Ψ: 'M0 0L0 6Q0 13.5 9 13.5Q18 13.5 18 6L18 0M9 0L9 20',
  Ω: 'M0 20L6 20C2.5 17.5 0 14 0 9Q0 0 9 0Q18 0 18 9C18 14 15.5 17.5 12 20L18 20',
}

/** Marks above and below capitals, around their middle. */
const marks: Readonly<Record<string, string>> = {
  '\u0300': 'M-2.5 -7L1 -4.5',
  '\u0301': 'M2.5 -7L-1 -4.5',
  '\u0302': 'M-3.5 -4.5L0 -7L3.5 -4.5',
  '\u0303': 'M-4 -4.8C-2.5 -7.8 -1 -6.5 0 -5.8C1 -5 2.5 -4 4 -6.8',
  '\u0304': 'M-3.5 -5.5L3.5 -5.5',
  '\u0306': 'M-3.5 -7.2Q-3.5 -4.5 0 -4.5Q3.5 -4.5 3.5 -7.2',
  '\u0307': 'M0 -5.5L0 -5.5',
  '\u0308': 'M-3.2 -5.5L-3.2 -5.5M3.2 -5.5L3.2 -5.5',
  '\u0309': 'M-1.5 -7.5C1.5 -8 2 -5.8 0 -4.2',
  '\u030a': 'M0 -8Q2.2 -8 2.2 -6Q2.2 -4 0 -4Q-2.2 -4 -2.2 -6Q-2.2 -8 0 -8',
  '\u030b': 'M-.5 -7L-3 -4.5M4 -7L1.5 -4.5',
  '\u030c': 'M-3.5 -7L0 -4.5L3.5 -7',
  '\u0323': 'M0 24.5L0 24.5',
  '\u0326': 'M.5 23.5L-.8 26.5',
  '\u0327': 'M0 20L0 22.2C2.8 22.2 2.8 26 -1.5 25.6',
  '\u0328': 'M3 20C-.5 23 1 26 4.5 25',
}

// cspell:disable
const same: Readonly<Record<string, string>> = {
  ...pairs('АВЕЗІЈКМНОРСТХ', 'ABE3IJKMHOPCTX'),
  ...pairs('ΑΒΓΕΖΗΙΚΜΝΟΠΡΤΥΦΧ', 'ABГEZHIKMNOПPTYФX'),
  ...pairs('ЅĐ', 'SÐ'),
}
// cspell:enable

function pairs(letters: string, looks: string): Record<string, string> {
  const like = [...looks]
  return Object.fromEntries([...letters].map((letter, i) => [letter, like[i]!]))
}

const PEN = 1.4
/** Between two letters, and above a mark for another one. */
const GAP = 5
const HIGH = 4
/** Parts of a curve. */
const PARTS = 12
/** The share of an ellipse's radius that the handles of a Bézier curve need to follow a quarter of it. */
const HANDLE = 0.5523

/** Returns the outline of a letter with its accents, in font units; undefined for an unknown letter. */
function letterLines(letter: string): { lines: Point[][]; width: number } | undefined {
  const [base = '', ...added] = letter.normalize('NFD')
  const written = lines[same[base] ?? base]
  if (written === undefined) return undefined
  const own = readLines(written)
  const width = Math.max(...own.flat().map(([x]) => x))
  const above = added.map((mark) => marks[mark] ?? '')
  const placed = above.flatMap((mark, i) => moved(readLines(mark), width / 2, -HIGH * i))
  return { lines: [...own, ...placed], width }
}

const moved = (from: readonly Point[][], right: number, down: number, scale = 1): Point[][] =>
  from.map((line) => line.map(([x, y]): Point => [x * scale + right, y * scale + down]))

/** One or two capitals or digits in the middle of a picture; undefined where a letter is not known. */
export function writeInitials(initials: string): Shape[] | undefined {
  const known = [...initials].map(letterLines)
  const letters = known.filter((letter) => letter !== undefined)
  if (letters.length === 0 || letters.length < known.length) return undefined
  const width = letters.reduce((sum, letter) => sum + letter.width, (letters.length - 1) * GAP)
  const scale = Math.min(letters.length > 1 ? 1.4 : 1.75, 58 / width)
  let left = 50 - (width * scale) / 2
  return letters.flatMap((letter) => {
    const strokes = moved(letter.lines, left, 50 - 10 * scale, scale)
    left += (letter.width + GAP) * scale
    return strokes.flatMap((line) => shapesOf(line, PEN * scale))
  })
}

const shapesOf = (line: readonly Point[], radius: number): Shape[] =>
  line.slice(1).map((point, i) => ({ points: [line[i]!, point], radius }))

function readLines(written: string): Point[][] {
  const read: Point[][] = []
  for (const [, command, rest] of written.matchAll(/([A-Z])([^A-Z]*)/g)) {
    const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0] = rest!.split(' ').map(Number)
    const line = read.at(-1)
    const [x, y] = line?.at(-1) ?? [0, 0]
    if (command === 'M') read.push([[a, b]])
    else if (command === 'L') line!.push([a, b])
    else if (command === 'C') line!.push(...curve([x, y], [a, b], [c, d], [e, f]))
    else
      line!.push(
        ...curve(
          [x, y],
          [x + (a - x) * HANDLE, y + (b - y) * HANDLE],
          [c + (a - c) * HANDLE, d + (b - d) * HANDLE],
          [c, d],
        ),
      )
  }
  return read
}

/** Points of a cubic Bézier curve after its first. */
const curve = (from: Point, a: Point, b: Point, to: Point): Point[] =>
  Array.from({ length: PARTS }, (_, i) => {
    const t = (i + 1) / PARTS
    const at = (j: 0 | 1) =>
      (1 - t) ** 3 * from[j] + 3 * (1 - t) ** 2 * t * a[j] + 3 * (1 - t) * t ** 2 * b[j] + t ** 3 * to[j]
    return [at(0), at(1)]
  })
