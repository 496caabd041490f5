import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Manifest, publishedManifest } from './manifest.ts'
import { run } from './tools.ts'

export const root = fileURLToPath(new URL('../..', import.meta.url))

/** Builds the package with the documentation site and packs it. Returns the path of the tarball. */
export function pack(folder: string): string {
  run('npm', ['run', '-s', 'build'], { cwd: root })
  run('npm', ['run', '-s', 'docs'], { cwd: root })
  return asPublished(packIn(root, folder, '--ignore-scripts'), folder)
}

/** Packs a tarball again under another version. */
export function packAs(version: string, tarball: string, folder: string): string {
  return repack(tarball, folder, (manifest) => ({ ...manifest, version }))
}

const asPublished = (tarball: string, folder: string): string =>
  repack(tarball, folder, (manifest) => publishedManifest(manifest, process.env.REPOSITORY))

function repack(tarball: string, folder: string, change: (manifest: Manifest) => Manifest): string {
  const unpacked = mkdtempSync(join(tmpdir(), 'chat-server-pack-'))
  try {
    run('tar', ['-xzf', tarball, '--strip-components=1', '-C', unpacked])
    const file = join(unpacked, 'package.json')
    writeFileSync(file, `${JSON.stringify(change(JSON.parse(readFileSync(file, 'utf8'))), null, 2)}\n`)
    return packIn(unpacked, folder)
  } finally {
    rmSync(unpacked, { recursive: true })
  }
}

const packIn = (source: string, folder: string, ...options: string[]): string => {
  const printed = run('npm', ['pack', '--silent', ...options, '--pack-destination', folder], { cwd: source })
  return join(folder, printed.split('\n').at(-1)!)
}
