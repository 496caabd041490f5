import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const cache = fileURLToPath(new URL('../../node_modules/.cache/proxies', import.meta.url))

/** Finds nginx and Caddy, and downloads missing ones from Debian. Returns undefined if that is impossible. */
export function findPrograms(): { nginx: string; caddy: string } | undefined {
  const nginx = find('nginx', 'usr/sbin/nginx')
  const caddy = find('caddy', 'usr/bin/caddy')
  return nginx && caddy ? { nginx, caddy } : undefined
}

function find(name: string, path: string): string | undefined {
  const installed = spawnSync('sh', ['-c', `PATH="$PATH:/usr/sbin" command -v ${name}`], { encoding: 'utf8' })
  if (installed.status === 0) return installed.stdout.trim()
  const unpacked = join(cache, path)
  if (!existsSync(unpacked)) unpack(name)
  return existsSync(unpacked) ? unpacked : undefined
}

/** Unpacks a package into the cache. Installing it would start a service on port 80. */
function unpack(name: string): void {
  mkdirSync(cache, { recursive: true })
  const apt = (...args: string[]) => spawnSync('apt-get', ['-q', ...args], { cwd: cache, stdio: 'ignore' }).status === 0
  // The lists of packages may be missing or old, and only root may fetch them.
  if (!apt('download', name) && !(apt('update') && apt('download', name))) return
  const file = readdirSync(cache).find((entry) => entry.startsWith(`${name}_`))
  if (file) execFileSync('dpkg-deb', ['-x', join(cache, file), cache])
}
