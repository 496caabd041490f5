import { createHmac } from 'node:crypto'
import type { Caller } from '../../kernel/context.ts'
import type { MessageView } from '../../shapes/message.ts'
import { commandIn } from '../profiles/commands.ts'
import type { BotService } from '../profiles/profile.ts'
import type { Trigger } from './triggers.ts'

/** A message to deliver. */
export interface Outgoing {
  message: MessageView
  /** As Markdown. */
  content: string
  trigger: Trigger
}

interface Form {
  content_type: string
  body(bot: Caller, service: BotService, outgoing: Outgoing): string
}

/** Zulip's own format: JSON with the message as in the API, without the flags of a reader. */
const generic: Form = {
  content_type: 'application/json',
  body: ({ user }, { token }, { message: { flags: _, ...message }, content, trigger }) =>
    JSON.stringify({
      bot_email: user.email,
      bot_full_name: user.full_name,
      data: content,
      message: { ...message, content, content_type: 'text/x-markdown', rendered_content: message.content },
      token,
      trigger,
      ...(trigger === 'command' && { command: commandIn(content) }),
    }),
}

/** The format of Slack's outgoing webhooks. */
const slack: Form = {
  content_type: 'application/x-www-form-urlencoded',
  body({ user, chat }, { token }, { message, content, trigger }) {
    const inStream = message.type === 'stream'
    const command = trigger === 'command' ? commandIn(content) : undefined
    return new URLSearchParams({
      token,
      team_id: 'T1',
      team_domain: new URL(chat.options.publicUrl).hostname,
      channel_id: inStream ? `C${message.stream_id}` : `D${message.sender_id}`,
      channel_name: inStream ? message.display_recipient : 'directmessage',
      thread_ts: String(message.timestamp),
      timestamp: String(message.timestamp),
      user_id: `U${message.sender_id}`,
      user_name: message.sender_full_name,
      ...(command
        ? { command: `/${command.name}`, text: command.arguments }
        : { text: content, trigger_word: `@**${user.full_name}**` }),
      service_id: String(user.id),
    }).toString()
  },
}

const forms: Readonly<Record<number, Form>> = { 1: generic, 2: slack }

/**
 * Returns the body and headers of a request. The signature is made with the bot's token, which the receiver knows.
 */
export function requestOf(bot: Caller, service: BotService, outgoing: Outgoing, delivery_id: number) {
  const form = forms[service.interface] ?? generic
  const body = form.body(bot, service, outgoing)
  const signature = createHmac('sha256', service.token).update(body).digest('hex')
  return {
    body,
    headers: {
      'content-type': form.content_type,
      'user-agent': 'chat-server-outgoing-webhook',
      'x-webhook-signature': `sha256=${signature}`,
      'x-webhook-delivery': String(delivery_id),
    },
  }
}
