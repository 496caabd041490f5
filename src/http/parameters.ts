import { badRequest, ChatError } from '../core/kernel/errors.ts'

/** The maximum number of names: more than any endpoint has, and few enough to list in a response. */
const MAX_PARAMETERS = 1000

/** Parameters as received: texts by name, and separately the members of a JSON body, which are read last. */
export class Parameters extends Map<string, string> {
  members: Map<string, unknown> | undefined
  /** Names of path parameters. The same names elsewhere are ignored. */
  readonly #fixed: ReadonlySet<string>

  constructor(fixed: ReadonlySet<string>) {
    super()
    this.#fixed = fixed
  }

  /** Adds a text. The same value twice is accepted; two different values of one name are an error. */
  addText(name: string, text: string): void {
    if (this.#fixed.has(name)) return
    const known = this.get(name)
    if (known === text) return
    if (known !== undefined) throw sentTwice(name)
    this.#requireRoom()
    this.set(name, text)
  }

  /** Adds a member of a JSON body. */
  addValue(name: string, value: unknown): void {
    if (this.#fixed.has(name)) return
    const text = this.get(name)
    if (text !== undefined) {
      if (text !== value && text !== JSON.stringify(value)) throw sentTwice(name)
      return
    }
    this.#requireRoom()
    this.members ??= new Map()
    this.members.set(name, value)
  }

  #requireRoom(): void {
    if (this.size + (this.members?.size ?? 0) >= MAX_PARAMETERS) throw badRequest('Too many parameters')
  }
}

export const sentTwice = (name: string): ChatError =>
  new ChatError('REQUEST_CONFUSING_VAR', `Argument '${name}' was sent twice with different values`, { var_name: name })
