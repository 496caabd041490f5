import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { run } from './tools.ts'

export const root = fileURLToPath(new URL('../..', import.meta.url))

/** Members of package.json that only this repository uses. */
const ours = ['allowScripts', 'devDependencies', 'scripts', 'workspaces']

/** Builds the package and packs it. Returns the path of the tarball. */
export function pack(folder: string): string {
  return withoutOurs(packIn(root, folder), folder)
}

/** Packs a tarball again under another version. */
export function packAs(version: string, tarball: string, folder: string): string {
  return repack(tarball, folder, (manifest) => ({ ...manifest, version }))
}

const withoutOurs = (tarball: string, folder: string): string =>
  repack(tarball, folder, (manifest) =>
    Object.fromEntries(Object.entries(manifest).filter(([name]) => !ours.includes(name))),
  )

type Manifest = Record<string, unknown>

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

const packIn = (source: string, folder: string): string => {
  const printed = run('npm', ['pack', '--silent', '--pack-destination', folder], { cwd: source })
  return join(folder, printed.split('\n').at(-1)!)
}
