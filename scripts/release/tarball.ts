import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { bundleDriver } from './driver.ts'
import { type Manifest, publishedManifest } from './manifest.ts'
import { npm, run } from './tools.ts'

export const root = fileURLToPath(new URL('../..', import.meta.url))

/** Builds the package with the documentation site and packs it. Returns the path of the tarball. */
export function pack(folder: string): string {
  npm(root, 'run', '-s', 'build')
  npm(root, 'run', '-s', 'docs')
  return packBuilt(folder)
}

/** Packs what the last build made, as it is published. Returns the path of the tarball. */
export function packBuilt(folder: string): string {
  return repack(packIn(root, folder, '--ignore-scripts'), folder, (manifest, unpacked) => {
    bundleDriver(unpacked)
    return publishedManifest(manifest, process.env.REPOSITORY)
  })
}

/** Packs a tarball again under another version. */
export function packAs(version: string, tarball: string, folder: string): string {
  return repack(tarball, folder, (manifest) => ({ ...manifest, version }))
}

function repack(tarball: string, folder: string, change: (manifest: Manifest, unpacked: string) => Manifest): string {
  // Beside the tarball, since GNU tar takes C: in a path of Windows for a machine.
  const unpacked = mkdtempSync(join(dirname(tarball), 'unpacked-'))
  try {
    const to = ['--strip-components=1', '-C', basename(unpacked)]
    run('tar', ['-xzf', basename(tarball), ...to], { cwd: dirname(tarball) })
    const file = join(unpacked, 'package.json')
    writeFileSync(file, `${JSON.stringify(change(JSON.parse(readFileSync(file, 'utf8')), unpacked), null, 2)}\n`)
    return packIn(unpacked, folder)
  } finally {
    rmSync(unpacked, { recursive: true })
  }
}

const packIn = (source: string, folder: string, ...options: string[]): string => {
  const printed = npm(source, 'pack', '--silent', ...options, '--pack-destination', folder)
  return join(folder, printed.split('\n').at(-1)!)
}
