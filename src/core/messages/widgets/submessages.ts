import * as v from 'valibot'
import { accessMessage, type Message, readersAndActor } from '../../access/messages.ts'
import { requireVoice } from '../../access/silence.ts'
import { emit } from '../../events/log/emit.ts'
import { action } from '../../kernel/action.ts'
import { MAX_MESSAGE_BYTES } from '../../kernel/base/limits.ts'
import type { Tx } from '../../kernel/context.ts'
import { badRequest } from '../../kernel/errors.ts'
import { described, id, text } from '../../kernel/fields.ts'
import { requireAllowedText } from '../../review/filters/require.ts'
import { requireEstablished } from '../../review/newcomers.ts'
import { textsIn } from '../../review/texts-in.ts'
import { empty } from '../../shapes/values.ts'
import { raiseByTakingPart } from '../../streams/automatic-visibility.ts'
import { requireUnblockedIn } from '../../users/blocks.ts'

const index = v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(1000))
const string = v.string()

interface Step {
  schema: v.GenericSchema
  /** The error for users other than the sender; missing if everyone may do it. */
  authorOnly?: string
}

/** The data that a widget accepts, by its type and the type of the data. */
const steps: Readonly<Record<string, Readonly<Record<string, Step>>>> = {
  poll: {
    vote: { schema: v.object({ key: string, vote: v.picklist([1, -1]) }) },
    new_option: { schema: v.object({ option: string, idx: index }) },
    question: {
      schema: v.object({ question: string }),
      authorOnly: "You can't edit a question unless you are the author.",
    },
  },
  todo: {
    new_task: { schema: v.object({ key: index, task: string, desc: string, completed: v.boolean() }) },
    strike: { schema: v.object({ key: string }) },
    new_task_list_title: {
      schema: v.object({ title: string }),
      authorOnly: "You can't edit the task list title unless you are the author.",
    },
  },
}

/** Throws unless a widget of this type accepts the data. */
function checkWidgetData(widget: string, data: unknown, isAuthor: boolean): void {
  const known = steps[widget]
  if (!known) return
  const type = v.is(v.object({ type: string }), data) ? data.type : undefined
  if (type === undefined) throw badRequest(`Invalid ${widget} data`)
  const step = Object.hasOwn(known, type) ? known[type] : undefined
  if (!step) throw badRequest(`Unknown type for ${widget} data: ${type}`)
  if (step.authorOnly && !isAuthor) throw badRequest(step.authorOnly)
  if (!v.is(step.schema, data)) throw badRequest(`Invalid ${widget} data`)
}

/** Changes of a widget that show no text of their author. */
const withoutText = v.object({ type: v.picklist(['vote', 'strike']) })

/**
 * POST /submessage: adds a vote in a poll, a task of a to-do list, or the data of another widget.
 *
 * @throws SILENCED while a moderator has silenced the caller
 * @throws BAD_REQUEST "Invalid message(s)" for an unknown or hidden message; also for data that doesn't fit its widget
 */
export const addSubmessage = action(
  {
    name: 'addSubmessage',
    summary: 'Add a submessage',
    params: v.object({
      message_id: described(id, 'ID of the message.'),
      msg_type: described(text, 'Kind of submessage: "widget".'),
      content: described(text, 'The change to the widget, as JSON.'),
    }),
    result: empty,
    idempotencyKey: 'one write',
    errors: ['SILENCED'],
  },
  async (caller, { message_id, msg_type, content }) => {
    return caller.write(async (tx) => {
      const message = await accessMessage(tx, message_id)
      await requireVoice(tx)
      await requireUnblockedIn(tx, message)
      await requireParticipation(tx, message)
      const data = parse(content)
      checkWidgetData(await widgetType(tx, message), data, message.sender_id === tx.user.id)
      await requireAllowedText(tx, textsIn(data).join('\n'))
      if (!v.is(withoutText, data)) await requireEstablished(tx)
      const submessage = await insertSubmessage(tx, message_id, msg_type, content)
      const { id: submessage_id, sender_id } = submessage
      const event = { type: 'submessage', msg_type, message_id, submessage_id, sender_id, content } as const
      await emit(tx, event, await readersAndActor(tx, message))
      await raiseByTakingPart(tx, message)
      return {}
    })
  },
)

/** Adds a submessage without an event; the first one makes the message a widget. */
export async function insertSubmessage(tx: Tx, message_id: number, msg_type: string, content: string) {
  const sender_id = tx.user.id
  const { id } = await tx.db
    .insertInto('submessage')
    .values({ message_id, sender_id, msg_type, content })
    .returning('id')
    .executeTakeFirstOrThrow()
  return { id, message_id, sender_id, msg_type, content }
}

/** Only the sender can make a message a widget. Then all of its readers can take part. */
async function requireParticipation(tx: Tx, message: Message): Promise<void> {
  if (message.sender_id === tx.user.id) return
  const own = await tx.db
    .selectFrom('submessage')
    .select('id')
    .where('message_id', '=', message.id)
    .where('sender_id', '=', message.sender_id)
    .executeTakeFirst()
  if (!own) throw badRequest('You cannot attach a submessage to this message.')
}

async function widgetType(tx: Tx, message: Message): Promise<string> {
  const first = await tx.db
    .selectFrom('submessage')
    .select('content')
    .where('message_id', '=', message.id)
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()
  const data: unknown = first && JSON.parse(first.content)
  return v.is(v.object({ widget_type: v.string() }), data) ? data.widget_type : ''
}

function parse(content: string): unknown {
  if (Buffer.byteLength(content) > MAX_MESSAGE_BYTES) throw badRequest('Submessage is too long')
  try {
    return JSON.parse(content)
  } catch {
    throw badRequest('Invalid json for submessage')
  }
}
