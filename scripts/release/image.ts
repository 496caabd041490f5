import { appendFileSync, chmodSync, chownSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { placeTree } from './deb.ts'
import type { Platform } from './platforms.ts'
import { run } from './tools.ts'
import type { Tree } from './tree.ts'

/** The user of the server. The number stays the same in every version because the files of a volume belong to it. */
const USER = 10001

const needed = ['base-files', 'busybox-static', 'libc6', 'libgcc-s1', 'libstdc++6']
const unused = ['/usr/share/man/*', '/usr/lib/*/gconv/*', '/usr/bin/mawk']

/** Asks the port that is served. Has no single quotes because it stands between them. */
const check =
  'fetch(`http://127.0.0.1:`.concat(process.env.CHAT_PORT ?? 9991, `/health/ready`)).then((answer) => process.exit(answer.ok ? 0 : 1))'

/** Storage in plain folders works everywhere, also inside a container. */
const buildah = (...args: string[]): string => run('buildah', ['--storage-driver', 'vfs', ...args])

/**
 * Builds the image: a Debian root with only the libraries of Node and a shell, and the tree. The archive has Docker's
 * format, since OCI's has no health checks.
 *
 * @param file - ends with `.tar.xz`
 * @param quick - compresses little, for tests
 */
export function buildImage(tree: Tree, { debian }: Platform, file: string, quick = false): void {
  const folder = mkdtempSync(join(tmpdir(), 'chat-server-image-'))
  const archive = file.replace(/\.xz$/, '')
  const name = `localhost/chat-server:${tree.version}`
  let container: string | undefined
  try {
    makeRoot(tree, debian, folder)
    container = buildah('from', '--format', 'docker', '--arch', debian, 'scratch')
    const mounted = buildah('mount', container)
    run('cp', ['-a', `${folder}/.`, mounted])
    buildah('unmount', container)
    const labels = { title: 'chat-server', version: tree.version, licenses: 'MIT' }
    buildah(
      'config',
      ...Object.entries(labels).flatMap(([key, value]) => ['--label', `org.opencontainers.image.${key}=${value}`]),
      ...['--arch', debian, '--user', String(USER), '--volume', '/data', '--port', '9991', '--workingdir', '/data'],
      ...['--env', 'CHAT_DB=/data/chat.db', '--env', 'CHAT_HOST=0.0.0.0'],
      ...['--env', 'PATH=/usr/bin', '--entrypoint', '["/usr/bin/chat-server"]'],
      ...['--healthcheck', `CMD /usr/lib/chat-server/bin/node -e '${check}'`],
      ...['--healthcheck-start-period', '60s'],
      container,
    )
    const image = buildah('commit', '--quiet', '--format', 'docker', '--rm', container)
    container = undefined
    try {
      buildah('push', '--quiet', image, `docker-archive:${archive}:${name}`)
    } finally {
      buildah('rmi', image)
    }
    // Debian 12's Podman can't read archives that gzip compressed.
    run('xz', ['-T0', quick ? '-0' : '-6', archive])
  } finally {
    if (container) buildah('rm', container)
    rmSync(folder, { recursive: true })
    rmSync(archive, { force: true })
  }
}

function makeRoot(tree: Tree, architecture: string, folder: string): void {
  const excluded = unused.map((path) => `--dpkgopt=path-exclude=${path}`)
  const options = ['--quiet', '--variant=extract', `--architectures=${architecture}`, `--include=${needed}`]
  run('mmdebstrap', [...options, ...excluded, 'trixie', folder])
  chmodSync(folder, 0o755)
  symlinkSync('busybox', join(folder, 'usr/bin/sh'))
  placeTree(tree, folder)
  appendFileSync(
    join(folder, 'etc/passwd'),
    `root:x:0:0:root:/root:/bin/sh\nchat-server:x:${USER}:${USER}::/data:/bin/sh\n`,
  )
  appendFileSync(join(folder, 'etc/group'), `root:x:0:\nchat-server:x:${USER}:\n`)
  // A volume takes owner and mode from the image's folder.
  const data = join(folder, 'data')
  mkdirSync(data, { mode: 0o700 })
  chownSync(data, USER, USER)
}
