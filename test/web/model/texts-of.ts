import { readFileSync } from 'node:fs'
import { type ESTree, parseAst } from 'vite'
import { root } from '../../../scripts/imports.ts'
import { first } from '../../../web/texts/en/first.ts'
import { pages } from '../../../web/texts/en/pages.ts'
import { pieces } from '../../../web/texts/en/pieces.ts'
import { translations } from '../../../web/texts/languages.ts'
import type { Language } from '../../../web/texts/plural.ts'

export type Text = string | ((...values: never[]) => string)
/** The texts of a language by their paths, such as `pages.move.title`. */
export type Catalog = ReadonlyMap<string, Text>

const partNames = ['first', 'pages', 'pieces'] as const

function flat(value: unknown, path: string, found: Map<string, Text>): void {
  if (typeof value !== 'object' || value === null) found.set(path, value as Text)
  else for (const [name, inner] of Object.entries(value)) flat(inner, `${path}.${name}`, found)
}

function catalog(parts: readonly object[]): Catalog {
  const found = new Map<string, Text>()
  for (const [i, part] of parts.entries()) flat(part, partNames[i]!, found)
  return found
}

export const english: Catalog = catalog([first, pages, pieces])

/** The texts of all translations. */
export const translated: ReadonlyMap<Language, Catalog> = new Map(
  await Promise.all(
    Object.entries(translations).map(async ([language, load]): Promise<[Language, Catalog]> => {
      const { first, rest } = await load()
      const [{ pages }, { pieces }] = await rest()
      return [language as Language, catalog([first, pages, pieces])]
    }),
  ),
)

/** The types of the parameters of each English text that has some, as they are written. */
export const parameterTypes: ReadonlyMap<string, readonly string[]> = new Map(partNames.flatMap(parametersIn))

function parametersIn(part: string): [path: string, types: string[]][] {
  const code = readFileSync(`${root}/web/texts/en/${part}.ts`, 'utf8')
  const found: [string, string[]][] = []
  const visit = (node: ESTree.Node, path: string): void => {
    if (node.type === 'ObjectExpression')
      for (const member of node.properties)
        if (member.type === 'Property' && member.key.type === 'Identifier')
          visit(member.value, `${path}.${member.key.name}`)
    if (node.type !== 'ArrowFunctionExpression') return
    const types = node.params.map((one) => {
      const annotation = 'typeAnnotation' in one ? one.typeAnnotation?.typeAnnotation : undefined
      return annotation ? code.slice(annotation.start, annotation.end) : ''
    })
    found.push([path, types])
  }
  for (const node of parseAst(code, { lang: 'ts' }).body)
    if (node.type === 'ExportNamedDeclaration' && node.declaration?.type === 'VariableDeclaration')
      for (const { init } of node.declaration.declarations) if (init) visit(init, part)
  return found
}
