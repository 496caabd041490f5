import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { freePort } from '../free-port.ts'
import { type Installed, type Server, serve } from './install.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** Pages whose blocks other tests compare with files, and pages about the repository itself. */
const checkedElsewhere = /^(guide\/other-languages|operate\/(deploy|scaling)|internals\/.*)\.md$/

/** The README and the pages of docs/ whose blocks are run. */
export function documents(): string[] {
  const pages = readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' }).sort()
  const run = pages.filter((page) => page.endsWith('.md') && !checkedElsewhere.test(page))
  return ['README.md', ...run.map((page) => `docs/${page}`)]
}

interface Block {
  language: string
  text: string
  line: number
  /** The reason why the block isn't run: `<!-- not run: … -->` on the line before. */
  reason: string | undefined
}

/** The code blocks with a language; the others show output. */
export function codeBlocks(markdown: string): Block[] {
  const begun = [...markdown.matchAll(/^ *(?:```|~~~)(.*)$/gm)].filter((_, i) => i % 2 === 0)
  for (const [fence, info] of begun) {
    if (!/^```\w*$/.test(fence)) throw new Error(`no way to run a block that begins with ${fence}: ${info}`)
  }
  const blocks = markdown.matchAll(/(?:<!-- not run: (.+?) -->\n)?^```(\w+)\n(.*?)^```$/gms)
  return [...blocks].map(({ 1: reason, 2: language, 3: text, index }) => ({
    language: language!,
    text: text!,
    line: markdown.slice(0, index).split('\n').length,
    reason,
  }))
}

/** Runs the blocks of all documents and lists those that are not run. */
export async function checkDocuments(installed: Installed): Promise<void> {
  const skipped: string[] = []
  for (const path of documents()) skipped.push(...(await checkDocument(installed, path)))
  console.log(`blocks of documents that are not run:\n${skipped.map((each) => `  ${each}\n`).join('')}`)
}

/**
 * Runs every block of a document, in order, in a folder of its own: shell commands line by line, modules as files. The
 * command `npx --no chat-server` with options serves until the end, or until a module opens the database itself.
 * NAMES_LIKE_THIS are replaced by the member of that name in an earlier response, YOUR_API_KEY by the owner's key.
 *
 * @returns the blocks that are not run, with reasons
 */
async function checkDocument(installed: Installed, path: string): Promise<string[]> {
  const blocks = codeBlocks(readFileSync(join(root, path), 'utf8'))
  const name = path.replaceAll(/[/.]/g, '-')
  const folder = join(installed.folder, name)
  if (blocks.some(({ reason }) => !reason)) mkdirSync(folder)
  const port = await freePort()
  const known = new Map<string, string>()
  let server: Server | undefined
  const fill = (text: string) =>
    text
      .replaceAll('9991', String(port))
      .replace(/\b[A-Z]+(?:_[A-Z]+)+\b/g, (name) => known.get(name.toLowerCase()) ?? name)

  const shell = async (text: string) => {
    const variables: string[] = []
    for (const command of text.replaceAll('\\\n', ' ').split('\n')) {
      if (/^(#.*)?$/.test(command)) continue
      if (command.startsWith('export ')) variables.push(command)
      else if (command.startsWith('npx --no chat-server --')) {
        server = await serve({ ...installed, cwd: folder }, ...command.split(' ').slice(3).map(fill))
        known.set('your_api_key', /API key\s+(\S+)/.exec(server.output)![1]!)
      } else {
        const output = await finish('sh', ['-c', fill([...variables, command].join('\n'))])
        for (const [name, value] of Object.entries(answerOf(command, output))) known.set(name, String(value))
      }
    }
  }

  /** Runs a program. While it waits for events, messages are sent: it may not have registered for the first one. */
  const finish = async (program: string, args: string[]) => {
    const child = spawn(program, args, { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] })
    let output = ''
    let errors = ''
    child.stderr.on('data', (data) => {
      errors += data
    })
    const code = await new Promise<number | null>((resolve) => {
      child.once('exit', resolve)
      child.stdout.on('data', (data) => {
        output += data
        // An endless loop is done after it printed the message.
        if (output.includes(NEWS)) child.kill()
      })
      const waiting = setInterval(() => void say(), 2000)
      setTimeout(() => child.kill(), 60_000).unref()
      child.once('exit', () => clearInterval(waiting))
    })
    assert.ok(code === 0 || output.includes(NEWS), `${args.at(-1)}\nended with ${code}:\n${output}${errors}`)
    return output
  }
  const say = async () => {
    const headers = {
      authorization: `Basic ${Buffer.from(`owner@localhost:${known.get('your_api_key')}`).toString('base64')}`,
    }
    const body = new URLSearchParams({ type: 'stream', to: 'verona', topic: 'plans', content: NEWS })
    if (server) await fetch(`${server.url}/api/v1/messages`, { method: 'POST', headers, body })
  }

  const skipped: string[] = []
  try {
    for (const block of blocks) {
      const place = `${path}:${block.line}`
      if (block.reason) skipped.push(`${place} ${block.reason}`)
      else if (block.language === 'sh') await shell(block.text)
      else if (/^(ts|js|mjs)$/.test(block.language)) {
        const file = `block-${block.line}.${block.language === 'ts' ? 'ts' : 'mjs'}`
        writeFileSync(join(folder, file), fill(block.text))
        if (block.text.includes('openChat(')) {
          await server?.stop()
          server = undefined
        }
        await finish(process.execPath, ['--import', 'tsx', file])
        if (block.language === 'ts') installed.typecheck(join(name, file))
      } else if (block.language !== 'csv') {
        throw new Error(`${place}: a block in ${block.language} is neither run nor marked as not run`)
      }
      console.log(`ok  ${place} ${block.reason ? '(not run)' : block.language}`)
    }
  } finally {
    await server?.[Symbol.asyncDispose]()
  }
  return skipped
}

const NEWS = 'There is news.'

function answerOf(command: string, output: string): object {
  if (!command.startsWith('curl ')) return {}
  const answer = JSON.parse(output) as { result: string }
  assert.equal(answer.result, 'success', `${command}\n${output}`)
  return answer
}
