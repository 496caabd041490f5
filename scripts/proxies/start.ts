import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { freePort } from '../free-port.ts'

export interface RunningProxy {
  name: string
  /** The HTTPS port for chat.example.com. */
  port: number
  process: ChildProcess
  /** The access log, if there is one. */
  accessLog?: string
}

const configured = (name: string): string => readFileSync(new URL(`../../deploy/${name}`, import.meta.url), 'utf8')

/** Starts nginx with deploy/nginx.conf. Only the ports and the place of the certificate differ. */
export async function startNginx(program: string, folder: string, upstream: number): Promise<RunningProxy> {
  const [https, http] = [await freePort(), await freePort()]
  const certificate = makeCertificate(folder)
  const site = configured('nginx.conf')
    .replaceAll('127.0.0.1:9991', `127.0.0.1:${upstream}`)
    .replaceAll('/etc/letsencrypt/live/chat.example.com', certificate)
    .replaceAll('/var/log/nginx', folder)
    .replace(/listen (\[::\]:)?443/g, (_, six = '') => `listen ${six}${https}`)
    .replace(/listen (\[::\]:)?80;/g, (_, six = '') => `listen ${six}${http};`)
  const places = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (each) => `${each}_temp_path ${folder}/${each};`,
  )
  const all = [
    'daemon off; master_process off;',
    `pid ${folder}/nginx.pid; error_log stderr; events { worker_connections 1000; }`,
    `http { access_log off; ${places.join(' ')}`,
    site,
    '}',
  ]
  writeFileSync(join(folder, 'nginx.conf'), all.join('\n'))
  const child = spawn(program, ['-p', folder, '-c', join(folder, 'nginx.conf')], {
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  return ready({ name: 'nginx', port: https, process: child, accessLog: join(folder, 'chat-server.log') })
}

/** Starts Caddy with deploy/Caddyfile, with options that set its own ports and certificates. */
export async function startCaddy(program: string, folder: string, upstream: number): Promise<RunningProxy> {
  const [https, http] = [await freePort(), await freePort()]
  const options = ['local_certs', 'skip_install_trust', 'admin off', `http_port ${http}`, `https_port ${https}`]
  const file = join(folder, 'Caddyfile')
  writeFileSync(file, `{\n\t${options.join('\n\t')}\n\tlog {\n\t\tlevel ERROR\n\t}\n}\n\n${configured('Caddyfile')}`)
  const env = {
    ...process.env,
    CHAT_UPSTREAM: `127.0.0.1:${upstream}`,
    HOME: folder,
    XDG_DATA_HOME: folder,
    XDG_CONFIG_HOME: folder,
  }
  const child = spawn(program, ['run', '--adapter', 'caddyfile', '--config', file], {
    env,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  return ready({ name: 'Caddy', port: https, process: child })
}

/** Waits until the proxy accepts connections. */
async function ready(proxy: RunningProxy): Promise<RunningProxy> {
  for (let i = 0; i < 100; i++) {
    if (proxy.process.exitCode !== null) break
    if (await takesConnections(proxy.port)) return proxy
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  throw new Error(`${proxy.name} does not start`)
}

async function takesConnections(port: number): Promise<boolean> {
  const { connect } = await import('node:net')
  const socket = connect(port, '127.0.0.1')
  return new Promise((resolve) => {
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false))
    socket.once('connect', () => socket.destroy())
  })
}

function makeCertificate(folder: string): string {
  const place = join(folder, 'certificate')
  mkdirSync(place)
  const subject = ['-subj', '/CN=chat.example.com', '-addext', 'subjectAltName=DNS:chat.example.com']
  const files = ['-keyout', join(place, 'privkey.pem'), '-out', join(place, 'fullchain.pem')]
  execFileSync('openssl', ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', ...subject, ...files], {
    stdio: 'ignore',
  })
  return place
}
