import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'

export interface Server {
  url: string
  /** The owner's address and API key, printed at the first start. */
  account: string | undefined
  /** From the start of the process to the line with the address. */
  milliseconds: number
  process: ChildProcess
}

/** Starts a server and waits for the line with its address. */
export async function start(command: string, args: readonly string[], cwd?: string): Promise<Server> {
  const began = performance.now()
  const child = spawn(command, args, { cwd, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  // The log is printed only if the server doesn't start.
  let log = ''
  child.stderr.on('data', (data) => {
    log += data
  })
  for await (const line of createInterface({ input: child.stdout })) {
    output += `${line}\n`
    const url = /^chat-server listening on (\S+)$/.exec(line)?.[1]
    if (!url) continue
    return { url, account: accountIn(output), milliseconds: Math.round(performance.now() - began), process: child }
  }
  throw new Error(`the server ended before it listened:\n${output}${log}`)
}

/** Returns the owner's address and API key from what the first start prints. */
export function accountIn(output: string): string | undefined {
  const key = /API key\s+(\S+)/.exec(output)?.[1]
  return key && `owner@localhost:${key}`
}

/** Stops a server in order. */
export async function stop({ process: child }: Server): Promise<void> {
  const ended = once(child, 'exit')
  child.kill('SIGTERM')
  assert.deepEqual(await ended, [0, null])
}

async function call(url: string, account: string, init?: RequestInit): Promise<Answer> {
  const authorization = `Basic ${Buffer.from(account).toString('base64')}`
  const response = await fetch(url, { ...init, headers: { authorization } })
  const answer = (await response.json()) as Answer
  assert.equal(answer.result, 'success', JSON.stringify(answer))
  return answer
}

interface Answer {
  result: string
  messages?: { content: string }[]
}

export async function send(url: string, account: string, content: string): Promise<void> {
  const body = new URLSearchParams({ type: 'stream', to: 'general', topic: 'release', content })
  await call(`${url}/api/v1/messages`, account, { method: 'POST', body })
}

/** Throws unless these messages exist. */
export async function has(url: string, account: string, ...contents: string[]): Promise<void> {
  const { messages = [] } = await call(`${url}/api/v1/messages?anchor=newest&num_before=20&num_after=0`, account)
  for (const content of contents)
    assert.ok(
      messages.some((each) => each.content.includes(content)),
      `no ${content}`,
    )
}
