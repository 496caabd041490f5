/** JSON in pieces, which are shared and must not be changed. */
export type JsonPieces = readonly (Buffer | JsonList)[]

/** An object as JSON without its closing brace, and how many bytes that takes. */
export interface OpenJson {
  readonly text: string
  readonly bytes: number
}

export function openJson(object: object): OpenJson {
  const text = JSON.stringify(object).slice(0, -1)
  return { text, bytes: Buffer.byteLength(text) }
}

/** Characters of a list that are encoded at a time. */
const PART_CHARACTERS = 65_536

/**
 * A JSON list of objects that are strings already. They become bytes only when they are sent. Objects that many
 * responses share are in memory once, however many clients are waiting.
 */
export class JsonList {
  readonly #objects: OpenJson[] = []
  readonly #more: (string | undefined)[] = []
  #bytes = 2
  /** In bytes, as JSON. */
  get length(): number {
    return this.#bytes
  }
  /** Adds an object, with more JSON members, without braces, for this response only. */
  add(object: OpenJson, more?: string): void {
    if (this.#objects.length > 0) this.#bytes++
    this.#objects.push(object)
    this.#more.push(more)
    this.#bytes += object.bytes + 1 + (more === undefined ? 0 : 1 + Buffer.byteLength(more))
  }
  *encoded(): Generator<Buffer> {
    let text = '['
    for (const [i, object] of this.#objects.entries()) {
      const more = this.#more[i]
      text += `${i > 0 ? ',' : ''}${object.text}${more === undefined ? '' : `,${more}`}}`
      if (text.length < PART_CHARACTERS) continue
      yield Buffer.from(text)
      text = ''
    }
    yield Buffer.from(`${text}]`)
  }
}

/** Yields the bytes of pieces, in parts for sending. */
export function* encodedPieces(pieces: JsonPieces): Generator<Buffer> {
  for (const piece of pieces) {
    if (piece instanceof JsonList) yield* piece.encoded()
    else yield piece
  }
}

/**
 * A member of a response that is stored as JSON, with the same bytes for all readers. It is made on first use, and
 * parsed only for readers of its value.
 */
export class KeptJson {
  readonly make: () => Promise<JsonPieces>
  constructor(make: () => Promise<JsonPieces>) {
    this.make = make
  }
}

/** Members of a response, some of them stored as JSON. */
export type WithKept<T> = { [K in keyof T]: T[K] | KeptJson }

/** A response whose members are partly bytes already, so that sending needn't make them again. */
export interface PiecedAnswer {
  /** Its members as JSON without braces. */
  wirePieces(): JsonPieces
}

export const isPieced = (answer: object): answer is PiecedAnswer => 'wirePieces' in answer

/** Returns the response with these members. Members stored as JSON are parsed when they are read. */
export async function answerOf<T extends object>(members: WithKept<T>): Promise<T> {
  const kept: [name: string, pieces: JsonPieces][] = []
  const others: [name: string, value: unknown][] = []
  for (const [name, value] of Object.entries(members)) {
    if (value instanceof KeptJson) kept.push([name, await value.make()])
    else others.push([name, value])
  }
  const plain = Object.fromEntries(others)
  if (kept.length === 0) return plain as T
  const answer = { ...plain }
  for (const [name, pieces] of kept) {
    let value: unknown
    Object.defineProperty(answer, name, {
      enumerable: true,
      get() {
        value ??= JSON.parse(Buffer.concat([...encodedPieces(pieces)]).toString())
        return value
      },
    })
  }
  const wirePieces = () => [
    Buffer.from(JSON.stringify(plain).slice(1, -1)),
    ...kept.flatMap(([name, pieces]) => [Buffer.from(`,${JSON.stringify(name)}:`), ...pieces]),
  ]
  return Object.defineProperty(answer, 'wirePieces', { value: wirePieces }) as T
}
