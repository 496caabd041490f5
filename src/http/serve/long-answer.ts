/** A response that is generated while it is sent. */
export interface LongAnswer {
  readonly pieces: Iterable<Uint8Array>
  /** In bytes; infinite if it is unknown beforehand. */
  readonly length: number
  /** Returns whether a piece has no other user, so that its memory can be freed after sending. */
  isOwn(piece: Uint8Array): boolean
}

/**
 * A response with a list of more characters is generated and sent in parts. Generating a million takes 5 to 10 ms.
 */
const LONG = 500_000
/** The texts of shorter lists are counted; of longer ones some items are measured. */
const FEW_ITEMS = 100
const SAMPLES = 10
const PART_CHARACTERS = 65_536

/**
 * Returns whether a list in the response is so long that generating its JSON in one step would block the event loop.
 */
export const isLong = (answer: object): boolean => Object.values(answer).some(isLongList)

function isLongList(value: unknown): value is readonly unknown[] {
  if (!Array.isArray(value)) return false
  if (value.length < FEW_ITEMS) return charactersIn(value, LONG) > LONG
  const step = value.length / SAMPLES
  let characters = 0
  for (let i = 0; i < SAMPLES; i++) characters += JSON.stringify(value[Math.floor(i * step)])?.length ?? 0
  return characters * step > LONG
}

/** The characters of all texts in a value; it stops counting beyond `most`. */
function charactersIn(value: unknown, most: number): number {
  if (typeof value === 'string') return value.length
  if (typeof value !== 'object' || value === null) return 0
  let characters = 0
  for (const name in value) {
    characters += charactersIn((value as Record<string, unknown>)[name], most - characters)
    if (characters > most) break
  }
  return characters
}

/** Creates a response with long lists that is generated part by part. */
export function longAnswer(answer: object, ignored: readonly string[]): LongAnswer {
  const members = { ...answer, ...(ignored.length > 0 && { ignored_parameters_unsupported: ignored }) }
  return { pieces: parts(texts(members)), length: Number.POSITIVE_INFINITY, isOwn: () => true }
}

/** The same for a document whose lists may contain long lists. Undefined if its text is short. */
export function longDocument(document: object): LongAnswer | undefined {
  if (charactersIn(document, LONG) <= LONG) return undefined
  return { pieces: parts(jsonTexts(document)), length: Number.POSITIVE_INFINITY, isOwn: () => true }
}

function* jsonTexts(value: unknown): Generator<string> {
  if (typeof value !== 'object' || value === null || !hasList(value)) yield JSON.stringify(value)
  else if (Array.isArray(value)) {
    yield '['
    for (const [i, item] of value.entries()) {
      if (i > 0) yield ','
      yield* jsonTexts(item)
    }
    yield ']'
  } else {
    let separator = '{'
    for (const [name, member] of Object.entries(value)) {
      if (member === undefined) continue
      yield `${separator}${JSON.stringify(name)}:`
      yield* jsonTexts(member)
      separator = ','
    }
    yield '}'
  }
}

const hasList = (value: object): boolean => Array.isArray(value) || Object.values(value).some(Array.isArray)

function* parts(all: Iterable<string>): Generator<Uint8Array> {
  let part = ''
  for (const text of all) {
    part += text
    if (part.length < PART_CHARACTERS) continue
    yield Buffer.from(part)
    part = ''
  }
  yield Buffer.from(part)
}

function* texts(members: object): Generator<string> {
  yield '{"result":"success"'
  if (!('msg' in members)) yield ',"msg":""'
  for (const [name, value] of Object.entries(members)) {
    if (value === undefined) continue
    yield `,${JSON.stringify(name)}:`
    if (Array.isArray(value)) yield* listTexts(value)
    else yield JSON.stringify(value)
  }
  yield '}'
}

function* listTexts(list: readonly unknown[]): Generator<string> {
  yield '['
  for (const [i, item] of list.entries()) yield `${i > 0 ? ',' : ''}${JSON.stringify(item)}`
  yield ']'
}
