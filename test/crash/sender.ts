import type { Person } from './client.ts'
import type { Journal, Sent } from './journal.ts'
import type { Dice } from './random.ts'

interface Plan {
  sender: Person
  /** A user's clients act concurrently, each with an emoji of its own. */
  emoji: string
  others: readonly Person[]
  journal: Journal
  roll: Dice
  isOver: () => boolean
}

/** Sends, reacts and reads, one after the other; requests without an answer are repeated unchanged. */
export async function sendUntilOver(plan: Plan): Promise<void> {
  const { sender, journal } = plan
  const { answer } = await sender.insist('POST', '/register', { event_types: ['message'], queue_lifespan_secs: 86_400 })
  const queue_id: string = answer.queue_id
  for (let n = 0; !plan.isOver(); n++) {
    const choice = plan.roll(10)
    const target = journal.acknowledged[plan.roll(Math.max(1, journal.acknowledged.length))]
    if (choice < 7 || !target) await send(plan, queue_id, n)
    else if (choice < 9) await react(plan, target)
    else await read(plan)
  }
}

async function send({ sender, emoji, others, journal, roll }: Plan, queue_id: string, n: number): Promise<void> {
  const sent: Sent = {
    sender,
    local_id: `${n}.01`,
    content: `message ${n} of ${sender.email} ${emoji}, ${'x'.repeat(roll(200))}.`,
  }
  const to =
    roll(5) === 0
      ? { type: 'private', to: [others[roll(others.length)]!.id] }
      : { type: 'stream', to: 'general', topic: `topic ${roll(4)}` }
  journal.sent.push(sent)
  const params = { ...to, content: sent.content, queue_id, local_id: sent.local_id }
  const { answer, lost } = await sender.insist('POST', '/messages', params)
  if (lost > 0) journal.repeated++
  if (answer.result === 'success') journal.acknowledge(sent, answer.id)
  else journal.complain(`a send was refused: ${answer.msg}`)
}

/** Adds a reaction, or removes it where it is. */
async function react({ sender, emoji, journal }: Plan, { id }: Sent): Promise<void> {
  const key = `${sender.id} ${id} ${emoji}`
  const on = !journal.reactions.get(key)
  const { answer, lost } = await sender.insist(on ? 'POST' : 'DELETE', `/messages/${id}/reactions`, {
    emoji_name: emoji,
  })
  if (lost > 0) journal.repeated++
  const repeated = lost > 0 && answer.code === (on ? 'REACTION_ALREADY_EXISTS' : 'REACTION_DOES_NOT_EXIST')
  if (answer.result === 'success' || repeated) journal.reactions.set(key, on)
  // Somebody else's direct message.
  else if (answer.msg !== 'Invalid message(s)') journal.complain(`a reaction was refused: ${answer.msg}`)
}

async function read({ sender, journal, roll }: Plan): Promise<void> {
  const from = roll(journal.acknowledged.length)
  const messages = journal.acknowledged.slice(from, from + 5).map((sent) => sent.id!)
  const { answer, lost } = await sender.insist('POST', '/messages/flags', { messages, op: 'add', flag: 'read' })
  if (lost > 0) journal.repeated++
  if (answer.result !== 'success') {
    if (answer.msg !== 'Invalid message(s)') journal.complain(`reading was refused: ${answer.msg}`)
    return
  }
  const known = journal.read.get(sender) ?? new Set()
  journal.read.set(sender, known)
  for (const id of messages) known.add(id)
}
