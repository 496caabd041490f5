import { type ChildProcess, fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { Ready, State } from './delivery-servers.ts'
import { type Waiter, waiter } from './waiters.ts'

export interface Server extends Ready {
  child: ChildProcess
  state(gc?: 'gc'): Promise<State>
}

export async function start(...args: string[]): Promise<Server> {
  const profile = process.env.CPU_PROF ? ['--cpu-prof', `--cpu-prof-dir=${process.env.CPU_PROF}`] : []
  const child = fork(fileURLToPath(import.meta.url).replace('crowd', 'delivery-servers'), args, {
    execArgv: [...process.execArgv, '--expose-gc', ...profile],
  })
  const failed = new Promise<never>((_, reject) => {
    child.once('exit', (code) => reject(new Error(`the server ended with ${code}`)))
  })
  failed.catch(() => {})
  const next = <T>() =>
    Promise.race([failed, new Promise<T>((resolve) => child.once('message', (message) => resolve(message as T)))])
  const ready = await next<Ready>()
  return {
    ...ready,
    child,
    state(gc) {
      const state = next<State>()
      child.send(gc ?? 'state')
      return state
    },
  }
}

/** Milliseconds. */
export interface Round {
  /** From the send's request to its answer. */
  answer: number
  /** From the answer to the last delivery. */
  afterAnswer: number
  /** From the request to the last delivery. */
  afterRequest: number
}

/** All clients of one server, waiting; `round` sends one message and resolves when all have it. */
export interface Crowd {
  round(): Promise<Round>
  body(): string
  close(): void
}

export async function crowd(server: Server, requests: readonly string[], send: string): Promise<Crowd> {
  let body = ''
  let missing = 0
  let last = 0
  let done = () => {}
  let again: (() => void)[] = []
  const waiters: Waiter[] = []
  for (const request of requests) {
    const one: Waiter = await waiter(server.port, (text, at) => {
      const ask = () => one.ask(request.replace('AFTER', /"id":(\d+)\}\],"queue_id"/.exec(text)?.[1] ?? ''))
      // Skips events that happened before all clients were connected.
      if (missing === 0) return ask()
      body = text
      last = at
      // Clients poll again only after all of them have an answer, so that the measured time ends with the last answer.
      again.push(ask)
      if (--missing === 0) done()
    })
    one.ask(request.replace('AFTER', '-1'))
    waiters.push(one)
  }
  let answeredAt = 0
  let answered = () => {}
  const sender = await waiter(server.port, (_, at) => {
    answeredAt = at
    answered()
  })
  return {
    async round() {
      while ((await server.state()).waiting < requests.length) await new Promise((resolve) => setTimeout(resolve, 5))
      missing = requests.length
      const start = performance.now()
      const all = new Promise<void>((resolve) => {
        done = resolve
      })
      const answer = new Promise<void>((resolve) => {
        answered = resolve
      })
      sender.ask(send)
      await Promise.all([all, answer])
      const asks = again
      again = []
      for (const ask of asks) ask()
      return {
        answer: answeredAt - start,
        afterAnswer: Math.max(0, last - answeredAt),
        afterRequest: last - start,
      }
    },
    body: () => body,
    close() {
      for (const each of [...waiters, sender]) each.close()
    },
  }
}
