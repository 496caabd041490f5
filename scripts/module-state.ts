import { readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { parseSync } from 'vite'
import { root } from './imports.ts'

interface Node {
  type: string
  [key: string]: unknown
}

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && typeof (value as Node).type === 'string'
const isFunction = ({ type }: Node): boolean => /^(?:Function|ArrowFunction|Class)/.test(type)
const nameOf = (node: unknown): string | undefined =>
  isNode(node) && node.type === 'Identifier' ? String(node.name) : undefined

const collections: readonly unknown[] = ['Map', 'Set', 'WeakMap', 'WeakSet', 'Array']

/** Whether a value that this expression makes can change: a signal, or a collection or object that begins empty. */
function isMutable(node: Node): boolean {
  const hasNone = (list: unknown) => (list as unknown[]).length === 0
  if (node.type === 'CallExpression') return nameOf(node.callee) === 'signal'
  if (node.type === 'NewExpression') return collections.includes(nameOf(node.callee)) && hasNone(node.arguments)
  return (
    (node.type === 'ObjectExpression' && hasNone(node.properties)) ||
    (node.type === 'ArrayExpression' && hasNone(node.elements))
  )
}

/** Returns the nodes of an expression that run with it, which those inside of functions don't. */
function* running(node: Node): Generator<Node> {
  yield node
  for (const value of Object.values(node)) {
    for (const inner of Array.isArray(value) ? value : [value])
      if (isNode(inner) && !isFunction(inner)) yield* running(inner)
  }
}

interface Module {
  functions: Map<string, Node>
  imported: Map<string, { path: string; name: string }>
  values: { name: string; kind: string; type: string; init: Node | undefined }[]
}

const modules = new Map<string, Module>()

function moduleOf(path: string): Module {
  const known = modules.get(path)
  if (known) return known
  const text = readFileSync(join(root, path), 'utf8')
  const module: Module = { functions: new Map(), imported: new Map(), values: [] }
  modules.set(path, module)
  for (const statement of parseSync(path, text).program.body as unknown as Node[]) {
    const own = (statement.declaration as Node | undefined) ?? statement
    if (own.type === 'FunctionDeclaration') module.functions.set(nameOf(own.id)!, own.body as Node)
    const source = (own.source as { value?: string } | undefined)?.value ?? ''
    if (own.type === 'ImportDeclaration' && source.startsWith('.')) {
      const from = relative(root, resolve(root, dirname(path), source))
      for (const one of own.specifiers as Node[])
        module.imported.set(nameOf(one.local)!, { path: from, name: nameOf(one.imported) ?? '' })
    }
    if (own.type !== 'VariableDeclaration' || own.declare) continue
    for (const { id, init } of own.declarations as { id: Node; init: Node | null }[]) {
      if (init && isFunction(init)) {
        module.functions.set(nameOf(id)!, init.body as Node)
        continue
      }
      const { start, end } = (id.typeAnnotation as { start: number; end: number } | undefined) ?? { start: 0, end: 0 }
      const name = nameOf(id) ?? text.slice(id.start as number, id.end as number)
      module.values.push({ name, kind: String(own.kind), type: text.slice(start, end), init: init ?? undefined })
    }
  }
  return module
}

/** Whether running this makes a value that can change, itself or in a function of ours that it calls. */
function makesState(path: string, node: Node, stateless: readonly string[], seen = new Set<unknown>()): boolean {
  for (const one of running(node)) {
    if (isMutable(one)) return true
    const called = one.type === 'CallExpression' ? nameOf(one.callee) : undefined
    if (called === undefined || stateless.includes(called)) continue
    const { functions, imported } = moduleOf(path)
    const { path: from, name } = imported.get(called) ?? { path, name: called }
    const body = from === path ? functions.get(name) : from.startsWith('web/') && moduleOf(from).functions.get(name)
    if (!body || seen.has(body)) continue
    seen.add(body)
    if (returnsState(from, body, stateless, seen)) return true
  }
  return false
}

/** Whether a function gives what it makes to its caller: its own variables end with it unless it returns functions. */
function returnsState(path: string, body: Node, stateless: readonly string[], seen: Set<unknown>): boolean {
  if (body.type !== 'BlockStatement') return makesState(path, body, stateless, seen)
  const inner = [...running(body)]
  const returned = inner.filter(({ type }) => type === 'ReturnStatement').map(({ argument }) => argument)
  const isAlive = returned.some((one) => isNode(one) && /^(?:Object|Array|Arrow|Function)/.test(one.type))
  return isAlive && makesState(path, body, stateless, seen)
}

/**
 * Returns the values of a file that can change as long as the page is open: `let`, signals, and collections that begin
 * empty, also in what a function returns. `stateless` are functions whose values don't count.
 */
export const moduleState = (path: string, stateless: readonly string[]): string[] =>
  moduleOf(path)
    .values.filter(
      ({ kind, type, init }) =>
        kind === 'let' ||
        (init && !/\bReadonly(?:Map|Set)\b|readonly /.test(type) && makesState(path, init, stateless)),
    )
    .map(({ name }) => name)
