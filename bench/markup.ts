/** Times rendering: `node --import tsx bench/markup.ts`. Not a test, because a busy machine would fail it. */
import { loadavg } from 'node:os'
import type { MarkupContext } from '../src/core/markup/context.ts'
import { linkifier } from '../src/core/markup/inline/linkifier.ts'
import { plainText } from '../src/core/markup/plain-text.ts'
import { findReferences } from '../src/core/markup/render/references.ts'
import { render } from '../src/core/markup/render/render.ts'
import { adversarial, ordinary } from './markup-inputs.ts'

const context: MarkupContext = {
  users: new Map([['iago', [{ id: 5, full_name: 'Iago' }]]]),
  groups: new Map([['backend', { id: 3, name: 'backend' }]]),
  streams: new Map([['design', { id: 9, name: 'design' }]]),
  customEmoji: new Map([['parrot', { id: '1', url: '/user_avatars/1/emoji/images/1.gif' }]]),
  images: new Map(),
  linkifiers: [linkifier('#(?P<id>[0-9]+)', 'https://issues.example.com/{id}')],
  realmUrl: 'https://chat.example.com',
  translateEmoticons: true,
}

function timeOf(content: string): { ms: number; growth: number } {
  // Processor time instead of wall time, so that other load on the machine doesn't matter.
  const start = process.cpuUsage()
  findReferences(content)
  const { html } = render(content, context)
  const { user, system } = process.cpuUsage(start)
  const ms = (user + system) / 1000
  plainText(html)
  return { ms, growth: html.length / content.length }
}

function quantile(sorted: readonly number[], q: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * q))]!
}

const times: number[] = []
for (let round = 0; round < 220; round++) {
  for (const content of ordinary) {
    const { ms } = timeOf(content)
    // The first rounds are for the compiler.
    if (round >= 20) times.push(ms)
  }
}
times.sort((a, b) => a - b)
const figures = [0.5, 0.9, 0.99, 0.999].map((q) => `p${q * 100} ${quantile(times, q).toFixed(3)} ms`)
console.log(`processor time; load of the machine ${loadavg()[0]!.toFixed(1)}`)
console.log(`ordinary messages, references and rendering, n=${times.length}: ${figures.join(', ')}`)

const slow = Number(process.env.SLOW ?? 50)
const results = Object.entries(adversarial).map(([name, content]) => {
  const first = timeOf(content)
  // The median of three: the first run also compiles, and the machine has other load.
  const runs = [first.ms, timeOf(content).ms, timeOf(content).ms].sort((a, b) => a - b)
  return { name, bytes: Buffer.byteLength(content), first: first.ms, ms: runs[1]!, growth: first.growth }
})
results.sort((a, b) => b.ms - a.ms)
for (const { name, bytes, first, ms, growth } of results.slice(0, Number(process.env.SHOW ?? 30))) {
  const note = ms > slow ? ' SLOW' : growth > 100 ? ' LARGE' : ''
  console.log(
    `${name.padEnd(34)} ${bytes} bytes  ${ms.toFixed(1)} ms (first ${first.toFixed(1)})  x${growth.toFixed(1)}${note}`,
  )
}
console.log(`${results.length} adversarial inputs, ${results.filter(({ ms }) => ms > slow).length} over ${slow} ms`)
