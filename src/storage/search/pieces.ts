const PIECE = 3
const MAX_PIECES = 24

/**
 * Returns the pieces of a text: three characters from each position in each word, fewer at its end. A part of one or
 * two characters is therefore the beginning of a piece wherever it occurs, and a longer part consists of whole pieces.
 */
export function piecesOf(text: string): Set<string> {
  const pieces = new Set<string>()
  for (const word of text.split(/\s+/)) {
    const letters = lettersOf(word)
    for (let i = 0; i < letters.length; i++) {
      // Unrolled for speed: every message sent passes through here.
      pieces.add(letters[i]! + (letters[i + 1] ?? '') + (letters[i + 2] ?? ''))
    }
  }
  return pieces
}

/** Characters of an encoded letter. Its first is `NINE`, which no other letter is. */
const LONGEST = 5
const NINE = 57
const BLANK = 32

/**
 * Returns the pieces of a text with blanks between them, in order, so that some occur twice. Every message sent passes
 * through here, and a set of strings takes three times as long.
 */
export function joinedPieces(text: string): string {
  const letters = encodedLetters(text)
  const pieces = Buffer.allocUnsafe((PIECE + 1) * letters.length)
  const widthAt = (at: number) => (letters[at] === NINE ? LONGEST : 1)
  let size = 0
  for (let start = 0; start < letters.length; start += widthAt(start)) {
    if (letters[start] === BLANK) continue
    let end = start
    for (let n = 0; n < PIECE && letters[end] !== BLANK; n++) end += widthAt(end)
    for (let at = start; at < end; at++) pieces[size++] = letters[at]!
    pieces[size++] = BLANK
  }
  return pieces.toString('latin1', 0, Math.max(0, size - 1))
}

/** Returns the encoded letters of a text, with a blank for each space and at the end. */
function encodedLetters(text: string): Buffer {
  const letters = Buffer.allocUnsafe(LONGEST * text.length + 1)
  let size = 0
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (isPlainCode(code) || code === BLANK) {
      letters[size++] = code
      continue
    }
    const c = code < ASCII ? text[i]! : String.fromCodePoint(text.codePointAt(i)!)
    i += c.length - 1
    if (isSpace.test(c)) letters[size++] = BLANK
    else for (const byte of encodedAscii[code] ?? Buffer.from(encoded(c))) letters[size++] = byte
  }
  letters[size++] = BLANK
  return letters.subarray(0, size)
}

/** Returns the beginnings of this text's pieces that `wantedPieces` may ask for. */
export function beginningsOf(text: string): Set<string> {
  const beginnings = new Set<string>()
  for (const word of text.split(/\s+/)) {
    const letters = lettersOf(word)
    for (let i = 0; i < letters.length; i++) {
      if (letters[i]!.length > 1) beginnings.add(letters[i]!)
      if (i + 1 < letters.length) beginnings.add(letters[i]! + letters[i + 1]!)
    }
  }
  return beginnings
}

/** Returns the pieces and beginnings of pieces that every text with these parts contains. */
export function wantedPieces(parts: readonly string[]): { whole: string[]; beginnings: string[] } {
  const whole = new Set<string>()
  const beginnings = new Set<string>()
  for (const word of parts.flatMap((part) => part.split(/\s+/))) {
    const letters = lettersOf(word)
    if (letters.length === 0) continue
    if (letters.length < PIECE) {
      // Nearly every text has any given letter or digit, so looking up one character costs more than it saves.
      if (letters.length > 1 || letters[0]!.length > 1) beginnings.add(letters.join(''))
      continue
    }
    const last = letters.length - PIECE
    for (let i = 0; i < last; i += PIECE) whole.add(letters.slice(i, i + PIECE).join(''))
    whole.add(letters.slice(last).join(''))
  }
  return { whole: [...whole].slice(0, MAX_PIECES), beginnings: [...beginnings].slice(0, MAX_PIECES) }
}

/** Encodes each character in letters and digits only, prefix-free, so that no text becomes query syntax. */
function lettersOf(word: string): string[] {
  const letters: string[] = []
  for (const c of word) letters.push(isPlainCode(c.codePointAt(0)!) ? c : encoded(c))
  return letters
}

const encoded = (c: string): string =>
  `9${c
    .codePointAt(0)!
    .toString(36)
    .padStart(LONGEST - 1, '0')}`

const ASCII = 128
/** By code. Encoding a letter takes longer than all the rest of its pieces. */
const encodedAscii = Array.from({ length: ASCII }, (_, code) => Buffer.from(encoded(String.fromCharCode(code))))

const isSpace = /\s/

/** Whether it is one of `a` to `z` or `0` to `8`. */
const isPlainCode = (code: number): boolean => (code >= 97 && code <= 122) || (code >= 48 && code <= 56)
