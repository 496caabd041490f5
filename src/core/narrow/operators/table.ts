import * as v from 'valibot'
import type { Caller } from '../../context.ts'
import { integer, text } from '../../fields.ts'
import { hasOperands, isOperands } from './flags.ts'
import { isAtHome } from './mutes.ts'
import { always, type Meaning } from './predicate.ts'
import { containing } from './search.ts'
import { inChannel, inChannels, inTopic } from './streams.ts'
import { badNarrow, type Operand, operand } from './terms.ts'
import { directIncluding, directWith, sentBy } from './users.ts'

interface Operator {
  operand: v.GenericSchema<Operand, Operand>
  /** Looks the operand up. Throws BAD_NARROW for what cannot be. */
  understand(caller: Caller, operand: Operand): Meaning | Promise<Meaning>
}

const one = v.union([text, integer])

const channel: Operator = { operand: one, understand: inChannel }
const channels: Operator = { operand: text, understand: inChannels }
const topic: Operator = { operand: one, understand: inTopic }
const dm: Operator = { operand, understand: directWith }
const sender: Operator = { operand: one, understand: sentBy }

/** A message's id, as a number or in digits. */
export function messageId(wanted: Operand): number {
  const id = typeof wanted === 'string' && /^\d{1,16}$/.test(wanted.trim()) ? Number(wanted) : wanted
  if (typeof id !== 'number' || !Number.isSafeInteger(id) || id < 0) throw badNarrow('invalid message ID')
  return id
}

function byId(_caller: Caller, wanted: Operand): Meaning {
  const id = messageId(wanted)
  return {
    sql: (row) => row('message.id', '=', id),
    matches: (message) => message.id === id,
    sources: [{ by: 'id', ids: [id] }],
    operand: id,
  }
}

/** Says where to look, not what for: the anchor does that. */
function nearId(_caller: Caller, wanted: Operand): Meaning {
  messageId(wanted)
  return always
}

const words =
  <T>(
    operator: string,
    operands: Readonly<Record<string, T>>,
    understand: (caller: Caller, meant: T) => Meaning | Promise<Meaning>,
  ) =>
  (caller: Caller, wanted: Operand): Meaning | Promise<Meaning> => {
    if (typeof wanted !== 'string' || !Object.hasOwn(operands, wanted)) {
      throw badNarrow(`unknown '${operator}' operand ${wanted}`)
    }
    return understand(caller, operands[wanted]!)
  }

/** Every operator there is. The SQL condition and the predicate in memory are made together, one beside the other. */
export const operators: Readonly<Record<string, Operator>> = {
  channel,
  stream: channel,
  channels,
  streams: channels,
  topic,
  subject: topic,
  dm,
  'pm-with': dm,
  'dm-including': { operand, understand: (caller, people) => directIncluding(caller, people, false) },
  'group-pm-with': { operand, understand: (caller, people) => directIncluding(caller, people, true) },
  sender,
  from: sender,
  id: { operand: one, understand: byId },
  // Says where to look, not what for: the anchor does that.
  near: { operand: one, understand: nearId },
  is: { operand: text, understand: words('is', isOperands, (caller, meant) => meant(caller)) },
  has: { operand: text, understand: words('has', hasOperands, (_caller, meant) => meant) },
  in: {
    operand: text,
    understand: words('in', { home: isAtHome, all: () => always }, (caller, meant) => meant(caller)),
  },
  search: { operand: one, understand: containing },
}

/** Operators that clients send under two names. */
const aliases: ReadonlyMap<string, string> = new Map([
  ['stream', 'channel'],
  ['streams', 'channels'],
  ['subject', 'topic'],
  ['pm-with', 'dm'],
  ['from', 'sender'],
])
export const isOperator = (name: string): boolean => name === 'with' || Object.hasOwn(operators, name)
export const canonicalName = (operator: string): string => aliases.get(operator) ?? operator
