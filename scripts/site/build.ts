// `npm run docs` builds the documentation site in dist/docs: pages of docs/, the API reference from the OpenAPI document,
// and the reference of the library. It fails on a link that leads nowhere and on a file that loads something from elsewhere.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { writeApiPages } from './api-pages.ts'
import { checkSite } from './check.ts'
import { moveScriptsToFiles } from './inline-scripts.ts'
import { compressFiles, siteFolder, stageFolder, stagePages } from './stage.ts'

const began = performance.now()
const here = import.meta.dirname

rmSync(stageFolder, { recursive: true, force: true })
rmSync(siteFolder, { recursive: true, force: true })
stagePages()
await Promise.all([
  run('typedoc', 'typedoc/bin/typedoc', '--options', join(here, 'typedoc.json'), '--logLevel', 'Warn'),
  writeApiPages(join(stageFolder, 'api')),
])
await run('vitepress', 'vitepress/bin/vitepress.js', 'build', here)
moveScriptsToFiles(siteFolder)
const problems = checkSite(siteFolder)
if (problems.length > 0) throw new Error(`the documentation site has problems:\n${problems.join('\n')}`)
compressFiles(siteFolder)
console.log(`built dist/docs in ${((performance.now() - began) / 1000).toFixed(1)} s`)

/** Runs a program of this folder's packages. Prints its output only when it fails. */
async function run(name: string, file: string, ...args: string[]): Promise<void> {
  const start = performance.now()
  const child = spawn(process.execPath, [join(here, 'node_modules', file), ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text
    })
  }
  const [code] = await once(child, 'close')
  if (code !== 0) throw new Error(`${name} failed:\n${output}`)
  console.log(`${name} took ${((performance.now() - start) / 1000).toFixed(1)} s`)
}
