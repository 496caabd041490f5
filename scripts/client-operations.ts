// `npm run operations` writes src/client/operations.ts from the routes of the server. A test fails when it is behind.
import { writeFileSync } from 'node:fs'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { routes } from '../src/http/routes/api.ts'

export const operationsFile = fileURLToPath(new URL('../src/client/operations.ts', import.meta.url))

const header = `/**
 * Method and path of every action that answers with JSON, by the name under which the library exports it.
 * Written by \`npm run operations\` from the routes of the server.
 */
`

/** The file as it should be. An action with several paths is reached by the first. */
export function operationsText(): string {
  const lines = new Map<string, string>()
  for (const [path, row] of Object.entries(routes)) {
    for (const [method, action] of Object.entries(row)) {
      if (lines.has(action.name) || (action.answers ?? 'json') !== 'json') continue
      const entry = [method, path.replaceAll(/\(.*?\)/g, ''), ...(action.file?.field ? [action.file.field] : [])]
      lines.set(action.name, `  ${action.name}: [${entry.map((text) => `'${text}'`).join(', ')}],\n`)
    }
  }
  const sorted = [...lines].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, line]) => line)
  return `${header}export const operations = {\n${sorted.join('')}} as const\n`
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) writeFileSync(operationsFile, operationsText())
