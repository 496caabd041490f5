// `npm run release` makes everything that people install, in release/, for each platform. `npm run release -- amd64`
// makes the files of one platform only.
import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { buildDeb } from './deb.ts'
import { buildExecutable } from './executable.ts'
import { buildImage } from './image.ts'
import { type Platform, platforms, thisPlatform } from './platforms.ts'
import { pack, root } from './tarball.ts'
import { needTools, run } from './tools.ts'
import { installTree } from './tree.ts'

/**
 * Makes the release files of these platforms in an empty folder, with a bill of materials and checksums.
 *
 * @param quick - compresses little, for tests
 */
export async function release(folder: string, wanted: readonly Platform[], quick = false): Promise<void> {
  if (process.getuid?.() !== 0) throw new Error('Run as root: the files of the image belong to several users.')
  needTools('dpkg-deb', 'xz', 'mmdebstrap', 'buildah', 'strip', ...wanted.map(({ strip }) => strip))
  // Files in packages are no newer than the commit, so that the same commit makes the same package.
  process.env.SOURCE_DATE_EPOCH ??= run('git', ['log', '-1', '--format=%ct'], { cwd: root })
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  const tarball = pack(folder)
  for (const platform of wanted) {
    using tree = installTree(tarball, platform)
    const { version, bill } = tree
    writeFileSync(join(folder, `chat-server-${version}-${platform.debian}.cdx.json`), bill)
    buildDeb(tree, platform, join(folder, `chat-server_${version}_${platform.debian}.deb`), quick)
    buildImage(tree, platform, join(folder, `chat-server-${version}-image-${platform.debian}.tar.xz`), quick)
    if (platform === thisPlatform()) {
      const executable = join(folder, `chat-server-${version}-linux-${platform.debian}`)
      const licenses = await buildExecutable(executable)
      const ofNode = readFileSync(join(tree.folder, 'bin/LICENSE'), 'utf8')
      writeFileSync(`${executable}.licenses.txt`, `${licenses}\nNode.js\n\n${ofNode}`)
    }
  }
  const names = readdirSync(folder).sort()
  const sum = (name: string) =>
    createHash('sha256')
      .update(readFileSync(join(folder, name)))
      .digest('hex')
  writeFileSync(join(folder, 'SHA256SUMS'), names.map((name) => `${sum(name)}  ${name}\n`).join(''))
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const names = process.argv.slice(2)
  const wanted = platforms.filter(({ debian }) => names.length === 0 || names.includes(debian))
  if (wanted.length === 0)
    throw new Error(`no platform ${names}; there are ${platforms.map(({ debian }) => debian).join(', ')}`)
  const folder = resolve(root, 'release')
  await release(folder, wanted)
  for (const name of readdirSync(folder)) {
    console.log(`${(statSync(join(folder, name)).size / 2 ** 20).toFixed(1).padStart(7)} MiB  ${name}`)
  }
}
