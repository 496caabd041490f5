import { readFileSync } from 'node:fs'

let found: string | undefined

/** Returns the version of this package, from the source tree, the compiled files and the bundle alike. */
export function version(): string {
  found ??= nearestVersion(new URL('.', import.meta.url))
  return found
}

function nearestVersion(folder: URL): string {
  const { name, version } = packageIn(folder)
  if (name === 'chat-server' && version) return version
  const parent = new URL('..', folder)
  return parent.href === folder.href ? 'unknown' : nearestVersion(parent)
}

function packageIn(folder: URL): { name?: string; version?: string } {
  try {
    return JSON.parse(readFileSync(new URL('package.json', folder), 'utf8'))
  } catch {
    return {}
  }
}
