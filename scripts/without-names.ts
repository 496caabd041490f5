import { readFileSync } from 'node:fs'
import { type ESTree, type Plugin, parseAst } from 'vite'

const TRANSLATION = /\/texts\/(?!en\/)[\w-]+\/(?:pages|pieces)\.ts$/

/**
 * Stores the later parts of a translation without the names of their texts, in the order of the English ones, which
 * `web/texts/in-order.ts` names again. A file is then a quarter smaller when compressed.
 */
export const withoutNames: Plugin = {
  name: 'without-names',
  apply: 'build',
  enforce: 'pre',
  transform: {
    filter: { id: TRANSLATION },
    handler(code, id) {
      const object = exportedObject(code)
      const texts = new Map(textsOf(object).map(([name, text]) => [name, code.slice(text.start, text.end)]))
      const names = englishNames(id.replace(/texts\/[\w-]+\/(\w+\.ts)$/, 'texts/en/$1'))
      const missing = names.filter((name) => !texts.has(name))
      if (missing.length > 0) this.error(`${id} lacks ${missing.join(', ')}`)
      const values = names.map((name) => texts.get(name)).join(',\n')
      const before = code.slice(0, object.start).replace(/: (?:Page|Piece)Texts =/, ' =')
      return `${before}[\n${values}\n]${code.slice(object.end)}`
    },
  },
}

const known = new Map<string, string[]>()

/** The names of all English texts of a file, in order. */
function englishNames(file: string): string[] {
  const names = known.get(file) ?? textsOf(exportedObject(readFileSync(file, 'utf8'))).map(([name]) => name)
  known.set(file, names)
  return names
}

function exportedObject(code: string): ESTree.Node {
  for (const node of parseAst(code, { lang: 'ts' }).body) {
    if (node.type !== 'ExportNamedDeclaration' || node.declaration?.type !== 'VariableDeclaration') continue
    const [exported] = node.declaration.declarations
    if (exported?.init) return exported.init
  }
  throw new Error('A file of texts exports one object')
}

/** All texts of an object, also in objects within it, by their paths. */
const textsOf = (node: ESTree.Node, path = ''): [path: string, text: ESTree.Node][] =>
  node.type !== 'ObjectExpression'
    ? [[path, node]]
    : node.properties.flatMap((member) =>
        member.type === 'Property' && member.key.type === 'Identifier'
          ? textsOf(member.value, `${path}.${member.key.name}`)
          : [],
      )
