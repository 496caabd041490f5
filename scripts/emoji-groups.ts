// Writes the categories of emoji that the web client shows, in the order of the Unicode standard:
// `node --import tsx scripts/emoji-groups.ts`
import { readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'

interface Entry {
  hexcode: string
  group?: number
  order?: number
}

/** The groups of the standard, in the order in which the client shows them. The third has parts of emoji. */
const GROUPS = [0, 1, 3, 4, 5, 6, 7, 8, 9]
/** A sign that asks for a picture, which the codes of the server leave out. */
const VARIANT = /-fe0f/g

const require = createRequire(import.meta.url)
const all = JSON.parse(readFileSync(require.resolve('emojibase-data/en/compact.json'), 'utf8')) as Entry[]
const known = JSON.parse(readFileSync('src/core/markup/emoji/names.json', 'utf8')) as string[]
const codes = new Map(known.map((entry) => [entry.split(' ')[0]!.replace(VARIANT, ''), entry.split(' ')[0]!]))
const groups = GROUPS.map((group) =>
  all
    .filter((entry) => entry.group === group)
    .sort((a, b) => a.order! - b.order!)
    .flatMap(({ hexcode }) => codes.get(hexcode.toLowerCase().replace(VARIANT, '')) ?? [])
    .join(' '),
)
const lines = groups.map((codes) => `  '${codes}',\n`).join('')
const comment = '/** The codes of emoji by category. Written by scripts/emoji-groups.ts. */'
writeFileSync(
  'web/model/writing/emoji-groups.ts',
  `${comment}\nexport const emojiGroups: readonly string[] = [\n${lines}]\n`,
)
console.log(groups.map((group) => group.split(' ').length).join(', '), 'of', known.length)
