import { execFileSync, spawn } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'

const packages = [
  ...['prosody', 'lua5.4', 'liblua5.4-0', 'lua-expat', 'lua-filesystem', 'lua-sec', 'lua-socket', 'lua-unbound'],
  ...['libunbound8', 'libevent-2.1-7', 'libicu72'],
]

/** Prosody from its Debian packages, unpacked into a folder: nothing is installed, no service started. */
export async function startProsody(folder: string, port: number): Promise<{ stop(): Promise<void> }> {
  const root = join(folder, 'root')
  mkdirSync(join(folder, 'data'), { recursive: true })
  execFileSync('apt-get', ['-qq', 'download', ...packages], { cwd: folder, stdio: ['ignore', 'ignore', 'ignore'] })
  for (const file of readdirSync(folder).filter((name) => name.endsWith('.deb'))) {
    execFileSync('dpkg', ['-x', file, root], { cwd: folder })
  }
  const source = join(root, 'usr/lib/prosody')
  const program = readFileSync(join(root, 'usr/bin/prosody'), 'utf8')
    .replaceAll('/usr/lib/prosody', source)
    .replaceAll('/etc/prosody', folder)
    .replaceAll('/var/lib/prosody', join(folder, 'data'))
  writeFileSync(join(folder, 'prosody.lua'), program)
  writeFileSync(join(folder, 'prosody.cfg.lua'), configuration(folder, port))
  const lua = join(root, 'usr/share/lua/5.4')
  const native = join(root, 'usr/lib/x86_64-linux-gnu')
  const child = spawn(join(root, 'usr/bin/lua5.4'), [join(folder, 'prosody.lua'), '-F'], {
    stdio: process.env.VERBOSE ? 'inherit' : 'ignore',
    env: {
      ...process.env,
      LUA_PATH: `${lua}/?.lua;${lua}/?/init.lua;;`,
      LUA_CPATH: `${native}/lua/5.4/?.so;;`,
      LD_LIBRARY_PATH: native,
      PROSODY_CONFIG: join(folder, 'prosody.cfg.lua'),
    },
  })
  await untilOpen(port)
  return {
    async stop() {
      const ended = new Promise((resolve) => child.once('exit', resolve))
      child.kill()
      await ended
    },
  }
}

/** Messages are kept, as ours are: in the archive of the room, on disk. */
const configuration = (folder: string, port: number) => `
run_as_root = true
daemonize = false
data_path = "${join(folder, 'data')}"
certificates = "${folder}"
modules_enabled = { "saslauth"; "disco"; "mam" }
modules_disabled = { "s2s"; "tls" }
c2s_require_encryption = false
allow_unencrypted_plain_auth = true
c2s_ports = { ${port} }
interfaces = { "127.0.0.1" }
limits = {}
log = { error = "*console" }
VirtualHost "localhost"
  authentication = "anonymous"
Component "rooms.localhost" "muc"
  modules_enabled = { "muc_mam" }
  muc_room_locking = false
  muc_log_by_default = true
`

async function untilOpen(port: number): Promise<void> {
  for (let tries = 0; tries < 100; tries++) {
    const isOpen = await new Promise<boolean>((resolve) => {
      const socket = connect(port, '127.0.0.1', () => resolve(true)).once('error', () => resolve(false))
      socket.once('connect', () => socket.destroy())
    })
    if (isOpen) return
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  throw new Error('Prosody did not start; VERBOSE=1 shows why')
}
