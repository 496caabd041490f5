import { spawn } from 'node:child_process'
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Running, running, unpack, untilOpen } from './debian.ts'

const erlang = ['asn1', 'base', 'crypto', 'dialyzer', 'eunit', 'ftp', 'inets', 'mnesia', 'odbc', 'os-mon', 'proper']
const more = ['public-key', 'runtime-tools', 'snmp', 'ssl', 'syntax-tools', 'tftp', 'tools', 'xmerl']
const libraries = ['base64url', 'goldrush', 'idna', 'jiffy', 'jose', 'lager', 'unicode-util-compat']
const ours = [
  'acme',
  'cache-tab',
  'eimp',
  'mqtree',
  'pkix',
  'stringprep',
  'stun',
  'tls',
  'utils',
  'xml',
  'xmpp',
  'yaml',
]
const packages = [
  'ejabberd',
  ...['libltdl7', 'libodbc2'],
  ...[...erlang, ...more, ...libraries, ...[...ours, 'yconf', 'zlib'].map((name) => `p1-${name}`)].map(
    (name) => `erlang-${name}`,
  ),
]

/** ejabberd from its Debian packages, alone: no other node can reach it, so it needs no cookie. */
export async function startEjabberd(folder: string, port: number): Promise<Running> {
  const root = unpack(folder, packages)
  const erl = join(root, 'usr/lib/erlang')
  const erts = readdirSync(erl).find((name) => name.startsWith('erts-'))!
  const native = join(root, 'usr/lib/x86_64-linux-gnu')
  for (const name of ['spool', 'logs']) mkdirSync(join(folder, name))
  writeFileSync(join(folder, 'ejabberd.yml'), configuration(port))
  const args = ['-noinput', '-boot', 'start', '-mnesia', 'dir', `"${join(folder, 'spool')}"`, '-s', 'ejabberd']
  const child = spawn(join(erl, erts, 'bin/erlexec'), args, {
    stdio: process.env.VERBOSE ? 'inherit' : 'ignore',
    env: {
      ...process.env,
      HOME: folder,
      ROOTDIR: erl,
      BINDIR: join(erl, erts, 'bin'),
      EMU: 'beam',
      PROGNAME: 'erl',
      ERL_LIBS: native,
      LD_LIBRARY_PATH: native,
      EJABBERD_CONFIG_PATH: join(folder, 'ejabberd.yml'),
      EJABBERD_LOG_PATH: join(folder, 'logs/ejabberd.log'),
    },
  })
  const server = running(child, 'SIGKILL')
  await untilOpen(port, 'ejabberd').catch(async (error) => {
    await server.stop()
    throw error
  })
  return server
}

/** The message archive, configured as Debian does. */
const configuration = (port: number) => `
hosts: [localhost]
loglevel: warning
auth_method: [anonymous]
anonymous_protocol: sasl_anon
listen:
  - { port: ${port}, ip: "127.0.0.1", module: ejabberd_c2s, starttls: false, shaper: none }
modules:
  mod_disco: {}
  mod_mam: { default: always, db_type: mnesia }
  mod_muc:
    host: rooms.localhost
    min_message_interval: 0
    default_room_options: { mam: true, persistent: false, max_users: 500 }
`
