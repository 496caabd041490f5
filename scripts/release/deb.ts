import { chmodSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { manual } from './manual.ts'
import type { Platform } from './platforms.ts'
import { root } from './tarball.ts'
import { run } from './tools.ts'
import type { Tree } from './tree.ts'

const own = (name: string): string => readFileSync(join(root, 'scripts/release/debian', name), 'utf8')

/** The systemd unit of the repository, with the command where the Debian package has it. */
export const unit = (): string =>
  readFileSync(join(root, 'deploy/chat-server.service'), 'utf8').replace(
    /^ExecStart=.*$/m,
    'ExecStart=/usr/bin/chat-server',
  )

/** Copies a tree to where Debian keeps programs, below `folder`, with the command that starts it. */
export function placeTree(tree: Tree, folder: string): void {
  cpSync(tree.folder, join(folder, 'usr/lib/chat-server'), { recursive: true, verbatimSymlinks: true })
  place(folder, 'usr/bin/chat-server', own('chat-server.sh'), 0o755)
}

/** Writes a file below `folder`. */
export function place(folder: string, path: string, content: string | Uint8Array, mode = 0o644): void {
  const file = join(folder, path)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, content)
  chmodSync(file, mode)
}

/**
 * Builds the Debian package. The maintainer's name and address come from `DEBFULLNAME` and `DEBEMAIL`, which
 * Debian's own tools use.
 *
 * @param quick - compresses little, for tests
 */
export function buildDeb(tree: Tree, platform: Platform, file: string, quick = false): void {
  const folder = mkdtempSync(join(tmpdir(), 'chat-server-deb-'))
  try {
    chmodSync(folder, 0o755)
    placeTree(tree, folder)
    place(folder, 'usr/lib/systemd/system/chat-server.service', unit())
    place(folder, 'etc/chat-server.env', readFileSync(join(root, 'deploy/chat-server.env')), 0o640)
    place(folder, 'usr/share/doc/chat-server/copyright', copyright(tree))
    place(folder, 'usr/share/doc/chat-server/changelog.gz', compressed(changelog(tree)))
    place(folder, 'usr/share/man/man1/chat-server.1.gz', compressed(manual(tree.version)))
    place(folder, 'usr/share/lintian/overrides/chat-server', own('lintian-overrides'))
    const size = run('du', ['-sk', '--apparent-size', folder]).split('\t')[0]!
    place(folder, 'DEBIAN/control', control(tree, platform, size))
    place(folder, 'DEBIAN/conffiles', '/etc/chat-server.env\n')
    for (const name of ['postinst', 'prerm', 'postrm']) place(folder, `DEBIAN/${name}`, own(name), 0o755)
    run('sh', ['-c', 'find etc usr -type f -print0 | sort -z | xargs -0 md5sum > DEBIAN/md5sums'], { cwd: folder })
    run('chmod', ['-R', 'go-w,a+rX', join(folder, 'usr')])
    const compression = quick ? ['-Zxz', '-z0'] : ['-Zxz']
    run('dpkg-deb', ['--root-owner-group', ...compression, '--build', folder, file])
  } finally {
    rmSync(folder, { recursive: true })
  }
}

const { DEBFULLNAME = 'The chat-server maintainers', DEBEMAIL = 'maintainers@chat-server.invalid' } = process.env
const maintainer = `${DEBFULLNAME} <${DEBEMAIL}>`

const compressed = (text: string): Uint8Array => gzipSync(text, { level: 9 })

const control = ({ version }: Tree, { debian }: Platform, size: string): string => `Package: chat-server
Version: ${version}
Architecture: ${debian}
Maintainer: ${maintainer}
Installed-Size: ${size}
Depends: adduser, libc6 (>= 2.28), libgcc-s1, libstdc++6 (>= 9)
Section: net
Priority: optional
Description: team-chat server from a single SQLite file, with a web client
 The server speaks the Zulip API, so existing clients, bots and mobile apps
 can use it. It keeps messages, files and settings in one SQLite database.
 .
 This package contains Node.js and everything else that the server needs,
 and runs it as a service.
`

const changelog = ({ version }: Tree): string => `chat-server (${version}) stable; urgency=medium

  * /usr/lib/chat-server/CHANGELOG.md lists the changes.

 -- ${maintainer}  ${run('date', ['-R', '-u', '-d', `@${process.env.SOURCE_DATE_EPOCH ?? Math.floor(Date.now() / 1000)}`])}
`

/** Returns Debian's copyright file: our license in full, and the location of the dependencies' licenses. */
function copyright({ bill, folder }: Tree): string {
  const { components } = JSON.parse(bill) as { components: Component[] }
  const license = (each: Component) =>
    each.licenses?.map((one) => one.license?.id ?? one.expression).join(', ') || 'see its files'
  const indented = (text: string) => text.trimEnd().replace(/^/gm, ' ').replace(/^ $/gm, ' .')
  return `Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/
Upstream-Name: chat-server
Comment: Contains other software under its own licenses. The texts are in
 /usr/lib/chat-server: bin/LICENSE for Node.js, dist/bin/LICENSES.txt and
 dist/web/web/licenses.md for what the program and its page contain, and the
 folders below node_modules for the other ones of these packages:
${components.map((each) => ` ${each.group ? `${each.group}/` : ''}${each.name} ${each.version}: ${license(each)}`).join('\n')}

Files: *
Copyright: ${/^Copyright (.*)$/m.exec(readFileSync(join(folder, 'LICENSE'), 'utf8'))![1]}
License: Expat

License: Expat
${indented(readFileSync(join(folder, 'LICENSE'), 'utf8').split('\n\n').slice(2).join('\n\n'))}
`
}

interface Component {
  group?: string
  name: string
  version: string
  licenses?: { license?: { id?: string }; expression?: string }[]
}
