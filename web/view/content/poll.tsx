import type { Message } from '../../../src/client/index.ts'
import { nameOf } from '../../model/reading/people.ts'
import { pollOf } from '../../model/reading/poll.ts'
import { isolated } from '../../model/state/isolated.ts'
import { namesList } from '../../model/state/language.ts'
import { isReadOnly } from '../../model/state/spectator.ts'
import { toggle } from '../../model/state/toggle.ts'
import { pieceTexts } from '../../texts/piece-texts.ts'
import { attempt } from '../parts/notices.tsx'

import { useSession } from '../session-context.ts'
import { AddLine } from './add-line.tsx'
import { sayIn, useNumber } from './steps.ts'

interface PollProps {
  message: Message
  data: { question?: string; options?: string[] } | undefined
}

/** A question with options to choose from. Anyone can add one. */
export function Poll({ message, data }: PollProps) {
  const session = useSession()
  const own = session.state.user_id
  const readOnly = isReadOnly(session)
  const poll = ({ sender_id, submessages }: Message) => pollOf(sender_id, data, submessages.slice(1))
  const { question, options } = poll(message)
  const say = sayIn(session, message)
  const vote = (key: string) => {
    const isOwn = () =>
      poll(session.messages.get(message.id) ?? message).options.some(
        (option) => option.key === key && option.voters.includes(own),
      )
    return toggle(session, `vote ${message.id} ${key}`, isOwn, (isOn) =>
      say({ type: 'vote', key, vote: isOn ? 1 : -1 }),
    )
  }
  const next = useNumber(options.filter(({ key }) => key.startsWith(`${own},`)).length)
  const add = (option: string) =>
    options.some(({ text }) => text === option) ? undefined : say({ type: 'new_option', idx: next(), option })
  return (
    <section class="widget poll" aria-label={pieceTexts.widgets.pollNamed(question)}>
      <p class="widget-title">{question || pieceTexts.widgets.poll}</p>
      <ul>
        {options.map(({ key, text, voters }) => {
          const names = namesList(voters.map((id) => isolated(nameOf(session, id))))
          return (
            <li key={key}>
              <button
                type="button"
                aria-pressed={voters.includes(own)}
                aria-label={pieceTexts.widgets.votesFor(voters.length, text)}
                disabled={readOnly}
                onClick={() => attempt(() => vote(key))}
              >
                {voters.length}
              </button>
              <span>{text}</span>
              {voters.length > 0 && <span class="quiet small">{names}</span>}
            </li>
          )
        })}
      </ul>
      {!readOnly && <AddLine label={pieceTexts.widgets.addOption} add={add} />}
    </section>
  )
}
