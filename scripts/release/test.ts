// `npm run test:release` makes the release files of this platform and tries each one: it installs the file, sends a
// message, restarts, upgrades from an older version and removes it. There is no compiler, and Node only for the npm
// tarball. `npm run test:release -- FOLDER` tries files that `npm run release` made.

import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { freePort } from '../free-port.ts'
import { checkImage } from './check/image.ts'
import { boot, makeMachine } from './check/machine.ts'
import { start, stop } from './check/server.ts'
import { checkTarball } from './check/tarball.ts'
import { buildDeb } from './deb.ts'
import { buildImage } from './image.ts'
import { thisPlatform } from './platforms.ts'
import { release } from './release.ts'
import { packAs, root } from './tarball.ts'
import { needTools, run } from './tools.ts'
import { installTree } from './tree.ts'
import { tryExecutable } from './try-executable.ts'

/** The version of the files that upgrades begin with. */
const OLDER = '0.0.1'

const work = mkdtempSync(join(tmpdir(), 'chat-server-release-'))
try {
  const platform = thisPlatform()
  const folder = resolve(process.argv[2] ?? join(work, 'release'))
  if (process.argv[2] === undefined) await release(folder, [platform], true)
  run('sha256sum', ['--check', '--quiet', 'SHA256SUMS'], { cwd: folder })
  const file = (pattern: RegExp) => {
    const name = readdirSync(folder).find((each) => pattern.test(each))
    return join(folder, name ?? assert.fail(`no file like ${pattern} in ${folder}`))
  }
  const tarball = file(/\.tgz$/)
  const deb = file(new RegExp(`_${platform.debian}\\.deb$`))
  const image = file(new RegExp(`-image-${platform.debian}\\.tar\\.xz$`))
  const executable = file(new RegExp(`-linux-${platform.debian}$`))

  needTools('lintian', platform.strip)
  run('lintian', ['--fail-on', 'error,warning', deb], { stdio: 'inherit' })
  assert.ok(JSON.parse(readFileSync(file(/\.cdx\.json$/), 'utf8')).components.length > 50)

  const older = join(work, 'older')
  mkdirSync(older)
  const olderTarball = packAs(OLDER, tarball, older)
  await checkTarball(olderTarball, tarball)
  using tree = installTree(olderTarball, platform)
  {
    using machine = makeMachine()
    buildDeb(tree, platform, join(machine.folder, 'older.deb'), true)
    run('cp', [deb, join(machine.folder, 'new.deb')])
    boot(machine, readFileSync(new URL('./inside/deb.sh', import.meta.url), 'utf8'), '/older.deb', '/new.deb')
  }
  const previous = { file: join(older, 'image.tar.xz'), version: OLDER }
  buildImage(tree, platform, previous.file, true)
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  await checkImage(previous, { file: image, version }, join(work, 'podman'), await freePort())
  await tryExecutable(executable)
  // Twice, as the first start creates the database.
  for (const kind of ['first', 'second']) {
    const server = await start(executable, ['--port', '0'], older)
    console.log(`ok  executable: the ${kind} start takes ${server.milliseconds} ms`)
    await stop(server)
  }
  for (const name of readdirSync(folder)) {
    console.log(`${(statSync(join(folder, name)).size / 2 ** 20).toFixed(1).padStart(7)} MiB  ${name}`)
  }
} finally {
  rmSync(work, { recursive: true })
}
