// `npm run operations` writes the files that follow from the server's routes: src/client/operations.ts and the missing
// exports of src/index.ts. Tests fail if either is out of date.
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { routes } from '../src/http/routes/api.ts'
import { imports, root } from './imports.ts'

export const operationsFile = fileURLToPath(new URL('../src/client/operations.ts', import.meta.url))
const exportsFile = fileURLToPath(new URL('../src/index.ts', import.meta.url))

const header = `/**
 * Method and path of every action that answers with JSON, by the name under which the library exports it.
 * Written by \`npm run operations\` from the routes of the server.
 */
`

/** Returns the text of operations.ts. An action with several paths uses the first. */
export function operationsText(): string {
  const lines = new Map<string, string>()
  for (const [path, row] of Object.entries(routes)) {
    for (const [method, action] of Object.entries(row)) {
      if (lines.has(action.name) || (action.answers ?? 'json') !== 'json') continue
      const entry = [method, path.replaceAll(/\(.*?\)|\*\*/g, ''), ...(action.file?.field ? [action.file.field] : [])]
      lines.set(action.name, `  ${action.name}: [${entry.map((text) => `'${text}'`).join(', ')}],\n`)
    }
  }
  const sorted = [...lines].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, line]) => line)
  return `${header}export const operations = {\n${sorted.join('')}} as const\n`
}

/**
 * Returns the text of src/index.ts with the exports of all routed actions, each from the file that its route imports
 * it from.
 */
export function exportsText(text: string): string {
  const exported = (name: string) => new RegExp(`^(export \\{| ).*\\b${name}\\b`, 'm').test(text)
  const actions = new Set(Object.values(routes).flatMap((row) => Object.values(row).map((action) => action.name)))
  const missing = [...actions].filter((name) => !exported(name))
  const lines = missing.map((name) => {
    const { to } = imports.find(
      ({ from, names }) => from.startsWith('src/http/routes/') && new RegExp(`\\b${name}\\b`).test(names),
    )!
    return `export { ${name} } from './${to.slice('src/'.length)}'\n`
  })
  return text + lines.join('')
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  writeFileSync(operationsFile, operationsText())
  const before = readFileSync(exportsFile, 'utf8')
  const after = exportsText(before)
  if (after !== before) {
    writeFileSync(exportsFile, after)
    // Sorts the exports.
    execFileSync(join(root, 'node_modules/.bin/biome'), ['check', '--write', exportsFile], { stdio: 'inherit' })
  }
}
