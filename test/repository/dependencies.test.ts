import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import test from 'node:test'
import { withoutCompiling } from '../../scripts/lock-file.ts'

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8')

test('docs/internals/dependencies.md lists exactly the installed packages in order', () => {
  const {
    dependencies,
    optionalDependencies = {},
    peerDependencies,
    devDependencies,
  } = JSON.parse(read('package.json'))
  const [shipped, brought, development] = read('docs/internals/dependencies.md').split(
    /## Optional peer dependencies|## For development/,
  )
  const listed = (part: string) => [...part.matchAll(/^\| ([@a-z][\w@/.-]*) \|/gm)].map(([, name]) => name!)
  assert.deepEqual(listed(shipped!), Object.keys({ ...dependencies, ...optionalDependencies }).sort())
  assert.deepEqual(listed(brought!), Object.keys(peerDependencies).sort())
  assert.deepEqual(listed(development!), Object.keys(devDependencies).sort())
})

test("npm 10 and 11 don't compile the driver, which includes its binaries", () => {
  // They read this from the lock file only. With it `npm ci` needs neither Python nor a compiler.
  const lock = read('package-lock.json')
  assert.equal(JSON.parse(lock).packages['node_modules/better-sqlite3'].gypfile, false)
  // `npm install` removes it, and `prepare` puts it back.
  const removed = lock.replace(/ *"gypfile": false,\n/, '')
  assert.notEqual(removed, lock)
  assert.equal(withoutCompiling(removed), lock)
  assert.equal(withoutCompiling(lock), lock)
})
