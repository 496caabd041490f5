import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openApiDocument } from '../../src/http/openapi/document.ts'
import { sections } from '../../src/http/routes/api.ts'

interface Schema {
  $ref?: string
  type?: string | string[]
  const?: unknown
  enum?: unknown[]
  anyOf?: Schema[]
  oneOf?: Schema[]
  items?: Schema
  prefixItems?: Schema[]
  properties?: Record<string, Schema>
  additionalProperties?: Schema | boolean
  required?: string[]
  description?: string
  maximum?: number
  minimum?: number
  maxLength?: number
  maxItems?: number
}

interface Content {
  content?: Record<string, { schema?: Schema }>
}

interface DocumentedOperation extends Record<string, unknown> {
  operationId: string
  tags: string[]
  summary: string
  description?: string
  security?: object[]
  parameters?: { name: string; in: string; required?: boolean; description?: string; schema?: Schema }[]
  requestBody?: Content
  responses: Record<string, Content & { description: string }>
}

/** A row of a table of parameters or of a result. */
interface Field {
  name: string
  in: string
  type: string
  required: boolean
  description: string
}

/** An operation as its component shows it. */
interface ShownOperation {
  id: string
  method: string
  path: string
  isPublic: boolean
  description: string
  params: Field[]
  result: Field[]
}

/** Words of the wire that read differently on pages. */
const titles: Readonly<Record<string, string>> = { streams: 'Channels' }

/** Writes a page for each noun of the API, its data beside it, and the document itself. */
export async function writeApiPages(folder: string): Promise<void> {
  const prefixed = sections.map((section) => ({ ...section, prefix: '/api/v1' }))
  const document = JSON.parse(JSON.stringify(await openApiDocument(prefixed))) as ApiDocument
  mkdirSync(folder, { recursive: true })
  mkdirSync(join(folder, '../public'), { recursive: true })
  writeFileSync(join(folder, '../public/openapi.json'), JSON.stringify(document))
  const all = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  )
  for (const { tag } of sections) {
    const shown = all.filter(({ operation }) => operation.tags.includes(tag))
    const operations = shown.map(({ path, method, operation }) => shownOperation(document, path, method, operation))
    writeFileSync(join(folder, `${tag}.json`), JSON.stringify(operations))
    writeFileSync(join(folder, `${tag}.md`), page(tag, shown, operations))
  }
}

interface ApiDocument {
  paths: Record<string, Record<string, DocumentedOperation>>
  components: { schemas: Record<string, Schema> }
}

const page = (
  tag: string,
  shown: readonly { operation: DocumentedOperation }[],
  operations: ShownOperation[],
): string => `---
outline: 2
---
<script setup>
import operations from './${tag}.json'
</script>

# ${titles[tag] ?? tag[0]!.toUpperCase() + tag.slice(1)}

${shown
  .map(
    ({ operation }, i) => `## ${operation.summary} {#${operations[i]!.id}}

<ApiOperation :operation="operations[${i}]" />
`,
  )
  .join('\n')}`

function shownOperation(
  { components }: ApiDocument,
  path: string,
  method: string,
  operation: DocumentedOperation,
): ShownOperation {
  const resolve = (schema: Schema | undefined): Schema | undefined =>
    schema?.$ref ? components.schemas[schema.$ref.split('/').at(-1)!] : schema
  const bodies = Object.values(operation.requestBody?.content ?? {}).map(({ schema }) => resolve(schema))
  const body = bodies.find((schema) => schema?.properties)
  const given = (operation.parameters ?? []).map((each) => ({
    name: each.name,
    in: each.in,
    type: typeName(each.schema ?? firstSchema(each as Content)),
    required: each.required === true,
    description: each.description ?? '',
  }))
  const success = Object.entries(operation.responses).find(([status]) => status.startsWith('2'))?.[1]
  return {
    id: operation.operationId,
    method: method.toUpperCase(),
    path,
    isPublic: (operation.security ?? []).some((each) => Object.keys(each).length === 0),
    description: operation.description ?? '',
    params: [...given, ...fieldsOf(body)],
    result: fieldsOf(resolve(firstSchema(success))).filter(({ name }) => name !== 'result' && name !== 'msg'),
  }
}

const firstSchema = (content: Content | undefined): Schema | undefined =>
  Object.values(content?.content ?? {})[0]?.schema

const fieldsOf = (schema: Schema | undefined): Field[] =>
  Object.entries(schema?.properties ?? {}).map(([name, value]) => ({
    name,
    in: 'body',
    type: typeName(value),
    required: schema?.required?.includes(name) ?? false,
    description: value.description ?? '',
  }))

const MOST_CHOICES = 8

/** Returns a type in a few words, as TypeScript writes it, with its limits. */
function typeName(schema: Schema | undefined): string {
  if (!schema) return 'any'
  const choices = schema.anyOf ?? schema.oneOf
  if (schema.$ref) return schema.$ref.split('/').at(-1)!
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  if (schema.enum) {
    const more = schema.enum.length > MOST_CHOICES ? ' | …' : ''
    return (
      schema.enum
        .slice(0, MOST_CHOICES)
        .map((each) => JSON.stringify(each))
        .join(' | ') + more
    )
  }
  if (choices) return [...new Set(choices.map(typeName))].join(' | ')
  if (schema.type === 'array') {
    const item = typeName(schema.items ?? schema.prefixItems?.[0])
    return `${item.includes(' ') ? `(${item})` : item}[]${schema.maxItems ? `, at most ${number(schema.maxItems)}` : ''}`
  }
  const limit = schema.maxLength ? `, at most ${number(schema.maxLength)} characters` : ''
  return `${[schema.type ?? 'any'].flat().join(' | ')}${limit}`
}

const number = (value: number): string => value.toLocaleString('en-US')
