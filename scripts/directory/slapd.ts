import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { certificate, key } from '../../test/mail/certificate.ts'
import { fromPackages } from '../download-package.ts'
import { freePort } from '../free-port.ts'

const cache = fileURLToPath(new URL('../../node_modules/.cache/slapd', import.meta.url))
const packages = ['libodbc2', 'libltdl7', 'libwrap0', 'libperl5.36', 'libargon2-1', 'slapd']

/** Finds OpenLDAP's server, or downloads it from Debian. Returns undefined if it can't run here. */
export function findSlapd(): string | undefined {
  const program = fromPackages(cache, 'usr/sbin/slapd', packages)
  if (!program) return undefined
  // Its version goes to stderr. Missing libraries are another status.
  return spawnSync(program, ['-V'], { env: environment() }).status === 1 ? program : undefined
}

function environment(): NodeJS.ProcessEnv {
  const folders = ['usr/lib', 'lib'].flatMap((lib) => {
    const folder = join(cache, lib)
    const own = existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith('-linux-gnu')) : []
    return own.map((name) => join(folder, name))
  })
  return { ...process.env, LD_LIBRARY_PATH: folders.join(':') }
}

export interface Slapd {
  process: ChildProcess
  /** Ports for ldap:// with StartTLS, and for ldaps://. */
  port: number
  securePort: number
}

export const BASE = 'dc=example,dc=com'
export const READER = { dn: `cn=chat,${BASE}`, password: 'the reader' }

/** Starts a directory with these entries, in LDIF. Everybody but the reader gets at most 100 entries. */
export async function startSlapd(program: string, folder: string, ldif: string): Promise<Slapd> {
  const file = (name: string, content: string) => {
    writeFileSync(join(folder, name), content)
    return join(folder, name)
  }
  mkdirSync(join(folder, 'data'))
  const schema = ['core', 'cosine', 'inetorgperson'].map((name) => `include ${cache}/etc/ldap/schema/${name}.schema`)
  const config = file(
    'slapd.conf',
    [
      ...schema,
      `modulepath ${cache}/usr/lib/ldap`,
      'moduleload back_mdb',
      // As Active Directory does: a bind without a password succeeds.
      'allow bind_anon_dn',
      `TLSCertificateFile ${file('certificate.pem', certificate)}`,
      `TLSCertificateKeyFile ${file('key.pem', key)}`,
      'database mdb',
      `suffix "${BASE}"`,
      `directory ${join(folder, 'data')}`,
      'maxsize 268435456',
      'sizelimit 100',
      `limits dn.exact="${READER.dn}" size=unlimited size.prtotal=unlimited`,
      'index objectClass,uid,mail,entryUUID eq',
      'index member eq',
      `access to attrs=userPassword by anonymous auth by * none`,
      'access to * by * read',
      '',
    ].join('\n'),
  )
  execFileSync(program, ['-T', 'add', '-q', '-f', config, '-l', file('entries.ldif', ldif)], { env: environment() })
  const [port, securePort] = [await freePort(), await freePort()]
  const urls = `ldap://127.0.0.1:${port} ldaps://127.0.0.1:${securePort}`
  const child = spawn(program, ['-f', config, '-h', urls, '-d', '0'], { env: environment(), stdio: 'ignore' })
  return { process: child, port, securePort }
}
