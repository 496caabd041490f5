import { Refused } from '../refused.ts'
import type { Archive } from './archive.ts'
import { shown } from './names.ts'

const MAX_LINE = 16 * 1024 * 1024

/** Anything that JSON may have, to be looked into with the functions of this file. */
// biome-ignore lint/suspicious/noExplicitAny: what others wrote; readers check what they take from it.
export type Json = any

/** A JSON document of the archive. */
export async function readJson(archive: Archive, name: string): Promise<Json> {
  return parsed(textOf(await archive.read(name), name), name)
}

/** The same where it may be missing. */
export const readJsonIfAny = async (archive: Archive, name: string): Promise<Json> =>
  archive.has(name) ? readJson(archive, name) : undefined

/** A JSON list; none where the file is missing. */
export async function readList(archive: Archive, name: string): Promise<Json[]> {
  const list = await readJsonIfAny(archive, name)
  if (list !== undefined && !Array.isArray(list)) throw new Refused(`${shown(name)} is not a list.`)
  return list ?? []
}

/** The lines of a file of JSON lines, with their numbers. */
export async function* jsonLines(archive: Archive, name: string): AsyncGenerator<{ value: Json; line: number }> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  let rest = ''
  let line = 0
  for await (const piece of archive.stream(name)) {
    const lines = (rest + decoded(decoder, name, piece)).split('\n')
    rest = lines.pop()!
    if (rest.length > MAX_LINE) throw new Refused(`Line ${line + 1} of ${shown(name)} is longer than 16 MiB.`)
    for (const text of lines) {
      line++
      if (text.trim() !== '') yield { value: parsed(text, name, line), line }
    }
  }
  rest += decoded(decoder, name)
  if (rest.trim() !== '') yield { value: parsed(rest, name, line + 1), line: line + 1 }
}

function decoded(decoder: TextDecoder, name: string, piece?: Uint8Array): string {
  try {
    return piece ? decoder.decode(piece, { stream: true }) : decoder.decode()
  } catch {
    throw new Refused(`${shown(name)} is not valid UTF-8.`)
  }
}

const whole = new TextDecoder('utf-8', { fatal: true })

export function textOf(bytes: Uint8Array, name: string): string {
  try {
    return whole.decode(bytes)
  } catch {
    throw new Refused(`${shown(name)} is not valid UTF-8.`)
  }
}

export function parsed(text: string, name: string, line?: number): Json {
  try {
    return JSON.parse(text)
  } catch {
    throw new Refused(`${line === undefined ? '' : `Line ${line} of `}${shown(name)} is not valid JSON.`)
  }
}

/** A text, or undefined for anything else and for an empty one. */
export const asText = (value: Json): string | undefined =>
  typeof value === 'string' && value !== '' ? value : typeof value === 'number' ? String(value) : undefined

/** A list of objects, without anything else that is in it. */
export const asObjects = (value: Json): Json[] =>
  Array.isArray(value) ? value.filter((each) => typeof each === 'object' && each !== null) : []

export const asTexts = (value: Json): string[] =>
  Array.isArray(value) ? value.filter((each) => typeof each === 'string' && each !== '') : []

export const asNumber = (value: Json): number | undefined =>
  typeof value === 'number' && Number.isFinite(value)
    ? value
    : typeof value === 'string' && /^\d{1,15}(\.\d+)?$/.test(value)
      ? Number(value)
      : undefined
