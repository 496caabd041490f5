import type { Message } from '../../../src/client/index.ts'

type Step = Message['submessages'][number]

export interface PollOption {
  key: string
  text: string
  voters: readonly number[]
}

export interface PollState {
  question: string
  options: readonly PollOption[]
}

/**
 * Returns the results of a poll from its submessages. The key of an option contains the user who added it and its
 * number.
 */
export function pollOf(
  author: number,
  data: { question?: string; options?: string[] } | undefined,
  steps: readonly Step[],
): PollState {
  let question = data?.question ?? ''
  const options = new Map<string, { text: string; voters: Set<number> }>()
  for (const [i, text] of (data?.options ?? []).entries()) options.set(`canned,${i}`, { text, voters: new Set() })
  for (const { sender_id, content } of [...steps].sort((a, b) => a.id - b.id)) {
    const step = read(content)
    if (step.type === 'question' && sender_id === author) question = String(step.question)
    if (step.type === 'new_option') {
      const key = `${sender_id},${step.idx}`
      if (!options.has(key)) options.set(key, { text: String(step.option), voters: new Set() })
    }
    if (step.type === 'vote') {
      const option = options.get(String(step.key))
      if (step.vote === 1) option?.voters.add(sender_id)
      else option?.voters.delete(sender_id)
    }
  }
  return { question, options: [...options].map(([key, { text, voters }]) => ({ key, text, voters: [...voters] })) }
}

export interface Task {
  key: string
  text: string
  about: string
  done: boolean
}

/** Returns the state of a to-do list. */
export function tasksOf(
  author: number,
  data: { task_list_title?: string; tasks?: { task: string; desc: string }[] } | undefined,
  steps: readonly Step[],
): { title: string; tasks: readonly Task[] } {
  let title = data?.task_list_title ?? ''
  const tasks = new Map<string, { text: string; about: string; done: boolean }>()
  for (const [i, { task, desc }] of (data?.tasks ?? []).entries()) {
    tasks.set(`${i},canned`, { text: task, about: desc, done: false })
  }
  for (const { sender_id, content } of [...steps].sort((a, b) => a.id - b.id)) {
    const step = read(content)
    if (step.type === 'new_task_list_title' && sender_id === author) title = String(step.title)
    if (step.type === 'new_task') {
      const key = `${step.key},${sender_id}`
      if (!tasks.has(key))
        tasks.set(key, { text: String(step.task), about: String(step.desc), done: step.completed === true })
    }
    if (step.type === 'strike') {
      const task = tasks.get(String(step.key))
      if (task) task.done = !task.done
    }
  }
  return { title, tasks: [...tasks].map(([key, task]) => ({ key, ...task })) }
}

function read(content: string): Record<string, unknown> {
  try {
    const step: unknown = JSON.parse(content)
    return typeof step === 'object' && step !== null ? (step as Record<string, unknown>) : {}
  } catch {
    return {}
  }
}
