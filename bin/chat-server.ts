#!/usr/bin/env node
import module from 'node:module'
import { fileURLToPath } from 'node:url'
import { nodeProblem } from './node-version.ts'

// Checked before the rest is loaded: an old Node crashes on the SQLite driver.
const problem = nodeProblem(process.versions.node)
if (problem) {
  process.stderr.write(`${problem}\n`)
  process.exit(1)
}
// Node keeps compiled code beside the program, where only its owner can write. A read-only folder works too, without
// the cache.
module.enableCompileCache(fileURLToPath(new URL('../.cache', import.meta.url)))
const { main } = await import('./main.ts')
await main(process.argv)
