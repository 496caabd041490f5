#!/usr/bin/env node
import { nodeProblem } from './node-version.ts'

// Checked before the rest is loaded: an old Node crashes on the SQLite driver.
const problem = nodeProblem(process.versions.node)
if (problem) {
  process.stderr.write(`${problem}\n`)
  process.exit(1)
}
const { main } = await import('./main.ts')
await main(process.argv)
