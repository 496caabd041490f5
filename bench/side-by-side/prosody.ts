import { spawn } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Running, running, unpack, untilOpen } from './debian.ts'

const packages = [
  ...['prosody', 'lua5.4', 'liblua5.4-0', 'lua-expat', 'lua-filesystem', 'lua-sec', 'lua-socket', 'lua-unbound'],
  ...['libunbound8', 'libevent-2.1-7', 'libicu72'],
]

/** Prosody from its Debian packages. */
export async function startProsody(folder: string, port: number): Promise<Running> {
  const root = unpack(folder, packages)
  mkdirSync(join(folder, 'data'), { recursive: true })
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
  const server = running(child, 'SIGTERM')
  await untilOpen(port, 'Prosody').catch(async (error) => {
    await server.stop()
    throw error
  })
  return server
}

/** The room archives its messages on disk, as our server does. */
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
