import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import test from 'node:test'

const folder = new URL('../../deploy/', import.meta.url)
const operate = (name: string) => readFileSync(new URL(`../../docs/operate/${name}.md`, import.meta.url), 'utf8')
const page = operate('deploy')

test('docs/operate/deploy.md shows each file of deploy/ unchanged and no other configuration', () => {
  const blocks = [...page.matchAll(/^```(\w+)(?: file=(\S+))?\n(.*?)^```$/gms)]
  const shown = blocks.flatMap(([, language, name, text]) => {
    // Commands are what a person types, with names of their own machine.
    assert.ok(name || language === 'sh', `a block in ${language} names no file`)
    return name ? [[name, text] as const] : []
  })
  const files = readdirSync(folder).map((name) => [name, readFileSync(new URL(name, folder), 'utf8')] as const)
  assert.deepEqual(Object.fromEntries(shown), Object.fromEntries(files))
})

test('the operations pages use existing commands and options', async () => {
  const { program } = await import('../../bin/program.ts')
  const pages = ['deploy', 'upgrade', 'backup'].map(operate).join('')
  const used = [...pages.matchAll(/chat-server (backup|restore|doctor|user)\b([^\n`]*)/g)]
  assert.ok(used.length >= 5)
  for (const [line, name, rest] of used) {
    const command = program().commands.find((each) => each.name() === name)
    assert.ok(command, line)
    const sub = name === 'user' ? command.commands.find((each) => each.name() === rest!.trim().split(' ')[0]) : command
    assert.ok(sub, line)
    const known = new Set(sub.options.map((option) => option.long))
    for (const [option] of rest!.matchAll(/--[a-z-]+/g)) assert.ok(known.has(option), `${line}: ${option}`)
  }
})
