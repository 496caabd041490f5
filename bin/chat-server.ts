#!/usr/bin/env node
import { nodeProblem } from './checks.ts'

// Checked before anything is loaded that an old Node could not load.
const problem = nodeProblem(process.versions.node)
if (problem) {
  process.stderr.write(`chat-server: ${problem}\n`)
  process.exit(1)
}
const { main } = await import('./main.ts')
await main(process.argv)
