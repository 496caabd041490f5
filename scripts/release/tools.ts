import { type ExecFileSyncOptions, execFileSync, spawnSync } from 'node:child_process'

/** Programs that releases are made and tested with, and the Debian packages that have them. */
const packages: Readonly<Record<string, string>> = {
  buildah: 'buildah',
  'dpkg-deb': 'dpkg',
  lintian: 'lintian',
  mmdebstrap: 'mmdebstrap debian-archive-keyring',
  podman: 'podman runc',
  strip: 'binutils',
  'systemd-nspawn': 'systemd-container',
  xz: 'xz-utils',
  'aarch64-linux-gnu-strip': 'binutils-aarch64-linux-gnu',
  'x86_64-linux-gnu-strip': 'binutils-x86-64-linux-gnu',
}

const environment = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }

/** Installs the Debian packages of the programs that are missing. Throws if a program is missing after that. */
export function needTools(...names: string[]): void {
  const missing = names.filter((name) => !isInstalled(name))
  if (missing.length === 0) return
  const apt = (...args: string[]) => spawnSync('apt-get', ['-qqy', ...args], { stdio: 'inherit', env: environment })
  const wanted = missing.flatMap((name) => packages[name]?.split(' ') ?? [])
  console.log(`installing ${wanted.join(', ')}`)
  const install = () => apt('install', '--no-install-recommends', ...wanted).status === 0
  // The package lists may be missing or old.
  if (!install() && apt('update').status === 0) install()
  const absent = missing.filter((name) => !isInstalled(name))
  if (absent.length > 0) throw new Error(`Install ${wanted.join(', ')} first: ${absent.join(', ')} not found.`)
}

const isInstalled = (name: string): boolean => spawnSync('sh', ['-c', `command -v ${name}`]).status === 0

/** Runs a program and returns its standard output without the last line break. Throws if the program fails. */
export function run(command: string, args: readonly string[], options: ExecFileSyncOptions = {}): string {
  const printed = execFileSync(command, args, {
    stdio: ['ignore', 'pipe', 'inherit'],
    maxBuffer: 1 << 26,
    ...options,
    encoding: 'utf8',
  })
  // Null unless the output is piped.
  return (printed ?? '').trimEnd()
}

/** Runs npm in a folder and returns its standard output. Throws if npm fails. */
export const npm = (cwd: string, ...args: readonly string[]): string =>
  // npm is a batch file on Windows.
  run('npm', args, { cwd, ...(process.platform === 'win32' && { shell: true }) })
