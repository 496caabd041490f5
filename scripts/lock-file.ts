// npm runs this as part of `prepare`, after it has written the lock file. It puts back `"gypfile": false` at the SQLite
// driver, which `npm install` removes. Without it, `npm ci` of npm 10 and 11 compiles the driver.
import { readFileSync, writeFileSync } from 'node:fs'
import { pathToFileURL } from 'node:url'

const DRIVER = /^( *)"node_modules\/better-sqlite3": \{\n *"version": "[^"]+",\n(?! *"gypfile")/m

/** Returns the text of a lock file in which npm has nothing to compile. */
export const withoutCompiling = (lock: string): string =>
  lock.replace(DRIVER, (start, indent) => `${start}${indent}  "gypfile": false,\n`)

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const file = new URL('../package-lock.json', import.meta.url)
  const lock = readFileSync(file, 'utf8')
  if (withoutCompiling(lock) !== lock) writeFileSync(file, withoutCompiling(lock))
}
