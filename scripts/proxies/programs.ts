import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { fromPackages } from '../download-package.ts'

const cache = fileURLToPath(new URL('../../node_modules/.cache/proxies', import.meta.url))

/** Finds nginx and Caddy, and downloads missing ones from Debian. Returns undefined if that is impossible. */
export function findPrograms(): { nginx: string; caddy: string } | undefined {
  const nginx = find('nginx', 'usr/sbin/nginx')
  const caddy = find('caddy', 'usr/bin/caddy')
  return nginx && caddy ? { nginx, caddy } : undefined
}

function find(name: string, path: string): string | undefined {
  const installed = spawnSync('sh', ['-c', `PATH="$PATH:/usr/sbin" command -v ${name}`], { encoding: 'utf8' })
  return installed.status === 0 ? installed.stdout.trim() : fromPackages(cache, path, [name])
}
