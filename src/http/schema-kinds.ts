import type * as v from 'valibot'
import { fileStream, uploadedFile, uploadedFiles } from '../core/kernel/fields.ts'

// biome-ignore lint/suspicious/noExplicitAny: schemas of every kind are walked here.
export type AnySchema = v.GenericSchema<any, any>

/** The kinds of JSON values a schema accepts; `file` and `stream` are uploads, and `any` is any JSON. */
export type SchemaKind = 'string' | 'number' | 'boolean' | 'array' | 'object' | 'null' | 'any' | 'file' | 'stream'

const kindOfType: Readonly<Record<string, SchemaKind>> = {
  string: 'string',
  number: 'number',
  boolean: 'boolean',
  null: 'null',
  array: 'array',
  tuple: 'array',
  loose_tuple: 'array',
  strict_tuple: 'array',
  tuple_with_rest: 'array',
  set: 'array',
  object: 'object',
  loose_object: 'object',
  strict_object: 'object',
  object_with_rest: 'object',
  record: 'object',
  map: 'object',
  variant: 'object',
}

/** The parts of valibot's schemas that describe a value's form. A piped schema has the form of its first item. */
export interface SchemaParts {
  type: string
  entries?: Readonly<Record<string, AnySchema>>
  default?: unknown
  wrapped?: AnySchema
  options?: readonly (AnySchema | string | number | bigint)[]
  literal?: unknown
  getter?: (input: unknown) => AnySchema
  pipe?: readonly unknown[]
}

/** Returns the kinds of values that a schema accepts, looking through unions and wrappers. */
export function kindsOf(schema: AnySchema): Set<SchemaKind> {
  const { type, wrapped, options, literal, getter, pipe }: SchemaParts = schema
  const first = pipe?.[0] ?? schema
  if (first === uploadedFile || first === uploadedFiles) return new Set(['file'])
  if (first === fileStream) return new Set(['stream'])
  if (wrapped) {
    const kinds = kindsOf(wrapped)
    if (type === 'nullable' || type === 'nullish') kinds.add('null')
    return kinds
  }
  if (type === 'lazy' && getter) return kindsOf(getter(undefined))
  if (type === 'literal') return new Set([jsonTypeOf(literal)])
  const known = kindOfType[type]
  if (known) return new Set([known])
  if (!options) return new Set(['any'])
  return new Set(options.flatMap((option) => (isSchema(option) ? [...kindsOf(option)] : [jsonTypeOf(option)])))
}

/** Returns whether a parameter of this schema is optional. */
export function isOptional(schema: AnySchema): boolean {
  const { type, wrapped }: SchemaParts = schema
  return (
    /^(optional|exact_optional|nullish|undefinedable)$/.test(type) || (wrapped !== undefined && isOptional(wrapped))
  )
}

const isSchema = (option: unknown): option is AnySchema => typeof option === 'object' && option !== null

export function jsonTypeOf(value: unknown): SchemaKind {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  const type = typeof value
  return type === 'string' || type === 'number' || type === 'boolean' || type === 'object' ? type : 'any'
}
