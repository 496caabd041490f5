import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The SQLite driver, which the published package contains. */
export const DRIVER = 'better-sqlite3'

const installed = fileURLToPath(new URL(`../../node_modules/${DRIVER}`, import.meta.url))

/** What the driver needs at run time: its code and its binaries for every platform. */
const needed = ['lib', 'prebuilds', 'package.json', 'LICENSE']

/**
 * Copies the driver into an unpacked package, without its sources. npm 10 and 11 compile every dependency with a
 * `binding.gyp` in each `npm ci`, which fails without Python.
 */
export function bundleDriver(folder: string): void {
  const place = join(folder, 'node_modules', DRIVER)
  cpSync(installed, place, {
    recursive: true,
    filter: (path) => path === installed || needed.includes(relative(installed, path).split(sep)[0]!),
  })
  const file = join(place, 'package.json')
  // Its only dependency is for compiling.
  const { dependencies: _, ...manifest } = JSON.parse(readFileSync(file, 'utf8'))
  writeFileSync(file, `${JSON.stringify(manifest, null, 2)}\n`)
}
