/** JSON in pieces, which are shared and not to be changed. */
export type JsonPieces = readonly Buffer[]

/**
 * A member of an answer that is kept as JSON, the same bytes for all who ask. It is made when it is first needed, and
 * parsed only for those who read the value.
 */
export class KeptJson {
  readonly make: () => Promise<JsonPieces>
  constructor(make: () => Promise<JsonPieces>) {
    this.make = make
  }
}

/** Members of an answer, some of them kept as JSON. */
export type WithKept<T> = { [K in keyof T]: T[K] | KeptJson }

/** An answer whose members are partly bytes already, so that nothing makes them again to send it. */
export interface PiecedAnswer {
  /** Its members as JSON without braces. */
  wirePieces(): JsonPieces
}

export const isPieced = (answer: object): answer is PiecedAnswer => 'wirePieces' in answer

/** The answer of these members. Those kept as JSON are parsed when they are read. */
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
        value ??= JSON.parse(Buffer.concat(pieces).toString())
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
