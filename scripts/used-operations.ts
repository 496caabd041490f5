import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Plugin } from 'vite'

const OPERATIONS = /\/src\/client\/operations\.ts$/
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
    const byMethod: Record<string, Record<string, string>> = {}
    for (const [, name = '', method = '', path = '', field] of code.matchAll(LINE)) {
      if (!used.has(name)) continue
      byMethod[method] ??= {}
      byMethod[method][name] = field ? `${path} ${field}` : path
    }
    return `export const operations = Object.fromEntries(Object.entries(${JSON.stringify(byMethod)}).flatMap(([method, paths]) =>
      Object.entries(paths).map(([name, path]) => [name, [method, ...path.split(' ')]])))`
  },
}

/** The words of all scripts in these folders, besides the operations themselves. */
function wordsBelow(...folders: string[]): ReadonlySet<string> {
  const words = new Set<string>()
  for (const folder of folders)
    for (const file of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
      const path = join(folder, file)
      if (!/\.tsx?$/.test(file) || OPERATIONS.test(path)) continue
      for (const [word] of readFileSync(path, 'utf8').matchAll(/\w+/g)) words.add(word)
    }
  return words
}
