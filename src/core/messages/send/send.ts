import * as v from 'valibot'
import { after } from '../../../storage/index.ts'
import { action } from '../../kernel/action.ts'
import { isoTime } from '../../kernel/base/times.ts'
import { digest } from '../../kernel/digest.ts'
import { badRequest, ChatError } from '../../kernel/errors.ts'
import { bool, described, id, text } from '../../kernel/fields.ts'
import { answeredBy, orError } from '../../kernel/idempotency.ts'
import { isBot } from '../../kernel/roles.ts'
import { widgetFrom } from '../widgets/widget-content.ts'
import { heldError, postOrHold } from './hold.ts'
import { prepare, withWidget } from './prepare.ts'
import { messageType, resolveRecipient, to } from './recipient.ts'
import { deliveryTime, schedule } from './schedule.ts'
import { sendOnce } from './send-receipts.ts'

/** Stored for a week with each message, so the length is limited. */
const shortText = v.pipe(text, v.maxLength(1000, '{name} is too long (limit: 1000 characters)'))

/**
 * POST /messages: sends a message.
 *
 * @throws STREAM_DOES_NOT_EXIST for an unknown or hidden stream
 * @throws MESSAGE_HELD if a moderator must approve the message; it is stored with the ID in `held_message_id`
 * @throws SILENCED while a moderator has silenced the caller
 * @throws SLOW_MODE if the channel is in slow mode, with the seconds to wait in `retry_after`
 * @throws STREAM_WILDCARD_MENTION_NOT_ALLOWED, TOPIC_WILDCARD_MENTION_NOT_ALLOWED
 * @throws BAD_REQUEST without the permission to post there, for unknown users, an empty message, or one of more than
 * 10,000 bytes
 * @example
 * const { id } = await sendMessage(caller, { type: 'stream', to: 'verona', topic: 'plans', content: 'Shall we *meet*?' })
 */
export const sendMessage = action(
  {
    name: 'sendMessage',
    summary: 'Send a message',
    params: v.object({
      type: described(messageType, '"stream" (or "channel") or "direct" (or "private").'),
      to: described(
        to,
        'For a channel message, the name or ID of the channel. For a direct message, a list of user IDs or email addresses.',
      ),
      content: described(text, 'The text, in Markdown, at most 10,000 bytes.'),
      topic: described(v.nullish(text), 'The topic, at most 60 characters. Only for channels.'),
      subject: described(v.nullish(text), 'Deprecated name of `topic`.'),
      queue_id: described(
        v.nullish(shortText),
        'Event queue of a client with local echo. Its message event includes `local_id`.',
      ),
      local_id: described(
        v.nullish(shortText),
        "The client's own ID for the message. Repeating a request with the same ID sends the message only once.",
      ),
      deliver_at: described(
        v.nullish(text),
        'When to send the message, in ISO 8601 or Unix seconds. The returned ID is the ID of a scheduled message.',
      ),
      delivery_type: described(v.nullish(text), 'Only "send_later". Optional, because `deliver_at` is enough.'),
      widget_content: described(
        v.nullish(text),
        'The poll, to-do list or form that the message starts, as JSON with `widget_type` and `extra_data`.',
      ),
      tz_guess: described(v.nullish(text), 'Ignored.'),
      read_by_sender: described(
        v.nullish(bool),
        'Whether to mark it as read for the sender. Defaults to true for people and false for bots.',
      ),
    }),
    result: v.strictObject({ id, deliver_at: v.exactOptional(v.string()) }),
    idempotencyKey: 'one write',
    forWebhooks: true,
    errors: [
      'STREAM_DOES_NOT_EXIST',
      'MESSAGE_HELD',
      'SILENCED',
      'SLOW_MODE',
      'STREAM_WILDCARD_MENTION_NOT_ALLOWED',
      'TOPIC_WILDCARD_MENTION_NOT_ALLOWED',
    ],
  },
  async (caller, params) => {
    const { queue_id, local_id } = params
    if (queue_id && !local_id) {
      throw new ChatError('REQUEST_VARIABLE_MISSING', "Missing 'local_id' argument", { var_name: 'local_id' })
    }
    if (params.topic != null && params.subject != null && params.topic !== params.subject) {
      throw new ChatError('REQUEST_CONFUSING_VAR', "Can't decide between 'topic' and 'subject' arguments")
    }
    const deliver_at = deliveryTime(caller, params)
    const requested = { type: params.type, to: params.to, topic: params.topic ?? params.subject }
    const { widget_content } = params
    if (widget_content != null && deliver_at !== undefined)
      throw badRequest("A scheduled message can't have widget_content.")
    const widget = widget_content == null ? {} : { widget: widgetFrom(widget_content) }
    const preparing = prepare(caller, params.content)
    const plain = preparing instanceof Promise ? await preparing : preparing
    const prepared = widget.widget === undefined ? plain : await withWidget(caller, plain, widget.widget)
    const echo = queue_id && local_id ? { queue_id, local_id } : undefined
    const receipt = echo && {
      ...echo,
      digest: digest({ ...requested, content: params.content, deliver_at, ...widget }),
    }
    if (deliver_at !== undefined) {
      const by_sender = params.read_by_sender ?? undefined
      return caller.write(async (tx) => {
        const sent = await sendOnce(tx, receipt, async () => ({
          id: await schedule(tx, await resolveRecipient(tx, requested), prepared, deliver_at, by_sender),
        }))
        return { ...sent, deliver_at: isoTime(deliver_at) }
      })
    }
    const read_by_sender = params.read_by_sender ?? !isBot(caller.user)
    const answer = await caller.write(
      (tx) => {
        const options = { read_by_sender, ...(echo && { echo }) }
        const sending = sendOnce(tx, receipt, () =>
          after(resolveRecipient(tx, requested), (to) => postOrHold(tx, to, prepared, options, receipt)),
        )
        return after(sending, (sent) => ('id' in sent ? sent : answeredBy(heldError(sent.held_message_id))))
      },
      { appends: true },
    )
    return orError(answer)
  },
)
