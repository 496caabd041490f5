import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { root } from '../tarball.ts'
import { needTools, run } from '../tools.ts'

const cache = join(root, 'node_modules/.cache/release')
/** The oldest Debian that the package supports. */
const suite = 'bookworm'
const include = ['curl', 'dbus', 'procps', 'systemd', 'systemd-sysv']

/** A folder with a Debian that has systemd, and no Node, npm or compiler. */
export interface Machine extends Disposable {
  folder: string
}

/** Creates a Debian system, from an earlier archive if there is one. */
export function makeMachine(): Machine {
  needTools('mmdebstrap', 'systemd-nspawn')
  const archive = join(cache, `${suite}-${include.join('-')}.tar`)
  if (!existsSync(archive)) {
    mkdirSync(cache, { recursive: true })
    const options = ['--quiet', '--variant=minbase', '--format=tar', `--include=${include}`]
    run('mmdebstrap', [...options, suite, `${archive}.unfinished`])
    renameSync(`${archive}.unfinished`, archive)
  }
  const folder = mkdtempSync(join(tmpdir(), 'chat-server-machine-'))
  run('tar', ['-xf', archive, '-C', folder])
  return { folder, [Symbol.dispose]: () => rmSync(folder, { recursive: true }) }
}

/** Boots a machine with its own network, runs a script in it and shuts it down. Throws when the script fails. */
export function boot({ folder }: Machine, script: string, ...args: string[]): void {
  const service = `[Service]
Type=oneshot
ExecStart=/bin/sh -c 'sh /checked.sh ${args.join(' ')} >/output 2>&1 && touch /passed; systemctl poweroff'
[Install]
WantedBy=multi-user.target
`
  writeFileSync(join(folder, 'checked.sh'), script)
  writeFileSync(join(folder, 'etc/systemd/system/check.service'), service)
  run('systemctl', ['--root', folder, 'enable', '--quiet', 'check.service'])
  const options = ['--quiet', '--register=no', '--keep-unit', '--private-network', '--link-journal=no']
  try {
    run('systemd-nspawn', [...options, '-D', folder, '--boot'], { stdio: 'ignore', timeout: 900_000 })
  } finally {
    const output = join(folder, 'output')
    if (existsSync(output)) console.log(readFileSync(output, 'utf8').trimEnd())
  }
  if (!existsSync(join(folder, 'passed'))) throw new Error('the check inside the machine failed')
}
