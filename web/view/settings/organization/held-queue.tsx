import { useSignal } from '@preact/signals'
import { conversationLabel } from '../../../model/navigation/conversation-label.ts'
import { addressOf, type Conversation, othersOf } from '../../../model/reading/conversations.ts'
import { nameOf } from '../../../model/reading/people.ts'
import { isolated } from '../../../model/state/isolated.ts'
import type { Session } from '../../../model/state/session.ts'
import { pageTexts } from '../../../texts/page-texts.ts'
import { texts } from '../../../texts/texts.ts'
import { DialogFooter, openDialog, useDialogWork } from '../../parts/dialog.tsx'
import { attempt, Problem } from '../../parts/notices.tsx'
import { longAgo } from '../../parts/times.ts'
import { useSession } from '../../session-context.ts'
import { useAnswer } from '../use-answer.ts'
import { openModerate } from './moderate-form.tsx'

type Held = Awaited<ReturnType<Session['client']['listHeldMessages']>>['held_messages'][number]

/** Messages that wait for a moderator, the oldest first. After each decision the next ones come. */
export function HeldQueue() {
  const { answer, problem } = useAnswer((client) => client.listHeldMessages(), 'reports')
  const { held_messages = [], count = 0 } = answer.value ?? {}
  if (count === 0) return <Problem of={problem} />
  return (
    <section aria-labelledby="held-queue">
      <h3 id="held-queue">{`${texts.message.held} (${count})`}</h3>
      <Problem of={problem} />
      <ul class="settings-list reports">
        {held_messages.map((held) => (
          <HeldRow key={held.id} held={held} />
        ))}
      </ul>
    </section>
  )
}

function HeldRow({ held }: { held: Held }) {
  const session = useSession()
  const { user_id: own } = session.read('users', 'streams')
  const { id: held_message_id, user_id, place, content, reason, matched, created_at } = held
  const conversation: Conversation =
    'stream_id' in place
      ? { type: 'stream', ...place }
      : { type: 'direct', user_ids: othersOf(place.user_ids, user_id) }
  const where = conversationLabel(session, conversation)
  const canRead = 'stream_id' in place || place.user_ids.includes(own)
  const author = nameOf(session, user_id)
  const decide = (decision: 'approve' | 'trust') =>
    attempt(() => session.client.decideHeldMessage({ held_message_id, decision }))
  return (
    <li class="bot report" aria-label={pageTexts.moderation.heldName(author)}>
      <div class="name">
        <strong>{author}</strong>{' '}
        <span class="quiet small">
          {canRead ? <a href={addressOf(conversation, session.state)}>{where}</a> : where}
          {`${texts.common.comma}${longAgo(created_at)}`}
        </span>
        <blockquote>{content}</blockquote>
        <span class="quiet small">
          {reason === 'filter' ? pageTexts.contentFilters.matching(isolated(matched)) : pageTexts.moderation.heldNew}
        </span>
      </div>
      <p class="buttons">
        <button type="button" onClick={() => decide('approve')}>
          {pageTexts.moderation.approve}
        </button>
        {reason === 'new_account' && (
          <button type="button" onClick={() => decide('trust')}>
            {pageTexts.moderation.trust}
          </button>
        )}
        <button type="button" onClick={() => openReject(session, held_message_id)}>
          {pageTexts.moderation.reject}
        </button>
        <button type="button" onClick={() => openModerate(session, { user_id, full_name: author })}>
          {pageTexts.moderation.moderate}
        </button>
      </p>
    </li>
  )
}

const openReject = (session: Session, held_message_id: number): void =>
  openDialog(
    pageTexts.moderation.rejectTitle,
    <RejectForm
      reject={(reason) => session.client.decideHeldMessage({ held_message_id, decision: 'reject', reason })}
    />,
  )

function RejectForm({ reject }: { reject: (reason: string) => Promise<unknown> }) {
  const reason = useSignal('')
  const { problem, run } = useDialogWork()
  const onSubmit = (event: Event) => {
    event.preventDefault()
    void run(() => reject(reason.value))
  }
  return (
    <form class="schedule" onSubmit={onSubmit}>
      <label>
        {pageTexts.moderation.rejectReason}
        <textarea
          rows={3}
          maxLength={1000}
          value={reason.value}
          onInput={(event) => (reason.value = event.currentTarget.value)}
        />
      </label>
      <Problem of={problem} />
      <DialogFooter action={pageTexts.moderation.rejectAction} />
    </form>
  )
}
