import { setTimeout as sleep } from 'node:timers/promises'

// biome-ignore lint/suspicious/noExplicitAny: an answer's members depend on the operation.
export type Answer = { result: 'success' | 'error'; msg: string; code?: string; [member: string]: any }

export interface Person {
  id: number
  email: string
  /** Sends a request once; undefined when the answer was lost, whether it was carried out or not. */
  ask(method: string, path: string, params?: Record<string, unknown>): Promise<Answer | undefined>
  /** Repeats a request until there is an answer; counts the lost ones. */
  insist(method: string, path: string, params?: Record<string, unknown>): Promise<{ answer: Answer; lost: number }>
}

export const RETRY_MS = 50

export function person(url: string, { id, email, key }: { id: number; email: string; key: string }): Person {
  const authorization = `Basic ${Buffer.from(`${email}:${key}`).toString('base64')}`
  const ask: Person['ask'] = async (method, path, params = {}) => {
    const form = new URLSearchParams()
    for (const [name, value] of Object.entries(params)) {
      form.set(name, typeof value === 'string' ? value : JSON.stringify(value))
    }
    const inQuery = method === 'GET'
    try {
      const response = await fetch(`${url}/api/v1${path}${inQuery ? `?${form}` : ''}`, {
        method,
        headers: { authorization },
        ...(!inQuery && { body: form }),
      })
      // Its database is away for a moment: whether the request was carried out is not known.
      if (response.status === 503) return undefined
      return (await response.json()) as Answer
    } catch {
      return undefined
    }
  }
  return {
    id,
    email,
    ask,
    async insist(method, path, params) {
      for (let lost = 0; ; lost++) {
        const answer = await ask(method, path, params)
        if (answer) return { answer, lost }
        await sleep(RETRY_MS)
      }
    },
  }
}
