// Writes the names and keywords of emoji in the languages of the web client, from the data of Unicode's CLDR:
// `node --import tsx scripts/emoji-names.ts FOLDER`. The folder has the unpacked packages `cldr-annotations-full` and
// `cldr-annotations-derived-full`, which `npm pack` downloads. They are too large to be installed for a rare update.
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'

type Annotations = Record<string, { default?: readonly string[]; tts?: readonly [string] }>

const [folder = '.'] = process.argv.slice(2)
const target = 'web/model/writing/emoji-names'
/** The page's languages, as CLDR names them. */
const languages = ['ar', 'de', 'es', 'fr', 'it', 'ja', 'nl', 'pl', 'pt', 'ru', 'uk', 'zh'] as const
const ours: Readonly<Record<string, string>> = { pt: 'pt-br', zh: 'zh-hans' }
/** Keywords of an emoji besides its name. More would double the files, which one language's readers load. */
const MOST_WORDS = 3
const VARIANT = /\ufe0f/g

const known = (JSON.parse(readFileSync('src/core/markup/emoji/names.json', 'utf8')) as string[]).map(
  (line) => line.split(' ')[0]!,
)
const characters = (code: string): string =>
  String.fromCodePoint(...code.split('-').map((point) => Number.parseInt(point, 16))).replace(VARIANT, '')

function annotationsOf(language: string): Map<string, Annotations[string]> {
  const read = (path: string, member: string): Annotations =>
    JSON.parse(readFileSync(join(folder, path, language, 'annotations.json'), 'utf8'))[member].annotations
  const all = { ...read('annotations', 'annotations'), ...read('annotationsDerived', 'annotationsDerived') }
  return new Map(Object.entries(all).map(([text, about]) => [text.replace(VARIANT, ''), about]))
}

/** A line for an emoji: its code, name and keywords, between tabs. */
function lineOf(code: string, about: Annotations[string] | undefined): string[] {
  const name = about?.tts?.[0]
  if (!name) return []
  const words = (about.default ?? []).filter((word) => !name.toLowerCase().includes(word.toLowerCase()))
  return [[code, name, ...words.slice(0, MOST_WORDS)].join('\t')]
}

mkdirSync(target, { recursive: true })
for (const language of languages) {
  const annotations = annotationsOf(language)
  const lines = known.flatMap((code) => lineOf(code, annotations.get(characters(code))))
  // Compressed once, and not also beside an uncompressed form: twelve languages would take a megabyte.
  const packed = gzipSync(lines.join('\n'), { level: 9 })
  writeFileSync(join(target, `${ours[language] ?? language}.bin`), packed)
  console.log(language, lines.length, 'of', known.length, 'emoji,', packed.length, 'bytes')
}
copyFileSync(join(folder, 'LICENSE'), 'web/public/emoji-names-license.txt')
