// Installs Debian's Chromium for the tests of the web client: the whole browser and, if there is one, its headless shell.
// Exits with 1 if there is no browser afterwards.
import { spawnSync } from 'node:child_process'
import { browserPath, wholeBrowserPath } from '../test/web/browser.ts'

const apt = (...args: string[]) =>
  spawnSync('apt-get', ['-qy', ...args], {
    stdio: 'inherit',
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  }).status === 0
const install = (...packages: string[]) => apt('install', '--no-install-recommends', ...packages)
const isComplete = () => wholeBrowserPath() !== undefined && browserPath() !== wholeBrowserPath()

if (!process.env.CHROMIUM && !isComplete()) {
  // The lists of packages may be missing or old. Older systems have no headless shell.
  apt('update')
  if (!install('chromium', 'chromium-headless-shell') && !install('chromium'))
    console.error('Chromium could not be installed')
}
const paths = [...new Set([browserPath(), wholeBrowserPath()])].filter((path) => path !== undefined)
console.log(paths.length === 0 ? 'there is no browser' : `the tests use ${paths.join(' and ')}`)
process.exit(paths.length === 0 ? 1 : 0)
