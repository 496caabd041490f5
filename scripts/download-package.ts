import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Returns the path of a file in a folder. If it is missing, packages of Debian are unpacked there. Installing them would need
 * root, and start services. Returns undefined if they can't be fetched.
 */
export function fromPackages(folder: string, file: string, names: readonly string[]): string | undefined {
  const unpacked = join(folder, file)
  if (!existsSync(unpacked)) for (const name of names) unpack(folder, name)
  return existsSync(unpacked) ? unpacked : undefined
}

function unpack(folder: string, name: string): void {
  mkdirSync(folder, { recursive: true })
  const apt = (...args: string[]) =>
    spawnSync('apt-get', ['-q', ...args], { cwd: folder, stdio: 'ignore' }).status === 0
  // The lists of packages may be missing or old, and only root may fetch them.
  if (!apt('download', name) && !(apt('update') && apt('download', name))) return
  const file = readdirSync(folder).find((entry) => entry.startsWith(`${name}_`))
  if (file) execFileSync('dpkg-deb', ['-x', join(folder, file), folder])
}
