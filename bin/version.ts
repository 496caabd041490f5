import { existsSync, readFileSync } from 'node:fs'

/** The version of this package, works in the source tree and in the compiled one. */
export function version(): string {
  const file = ['../package.json', '../../package.json']
    .map((path) => new URL(path, import.meta.url))
    .find((candidate) => existsSync(candidate))
  return file ? String(JSON.parse(readFileSync(file, 'utf8')).version) : 'unknown'
}
