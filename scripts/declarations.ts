// Rewrites the declarations that tsc wrote to dist/src. Actions get named parameter and result types with their
// descriptions, which are generated from the schemas.
import { readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import * as v from 'valibot'
import { aliases, stateParts } from '../src/core/events/queues/initial-state.ts'
import { eventTypes } from '../src/core/events/types/table.ts'
import { uploadedFile } from '../src/core/kernel/fields.ts'
import { serverState } from '../src/core/organization/state.ts'
import type { AnyAction } from '../src/http/route-types.ts'
import { sections } from '../src/http/routes/api.ts'
import { type AnySchema, isOptional, type SchemaParts } from '../src/http/schema-kinds.ts'
import * as library from '../src/index.ts'
import { declarationsIn, endOf } from './prune-declarations.ts'

type Direction = 'input' | 'output'

/** A check or a transformation in a pipe. */
interface PipeItem {
  readonly kind: string
  readonly type: string
  readonly requirement?: unknown
  readonly message?: unknown
  readonly description?: string
}

const HEADER = `// Generated from the schemas by scripts/declarations.ts.
import type { NamedAction } from './core/kernel/action.ts';
import type { Caller } from './core/kernel/context.ts';
`
const FILE = 'api-types.d.ts'
/** Overloads by the parts that are asked for, before the general signature. */
const REGISTER = `
type PartsOf<T extends string> = All<RegisterParts[T & keyof RegisterParts]>;
export interface RegisterAction extends NamedAction<RegisterParams, RegisterResult> {
  /** The response has the parts of \`fetch_event_types\`. */
  <const T extends keyof RegisterParts>(caller: Caller, params: RegisterParams & { readonly fetch_event_types: readonly T[] }): Promise<RegisterBase & PartsOf<T>>;
  /** The response has the parts of \`event_types\`. */
  <const T extends keyof EventTypeParts>(caller: Caller, params: RegisterParams & { readonly event_types: readonly T[]; readonly fetch_event_types?: undefined }): Promise<RegisterBase & PartsOf<T>>;
  (caller: Caller, params?: RegisterParams): Promise<RegisterResult>;
}
type EventTypeParts = Events & RegisterParts;
`

/** Objects that are part of over a hundred types, by their members, and the names that they get. */
const frequent: Readonly<Record<string, Readonly<Record<Direction, string>>>> = {
  'direct_members direct_subgroups': { input: 'UsersAndGroups', output: 'UsersAndGroupsView' },
  'new old': { input: 'UsersAndGroupsChange', output: 'UsersAndGroupsChangeView' },
}

/** Unions that are part of as many, and the names that they get. */
const frequentUnions: Readonly<Record<string, string>> = {
  'UsersAndGroupsChange | number | UsersAndGroups': 'PermissionChange',
}

/** Long lists of choices that several types have, by their first two, and the names that they get. */
const frequentChoices: Readonly<Record<string, string>> = {
  'ar be': 'LanguageCode',
  'stream_id name': 'StreamProperty',
  'duplicate incomplete': 'ImportReason',
  'user channel': 'AuditSubjectKind',
  'ascend beep_boop': 'NotificationSound',
}

/** Makes type texts. Objects that occur often become named interfaces. */
export function typeWriter(names: ReadonlyMap<unknown, string>) {
  const declared = new Map<string, string>()

  /** Returns the TypeScript type of a schema's input or output. */
  function typeOf(schema: AnySchema, direction: Direction, isDefinition = false): string {
    const name = direction === 'output' && !isDefinition ? names.get(schema) : undefined
    if (name) return name
    const { type, entries, wrapped, options, literal, pipe }: SchemaParts & { item?: AnySchema } = schema
    const first = pipe?.[0] as AnySchema | undefined
    if (first === uploadedFile) return "import('./core/kernel/fields.ts').UploadedFile"
    if (first && first !== schema) return typeOf(first, direction)
    const parts = schema as unknown as { item: AnySchema; items: AnySchema[]; key: AnySchema; value: AnySchema }
    switch (type) {
      case 'string':
      case 'number':
      case 'boolean':
      case 'null':
      case 'undefined':
      case 'unknown':
      case 'never':
        return type
      case 'literal':
        return JSON.stringify(literal)
      case 'picklist': {
        const choices = options!.map((option) => JSON.stringify(option)).join(' | ')
        const often = frequentChoices[options!.slice(0, 2).join(' ')]
        if (often && !declared.has(often)) declare(often, choices)
        return often ?? choices
      }
      case 'array':
        return listOf(typeOf(parts.item, direction), direction)
      case 'tuple':
      case 'strict_tuple':
        return `[${parts.items.map((item) => typeOf(item, direction)).join(', ')}]`
      case 'record':
        return `Record<string, ${typeOf(parts.value, direction)}>`
      case 'union':
      case 'variant': {
        const union = unionOf((options as readonly AnySchema[]).map((option) => typeOf(option, direction)))
        const often = frequentUnions[union]
        if (often && !declared.has(often)) declare(often, union)
        return often ?? union
      }
      case 'nullable':
        return unionOf([typeOf(wrapped!, direction), 'null'])
      case 'nullish':
        return unionOf([typeOf(wrapped!, direction), ...(direction === 'input' ? ['null', 'undefined'] : ['null'])])
      case 'optional':
      case 'exact_optional':
        return typeOf(wrapped!, direction)
      case 'object':
      case 'strict_object':
      case 'loose_object': {
        const often = frequent[Object.keys(entries!).join(' ')]?.[direction]
        if (often && !declared.has(often)) declare(often, bodyOf(entries!, direction))
        return often ?? bodyOf(entries!, direction)
      }
      case 'custom':
        return 'import("./core/kernel/fields.ts").FileStream'
      default:
        throw new Error(`no type for a schema of type ${type}`)
    }
  }

  /** Returns the members of an object type, each with its description and limits. */
  function bodyOf(entries: Readonly<Record<string, AnySchema>>, direction: Direction): string {
    const members = Object.entries(entries).map(([name, schema]) => {
      const { default: initial }: SchemaParts = schema
      const isLeftOut = isOptional(schema) && !(direction === 'output' && initial !== undefined)
      const text = typeOf(schema, direction)
      const takesUndefined = isLeftOut && /^(optional|nullish)$/.test(typeBehindPipe(schema).type)
      const type = takesUndefined && !/\bundefined\b/.test(text) ? `${text} | undefined` : text
      return `${docOf(schema)}${/^[\w$]+$/.test(name) ? name : JSON.stringify(name)}${isLeftOut ? '?' : ''}: ${type};\n`
    })
    return `{\n${members.join('')}}`
  }

  /** Declares a type under a name, which must be new, and returns the name. */
  function declare(name: string, text: string, doc = ''): string {
    if (declared.has(name)) throw new Error(`two types named ${name}`)
    declared.set(
      name,
      doc +
        (text.startsWith('{\n') && endOf(`${text};`, 0) === text.length && !/[&|] /.test(text.slice(closing(text)))
          ? `export interface ${name} ${text}\n`
          : `export type ${name} = ${text};\n`),
    )
    return name
  }

  return { typeOf, bodyOf, declare, text: () => HEADER + [...declared.values()].join('') }
}

const listOf = (item: string, direction: Direction): string =>
  direction === 'input' ? `readonly ${inBrackets(item)}[]` : `${inBrackets(item)}[]`
const inBrackets = (text: string): string => (/^[\w."]+$/.test(text) ? text : `(${text})`)
const unionOf = (texts: readonly string[]): string => [...new Set(texts)].join(' | ')
const typeBehindPipe = (schema: AnySchema): SchemaParts => {
  const [first] = ((schema as SchemaParts).pipe ?? []) as AnySchema[]
  return first && first !== schema ? typeBehindPipe(first) : schema
}

/** Returns a doc comment with the description and the limits of a value; empty if it has neither. */
function docOf(schema: AnySchema): string {
  const sentence = v.getDescription(schema)
  const limits = limitsOf(schema)
  const text = [sentence, limits].filter(Boolean).join(' ')
  return text ? `/** ${text.replaceAll('*/', '*\\/')} */\n` : ''
}

const limitNames: Readonly<Record<string, (limit: unknown, unit: string) => string>> = {
  max_length: (limit, unit) => `At most ${limit} ${unit}.`,
  min_length: (limit, unit) => `At least ${limit} ${unit}.`,
  max_value: (limit) => `At most ${limit}.`,
  min_value: (limit) => (limit === 0 ? '' : `At least ${limit}.`),
}

/** Returns the limits in a schema's pipe, in sentences. */
function limitsOf(schema: AnySchema): string {
  const { pipe = [], wrapped }: SchemaParts = schema
  const unit = typeBehindPipe(schema).type === 'array' ? 'entries' : 'characters'
  const own = (pipe as readonly PipeItem[]).flatMap(({ type, requirement, message }) => {
    if (limitNames[type] && typeof requirement === 'number') return [limitNames[type](requirement, unit)]
    const [, limit] = (type === 'check' && /limit: (\d+ \w+)/.exec(String(message))) || []
    return limit ? [`At most ${limit}.`] : []
  })
  const inner = wrapped ? limitsOf(wrapped) : pipe[0] && pipe[0] !== schema ? limitsOf(pipe[0] as AnySchema) : ''
  return [...own, inner].filter(Boolean).join(' ')
}

const capitalized = (name: string): string => name[0]!.toUpperCase() + name.slice(1)
const camel = (name: string): string => name.split('_').map(capitalized).join('')

/** Returns the text of the file with all named types. */
export function apiTypes(shapes: readonly Shape[] = []): string {
  const { typeOf, bodyOf, declare, text } = typeWriter(new Map(shapes.map(({ schema, name }) => [schema, name])))
  for (const { name, schema, doc } of shapes) declare(name, typeOf(schema, 'output', true), doc)
  for (const [name, action] of actions()) {
    declare(`${capitalized(name)}Params`, typeOf(action.params, 'input'), `/** Parameters of \`${name}\`. */\n`)
    if (name === 'register') continue
    declare(`${capitalized(name)}Result`, typeOf(action.result, 'output'), `/** The result of \`${name}\`. */\n`)
  }
  for (const [kind, member] of [
    ['Event', 'read'],
    ['LoggedEvent', 'logged'],
  ] as const) {
    const rows = Object.entries(eventTypes).flatMap(([type, definition]) => {
      const schema = (definition as unknown as Record<string, AnySchema | undefined>)[member]
      return schema ? [`${type}: ${declare(`${camel(type)}${kind}`, typeOf(schema, 'output'))}`] : []
    })
    declare(`${kind}s`, `{\n${rows.join(';\n')};\n}`, `/** Every event by its type. */\n`)
  }
  const rows = Object.entries({
    ...stateParts,
    ...Object.fromEntries(Object.entries(aliases).map(([one, other]) => [one, stateParts[other]!])),
  }).map(
    ([name, parts]) =>
      `${name}: ${declare(`${camel(name)}State`, bodyOf(Object.assign({}, ...parts.map((part) => part.entries)), 'output'))}`,
  )
  declare(
    'RegisterParts',
    `{\n${rows.join(';\n')};\n}`,
    '/** The parts of the state, by their names in `fetch_event_types`. */\n',
  )
  const base = { queue_id: v.string(), last_event_id: v.number(), ...serverState.entries }
  declare('RegisterBase', bodyOf(base, 'output'), '/** Members of every response to `register`. */\n')
  declare('All<U>', '(U extends unknown ? (part: U) => void : never) extends (part: infer A) => void ? A : never')
  declare(
    'RegisterState',
    'Omit<RegisterBase, "queue_id" | "last_event_id"> & Partial<All<RegisterParts[keyof RegisterParts]>>',
  )
  declare('RegisterResult', 'Pick<RegisterBase, "queue_id" | "last_event_id"> & RegisterState')
  return text() + REGISTER
}

/** Returns every action that the library exports, by name. */
export function actions(): Map<string, AnyAction> {
  const all = sections.flatMap(({ routes }) => Object.values(routes).flatMap((row) => Object.values(row)))
  const exported = library as unknown as Readonly<Record<string, unknown>>
  return new Map(all.filter(({ name }) => exported[name]).map((action) => [action.name, action as AnyAction]))
}

/** Returns the index after the bracket that closes the first one of a text. */
function closing(text: string): number {
  let depth = 0
  for (let i = 0; i < text.length; i++) {
    if (text[i] === '{') depth++
    else if (text[i] === '}' && --depth === 0) return i + 1
  }
  return text.length
}

/** Replaces the declaration of a name by another text. */
function replaced(text: string, name: string, by: string): string {
  const found = new RegExp(`^(?:export )?(?:declare const|type) ${name}\\b`, 'm').exec(text)
  if (!found) return text
  return text.slice(0, found.index) + by + text.slice(endOf(text, found.index) + 1)
}

/** An exported type of a file of `core/shapes`, and the schema that it is inferred from. */
interface Shape {
  readonly name: string
  readonly schema: AnySchema
  readonly doc: string
}

/** Reads the shapes with a type, and rewrites their files to re-export the named types. */
async function takeShapes(folder: string): Promise<Shape[]> {
  const shapes: Shape[] = []
  for (const file of declarationsIn(join(folder, 'core/shapes'))) {
    const path = join(folder, 'core/shapes', file)
    let text = readFileSync(path, 'utf8')
    const module = (await import(`../src/core/shapes/${file.replace('.d.ts', '.ts')}`)) as Record<string, AnySchema>
    const types = [...text.matchAll(/^export type (\w+) = v\.InferOutput<typeof (\w+)>;/gm)]
    for (const [, name, constant] of types) {
      const doc = /(\/\*\*(?:(?!\*\/)[\s\S])*\*\/\n)$/.exec(
        text.slice(0, text.search(new RegExp(`^export declare const ${constant}\\b`, 'm'))),
      )
      shapes.push({ name: name!, schema: module[constant!]!, doc: doc?.[1] ?? '' })
    }
    for (const [name, schema] of Object.entries(module)) {
      if (!(schema as { kind?: string }).kind) continue
      const own = types.find(([, , constant]) => constant === name)?.[1]
      const by = own ? `GenericSchema<${own}, ${own}>` : 'GenericSchema<any, any>'
      text = replaced(text, name, `export declare const ${name}: v.${by};`)
    }
    for (const [whole, name] of types)
      text = text.replace(whole, `export type ${name} = import("../../${FILE}").${name};`)
    writeFileSync(path, text)
  }
  return shapes
}

const EVENTS = `import type { Events, LoggedEvents } from '../../../${FILE}';
export type EventType = keyof Events;
export type LoggedType = keyof LoggedEvents;
/** A logged event, with everything that any reader may need. */
export type LoggedEvent<T extends LoggedType = LoggedType> = LoggedEvents[T];
/**
 * An event for a reader. \`type\` says which, and \`op\` if a type has several.
 * @example
 * if (event.type === 'message' && event.message.type === 'stream') console.log(event.message.display_recipient)
 */
export type ChatEvent<T extends EventType = EventType> = Events[T];
export {};
`

/** Rewrites the declarations below a folder, such as dist/src. */
export async function rewriteDeclarations(folder: string): Promise<void> {
  writeFileSync(join(folder, FILE), apiTypes(await takeShapes(folder)))
  writeFileSync(join(folder, 'core/events/types/table.d.ts'), EVENTS)
  writeFileSync(
    join(folder, 'core/events/queues/initial-state.d.ts'),
    `export type { RegisterState } from '../../../${FILE}';\n`,
  )
  const known = actions()
  for (const file of declarationsIn(folder)) {
    const path = join(folder, file)
    let text = readFileSync(path, 'utf8')
    const up = relative(dirname(path), join(folder, FILE)).replace(/\.d\.ts$/, '.d.ts')
    const types = up.startsWith('.') ? up : `./${up}`
    const from = (name: string) => `import("${types}").${name}`
    const kernel = relative(dirname(path), join(folder, 'core/kernel/action.ts'))
    for (const [, name] of text.matchAll(
      /^export declare const (\w+): import\("[^"]*action\.ts"\)\.(?:Public)?Action</gm,
    )) {
      const action = known.get(name!)
      if (!action) continue
      const kind = action.role === 'visitor' ? 'NamedPublicAction' : 'NamedAction'
      const own = `${capitalized(name!)}Params`
      const by =
        name === 'register'
          ? from('RegisterAction')
          : `import("${kernel}").${kind}<${from(own)}, ${from(`${capitalized(name!)}Result`)}>`
      text = replaced(text, name!, `export declare const ${name}: ${by};`)
    }
    // TypeScript before 5.7 has no generic arrays of bytes.
    writeFileSync(path, text.replaceAll('Uint8Array<ArrayBuffer>', 'Uint8Array'))
  }
}

/** Returns the declarations of the package's entry points, relative to dist/src. */
export function entryPoints(): string[] {
  const { exports } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
    exports: Record<string, string | { types: string }>
  }
  return Object.values(exports).flatMap((entry) =>
    typeof entry === 'string' ? [] : [entry.types.replace('./dist/src/', '')],
  )
}
