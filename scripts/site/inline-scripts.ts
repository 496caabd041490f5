import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Moves the inline scripts of built pages into files, since the server's policy allows no inline script. Pages share most
 * of them.
 */
export function moveScriptsToFiles(folder: string): void {
  const written = new Set<string>()
  mkdirSync(join(folder, 'assets'), { recursive: true })
  for (const page of htmlFiles(folder)) {
    const text = readFileSync(join(folder, page), 'utf8')
    const changed = text.replaceAll(/<script\b([^>]*)>([\s\S]+?)<\/script>/g, (_, attributes: string, code: string) => {
      const name = `script.${createHash('sha256').update(code).digest('hex').slice(0, 8)}.js`
      if (!written.has(name)) writeFileSync(join(folder, 'assets', name), code)
      written.add(name)
      return `<script${attributes} src="/docs/assets/${name}"></script>`
    })
    writeFileSync(join(folder, page), changed)
  }
}

/** Returns the paths of the pages below a folder. */
export function htmlFiles(folder: string): string[] {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  return files.filter((file) => file.endsWith('.html'))
}
