// Installs the browser that the tests of the web client need, where none is: Debian's Chromium. Ends with 1 where it cannot.
import { spawnSync } from 'node:child_process'
import { browserPath } from '../test/web/browser.ts'

const apt = (...args: string[]) =>
  spawnSync('apt-get', ['-qy', ...args], {
    stdio: 'inherit',
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  }).status === 0
const install = () => apt('install', '--no-install-recommends', 'chromium')

if (browserPath() === undefined) {
  // The lists of packages may be missing or old.
  if (!install() && !(apt('update') && install())) console.error('Chromium could not be installed')
}
const path = browserPath()
console.log(path === undefined ? 'there is no browser' : `the browser is ${path}`)
process.exit(path === undefined ? 1 : 0)
