import type { Tx } from '../../kernel/context.ts'

/**
 * Merges the part of an account in a poll or to-do list. Options and tasks are named by a number and the ID of the person who added
 * them, which votes repeat.
 */
export async function mergeWidgets(tx: Tx, from: number, into: number, message_id: number): Promise<void> {
  const rows = await tx.db
    .selectFrom('submessage')
    .select(['id', 'sender_id', 'content'])
    .where('message_id', '=', message_id)
    .orderBy('id')
    .execute()
  const steps = rows.map((row) => ({ ...row, step: parsed(row.content) }))
  const numbersOf = (user_id: number): number[] =>
    steps.flatMap(({ sender_id, step }) => {
      const number = step && (step.type === 'new_task' ? step.key : step.idx)
      return sender_id === user_id && typeof number === 'number' ? [number] : []
    })
  // Numbers that both have used would name two things.
  const offset = numbersOf(into).length === 0 ? 0 : Math.max(...numbersOf(into)) + 1
  for (const { id, sender_id, content, step } of steps) {
    await tx.db
      .updateTable('submessage')
      .set({
        content: step ? JSON.stringify(renamed(step, sender_id === from)) : content,
        sender_id: sender_id === from ? into : sender_id,
      })
      .where('id', '=', id)
      .execute()
  }

  function renamed(step: Step, isTheirs: boolean): Step {
    const { type, key, idx } = step
    const [, option] = (type === 'vote' && new RegExp(`^${from},(\\d+)$`).exec(String(key))) || []
    if (option !== undefined) return { ...step, key: `${into},${Number(option) + offset}` }
    const [, task] = (type === 'strike' && new RegExp(`^(\\d+),${from}$`).exec(String(key))) || []
    if (task !== undefined) return { ...step, key: `${Number(task) + offset},${into}` }
    if (isTheirs && type === 'new_option') return { ...step, idx: Number(idx) + offset }
    if (isTheirs && type === 'new_task') return { ...step, key: Number(key) + offset }
    return step
  }
}

interface Step {
  type?: string
  key?: unknown
  idx?: unknown
}

function parsed(content: string): Step | undefined {
  try {
    const value: unknown = JSON.parse(content)
    return typeof value === 'object' && value !== null ? (value as Step) : undefined
  } catch {
    return undefined
  }
}
