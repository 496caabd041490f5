import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { dirname } from 'node:path'
import test from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { run, start } from '../bin/running.ts'
import { type Person, person } from '../crash/client.ts'
import { eventually } from '../eventually.ts'
import { TemporaryFolder } from '../temporary-folder.ts'

// Clients that handle restarts only by repeating requests follow a conversation through them.

const here = dirname(fileURLToPath(import.meta.url))

/** What a client has received so far, in order. */
interface Listener extends AsyncDisposable {
  received: string[]
}

/** A simple loop over fetch. */
async function fetchListener(who: Person): Promise<Listener> {
  const { answer } = await who.insist('POST', '/register', { event_types: ['message'] })
  const { queue_id } = answer
  let { last_event_id } = answer
  const received: string[] = []
  let over = false
  void (async () => {
    while (!over) {
      const polled = await who.ask('GET', '/events', { queue_id, last_event_id })
      if (over) return
      if (!polled) await sleep(20)
      else if (polled.result === 'error') received.push(`error: ${polled.msg}`)
      for (const event of polled?.events ?? []) {
        last_event_id = event.id
        if (event.type === 'message') received.push(event.message.content)
      }
    }
  })()
  return {
    received,
    async [Symbol.asyncDispose]() {
      // The poll under way ends with the server.
      over = true
    },
  }
}

/** zulip-js's own loop. It ends only with its process. */
async function zulipListener(realm: string, username: string, apiKey: string): Promise<Listener> {
  const script = `
    const config = ${JSON.stringify({ realm, username, apiKey })}
    require('zulip-js')(config).then((client) => client.callOnEachEvent((event) => {
      if (event.type === 'message') console.log('received ' + event.message.content)
    }, ['message']))`
  const child = spawn(process.execPath, ['-e', script], { cwd: here, stdio: ['ignore', 'pipe', 'inherit'] })
  const ended = new Promise((resolve) => child.once('exit', resolve))
  const received: string[] = []
  let rest = ''
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    const lines = (rest + chunk).split('\n')
    rest = lines.pop()!
    for (const line of lines) if (line.startsWith('received ')) received.push(line.slice('received '.length))
  })
  return {
    received,
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL')
      await ended
    },
  }
}

const until = (done: () => boolean, what: () => string): Promise<void> => eventually(what, done, 60)

test('a fetch loop and zulip-js follow a conversation through SIGTERM and SIGKILL', async () => {
  using folder = new TemporaryFolder()
  const made = await run(folder, [
    'init',
    '--org',
    'R',
    '--owner-email',
    'o@example.com',
    '--owner-name',
    'Olga',
    '--json',
  ])
  const owner = JSON.parse(made.out)
  let server = await start(folder, ['--port', '0', '--no-rate-limit'])
  const { url } = server
  const args = ['--port', new URL(url).port, '--no-rate-limit']
  try {
    const speaker = person(url, { id: owner.user_id, email: owner.email, key: owner.api_key })
    await using plain = await fetchListener(speaker)
    await using zulip = await zulipListener(url, owner.email, owner.api_key)
    const said: string[] = []
    const say = async (content: string) => {
      said.push(content)
      const { answer } = await speaker.insist('POST', '/messages', {
        ...{ type: 'stream', to: 'general', topic: 'restarts', content },
        ...{ queue_id: 'speaker', local_id: content },
      })
      assert.equal(answer.result, 'success', answer.msg)
    }
    const allReceived = () => {
      const detail = () => JSON.stringify({ plain: plain.received, zulip: zulip.received })
      return until(() => plain.received.length >= said.length && zulip.received.length >= said.length, detail)
    }
    // zulip-js does not report when its queue is registered: it is when it has received something.
    for (let n = 0; zulip.received.length === 0; n++) {
      await say(`is anybody there? ${n}`)
      await sleep(100)
    }
    const first = said.at(-1)
    await until(
      () => plain.received.at(-1) === first && zulip.received.at(-1) === first,
      () => first!,
    )
    for (const list of [said, plain.received, zulip.received]) list.splice(0)

    for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
      await say(`before ${signal}`)
      await allReceived()
      server.process.kill(signal)
      assert.equal(await server.ended, signal === 'SIGTERM' ? 0 : null)
      // Sent while the server is down, by a client that retries.
      const meanwhile = say(`while down after ${signal}`)
      await sleep(200)
      server = await start(folder, args)
      await meanwhile
      await say(`after ${signal}`)
      await allReceived()
    }
    assert.deepEqual(plain.received, said)
    assert.deepEqual(zulip.received, said)
  } finally {
    await server[Symbol.asyncDispose]()
  }
})
