import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Plugin } from 'vite'

const OPERATIONS = /\/src\/client\/operations\.ts$/
/** Has the names of operations only as entries of the audit log. */
const AUDIT_WORDS = /\/audit-words\.ts$/
const LINE = /^ {2}(\w+): \['(\w+)', '([^']+)'(?:, '(\w+)')?\],\n/gm

const root = join(import.meta.dirname, '..')

/**
 * Leaves operations that no file of the page names out of the build. The client has one for every action of the server,
 * and the page has no use for a third of them. The others are grouped by method, which compresses to less.
 */
export const usedOperations: Plugin = {
  name: 'used-operations',
  apply: 'build',
  enforce: 'pre',
  transform(code, id) {
    if (!OPERATIONS.test(id)) return null
    const used = wordsBelow(join(root, 'web'), join(root, 'src/client'))
    const rows: { method: string; path: string; text: string }[] = []
    for (const [, name = '', method = '', path = '', field] of code.matchAll(LINE)) {
      if (used.has(name)) rows.push({ method, path, text: [name, path, ...(field ? [field] : [])].join(' ') })
    }
    // Equal beginnings stand together.
    rows.sort((a, b) => (a.path < b.path ? -1 : 1))
    const byMethod: Record<string, string> = {}
    for (const { method, text } of rows) byMethod[method] = byMethod[method] ? `${byMethod[method]},${text}` : text
    return `export const operations = Object.fromEntries(Object.entries(${JSON.stringify(byMethod)}).flatMap(([method, all]) =>
      all.split(',').map((one) => { const [name, ...rest] = one.split(' '); return [name, [method, ...rest]] })))`
  },
}

/** The words of all scripts in these folders that may call operations. */
function wordsBelow(...folders: string[]): ReadonlySet<string> {
  const words = new Set<string>()
  for (const folder of folders)
    for (const file of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
      const path = join(folder, file)
      if (!/\.tsx?$/.test(file) || OPERATIONS.test(path) || AUDIT_WORDS.test(path)) continue
      for (const [word] of readFileSync(path, 'utf8').matchAll(/\w+/g)) words.add(word)
    }
  return words
}
