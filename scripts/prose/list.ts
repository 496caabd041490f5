// `node --import tsx scripts/prose/list.ts` writes not-yet.ts again, after folders have moved or texts were rewritten.
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { check, commentTexts, type Text, testNames } from './check.ts'
import { notYetDocuments } from './not-yet.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const files = execFileSync('git', ['ls-files'], { cwd: root, encoding: 'utf8' }).split('\n').filter(Boolean)

/** Returns a file's folder, two levels deep and three in core; the file where it stands directly in one. */
function placeOf(file: string): string {
  const parts = file.split('/')
  const depth = file.startsWith('src/core/') ? 3 : 2
  return parts.length <= depth ? file : `${parts.slice(0, depth).join('/')}/`
}

function placesWith(wanted: RegExp, textsOf: (source: string) => Text[]): string[] {
  const found = files.filter(
    (file) =>
      wanted.test(file) &&
      !file.startsWith('scripts/prose/') &&
      check(textsOf(readFileSync(join(root, file), 'utf8'))).length > 0,
  )
  return [...new Set(found.map(placeOf))].sort()
}

const list = (name: string, paths: readonly string[]): string =>
  `export const ${name}: readonly string[] = [\n${paths.map((path) => `  '${path}',\n`).join('')}]\n`

writeFileSync(
  join(root, 'scripts/prose/not-yet.ts'),
  [
    '// Beginnings of paths whose texts are still to be rewritten. Remove a line once its texts pass.\n',
    list('notYetDocuments', notYetDocuments),
    list(
      'notYetComments',
      placesWith(/^(?:src|bin|web|bench|scripts|test|examples)\/.*\.(?:ts|tsx|css)$/, commentTexts),
    ),
    list('notYetTestNames', placesWith(/^test\/.*\.test\.ts$/, testNames)),
  ].join('\n'),
)
