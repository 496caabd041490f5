// Deletes declarations that no entry point of the package reaches: entire files, and functions and types that only
// other parts of the server use.
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** A name between the braces of an import or an export, and the name that it has on the other side. */
interface Specifier {
  readonly text: string
  readonly source: string
  readonly given: string
}

/** A statement of a declaration file, with the comments before it. */
interface Statement {
  readonly text: string
  /** The name that it declares. */
  readonly name?: string | undefined
  /** The file that it imports or exports from. */
  readonly from?: string | undefined
  readonly isExport: boolean
  /** The names between its braces; undefined for `*`. */
  readonly specifiers?: readonly Specifier[] | undefined
  /** Given names that something reaches. */
  readonly reached: Set<string>
}

const BRACES = /^(?:import|export)(?: type)? (?:\{(.*)\}|\*(?: as (\w+))?|(\w+))(?: from ['"](.+)['"])?;$/s
const DECLARED = /^(?:export )?(?:declare )?(?:abstract )?(?:const|let|function|class|interface|type|enum) ([\w$]+)/
const ENDS_WITH_BRACE = /^(?:export )?(?:declare )?(?:abstract )?(?:class|interface|enum) /
const COMMENT = /\/\*.*?\*\/|\/\/[^\n]*/gs
/** Text that names no declaration: strings, and the names of members and parameters. */
const NO_NAMES = /'[^'\n]*'|"[^"\n]*"|\.[\w$]+|[\w$]+\??:/g
const INLINE_IMPORT = /\bimport\(["']([^"']+)["']\)(?:\.([\w$]+))?/g

/** Returns the end of a declaration that begins at an index: its semicolon or last brace outside all brackets and strings. */
export function endOf(text: string, start: number, atBrace = false): number {
  let depth = 0
  for (let i = start; i < text.length; i++) {
    const letter = text[i]!
    if (letter === '"' || letter === "'" || letter === '`') {
      i = text.indexOf(letter, i + 1)
      while (text[i - 1] === '\\') i = text.indexOf(letter, i + 1)
    } else if (text.startsWith('/*', i)) i = text.indexOf('*/', i) + 1
    else if ('<([{'.includes(letter)) depth++
    else if (')]}'.includes(letter) || (letter === '>' && text[i - 1] !== '=')) {
      if (--depth === 0 && atBrace && letter === '}') return i
    } else if (letter === ';' && depth === 0) return i
  }
  throw new Error('a declaration without an end')
}

function specifiersOf(list: string): Specifier[] {
  return list
    .split(',')
    .map((text) => text.trim())
    .filter(Boolean)
    .map((text) => {
      const [source, given] = text.replace(/^type /, '').split(' as ')
      return { text, source: source!, given: given ?? source! }
    })
}

function statementOf(text: string, code: string): Statement {
  const isExport = code.startsWith('export ')
  const braces = BRACES.exec(code)
  if (!braces) return { text, name: DECLARED.exec(code)?.[1], isExport, reached: new Set() }
  const [, list, whole, standard, from] = braces
  const other = whole ?? standard
  const specifiers = other ? [{ text: other, source: '*', given: other }] : list && specifiersOf(list)
  return {
    text,
    from,
    isExport,
    specifiers: specifiers === undefined ? undefined : specifiers || [],
    reached: new Set(),
  }
}

function statementsOf(text: string): Statement[] {
  const found: Statement[] = []
  for (let start = 0; ; ) {
    const [before] = /^(?:\s|\/\*.*?\*\/|\/\/[^\n]*)*/s.exec(text.slice(start))!
    const from = start + before.length
    if (from >= text.length) return found
    const end = endOf(text, from, ENDS_WITH_BRACE.test(text.slice(from, from + 60))) + 1
    found.push(statementOf(text.slice(start, end).trimStart(), text.slice(from, end)))
    start = end
  }
}

/** The declaration files of a folder, and what is reached of them. */
function program(folder: string) {
  const files = new Map<string, Statement[]>()
  const pathOf = (file: string, target: string): string =>
    join(dirname(file), target).replace(/(?:\.d)?\.(ts|js)$/, '.d.ts')

  function read(file: string): Statement[] {
    let statements = files.get(file)
    if (!statements) {
      const path = join(folder, file)
      statements = existsSync(path) ? statementsOf(readFileSync(path, 'utf8')) : []
      files.set(file, statements)
    }
    return statements
  }

  /** Reaches an exported name of a file; `*` is all. */
  function reach(file: string, name: string): void {
    for (const statement of read(file)) {
      if (!statement.isExport) continue
      if (statement.name) {
        if (name === '*' || statement.name === name) keep(file, statement)
      } else if (!statement.specifiers) {
        if (statement.from?.startsWith('.') && exported(pathOf(file, statement.from)).has(name))
          pass(file, statement, name, name)
      } else
        for (const { source, given } of statement.specifiers)
          if (name === '*' || given === name) pass(file, statement, source, given)
    }
  }

  /** Reaches a name through an import or an export. */
  function pass(file: string, statement: Statement, source: string, given: string): void {
    if (statement.reached.has(given)) return
    statement.reached.add(given)
    if (statement.from?.startsWith('.')) reach(pathOf(file, statement.from), source)
    else if (!statement.from) reachLocal(file, source)
  }

  /** Returns the exported names of a file, with what it exports of other files entirely, and `*`. */
  function exported(file: string): Set<string> {
    const names = read(file).flatMap((statement) => {
      if (!statement.isExport) return []
      if (statement.name) return [statement.name]
      if (statement.specifiers) return statement.specifiers.map(({ given }) => given)
      return statement.from?.startsWith('.') ? [...exported(pathOf(file, statement.from))] : []
    })
    return new Set(['*', ...names])
  }

  function reachLocal(file: string, name: string): void {
    for (const statement of read(file)) {
      if (statement.name === name) keep(file, statement)
      else if (!statement.isExport)
        for (const { source, given } of statement.specifiers ?? [])
          if (given === name) pass(file, statement, source, given)
    }
  }

  /** Keeps a declaration, and reaches the names in it. */
  function keep(file: string, statement: Statement): void {
    if (statement.reached.has(statement.name!)) return
    statement.reached.add(statement.name!)
    const code = statement.text.replace(COMMENT, '')
    for (const [, target, name] of code.matchAll(INLINE_IMPORT))
      if (target!.startsWith('.')) reach(pathOf(file, target!), name ?? '*')
    for (const name of new Set(code.replace(NO_NAMES, ' ').match(/[\w$]+/g))) reachLocal(file, name)
  }

  return { files, reach }
}

/** Returns what is left of a statement; undefined for nothing. */
function leftOf({ text, from, specifiers, reached, name }: Statement): string | undefined {
  if (specifiers?.length === 0 && !from) return text
  if (reached.size === 0) return undefined
  const left = specifiers?.filter(({ given }) => reached.has(given))
  if (name || !left || left.length === specifiers?.length) return text
  return text.replace(/\{.*\}/s, `{ ${left.map((specifier) => specifier.text).join(', ')} }`)
}

export const declarationsIn = (folder: string): string[] =>
  (readdirSync(folder, { recursive: true }) as string[]).filter((file) => file.endsWith('.d.ts'))

/** Deletes the declarations in a folder that none of its entry points reaches. */
export function pruneDeclarations(folder: string, entries: readonly string[]): void {
  const { files, reach } = program(folder)
  for (const entry of entries) reach(entry, '*')
  for (const file of declarationsIn(folder)) {
    const statements = files.get(file) ?? []
    if (!statements.some(({ reached }) => reached.size > 0)) rmSync(join(folder, file))
    else writeFileSync(join(folder, file), `${statements.flatMap((one) => leftOf(one) ?? []).join('\n')}\n`)
  }
}
