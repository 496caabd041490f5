import { setImmediate } from 'node:timers/promises'
import type { Archive } from './archive.ts'
import { type Json, parsed, textOf } from './json.ts'

/** Smaller documents are parsed in one step. */
const SMALL = 128 * 1024
/** Bytes of elements that are parsed in one step. */
const PIECE = 64 * 1024
/** Milliseconds after which reading yields to other work. */
const TURN_MS = 5

const QUOTE = 0x22
const COMMA = 0x2c
const COLON = 0x3a
const [OPEN_LIST, BACKSLASH, CLOSE_LIST] = [0x5b, 0x5c, 0x5d]
const [OPEN, CLOSE] = [0x7b, 0x7d]

/**
 * Reads an object whose members are long lists. It yields to other work: parsing a hundred megabytes in one step takes a
 * second, in which a server would answer nobody.
 */
export async function readMembers(archive: Archive, name: string): Promise<Json> {
  const bytes = await archive.read(name)
  // Whatever is wrong with a document, the parser says so.
  return (bytes.length > SMALL && (await membersOf(bytes, name))) || parsed(textOf(bytes, name), name)
}

/** Returns a function that long loops await, and that yields now and then. */
export function breather(): () => Promise<void> | undefined {
  let since = performance.now()
  return () => {
    if (performance.now() - since < TURN_MS) return undefined
    return setImmediate().then(() => {
      since = performance.now()
    })
  }
}

async function membersOf(bytes: Uint8Array, name: string): Promise<Json | undefined> {
  const breathe = breather()
  const members: [string, Json][] = []
  let at = afterSpace(bytes, 0)
  if (bytes[at++] !== OPEN) return undefined
  for (;;) {
    at = afterSpace(bytes, at)
    if (bytes[at] !== QUOTE) return undefined
    const key = at
    at = endOfString(bytes, at)
    const member = parsed(textOf(bytes.subarray(key, at), name), name) as string
    at = afterSpace(bytes, at)
    if (bytes[at++] !== COLON) return undefined
    at = afterSpace(bytes, at)
    if (bytes[at] === OPEN_LIST) {
      const list: Json[] = []
      at = afterSpace(bytes, at + 1)
      let from = at
      for (let isLast = bytes[at] === CLOSE_LIST; !isLast; at++) {
        const start = afterSpace(bytes, at)
        at = endOfValue(bytes, start)
        if (at === start) return undefined
        isLast = bytes[at] === CLOSE_LIST
        if (!isLast && bytes[at] !== COMMA) return undefined
        if (isLast || at - from > PIECE) {
          // Not with push(...), which takes the elements as arguments.
          for (const element of parsed(`[${textOf(bytes.subarray(from, at), name)}]`, name)) list.push(element)
          from = at + 1
          await breathe()
        }
      }
      members.push([member, list])
      if (list.length === 0) at++
    } else {
      const from = at
      at = endOfValue(bytes, at)
      members.push([member, parsed(textOf(bytes.subarray(from, at), name), name)])
    }
    at = afterSpace(bytes, at)
    if (bytes[at] === CLOSE) break
    if (bytes[at++] !== COMMA) return undefined
  }
  return afterSpace(bytes, at + 1) === bytes.length ? Object.fromEntries(members) : undefined
}

function afterSpace(bytes: Uint8Array, from: number): number {
  let at = from
  while (bytes[at] === 0x20 || bytes[at] === 0x0a || bytes[at] === 0x0d || bytes[at] === 0x09) at++
  return at
}

/** The end of a string that begins here. */
function endOfString(bytes: Uint8Array, from: number): number {
  for (let at = from + 1; ; ) {
    at = bytes.indexOf(QUOTE, at)
    if (at === -1) return bytes.length
    let escapes = 0
    while (bytes[at - 1 - escapes] === BACKSLASH) escapes++
    at++
    if (escapes % 2 === 0) return at
  }
}

/** The comma or bracket after a value that begins here. */
function endOfValue(bytes: Uint8Array, from: number): number {
  let depth = 0
  for (let at = from; at < bytes.length; at++) {
    const byte = bytes[at]
    if (byte === QUOTE) at = endOfString(bytes, at) - 1
    else if (byte === OPEN || byte === OPEN_LIST) depth++
    else if (byte === CLOSE || byte === CLOSE_LIST) {
      if (depth-- === 0) return at
    } else if (byte === COMMA && depth === 0) return at
  }
  return bytes.length
}
